"""Slices of load: as many moves as can be, or so many a second."""

import time
from typing import Final

from clients.bench.load.figures import Slice
from clients.bench.load.processes import Server
from clients.bench.load.tally import Load

PATIENCE_SECONDS: Final = 60.0
IDLE_SECONDS: Final = 0.01
"""How often to look whether it is time to move, while no seat can."""


def flow(load: Load, server: Server, seconds: float) -> Slice:
    """Let every seat move as soon as it may; what is under way at the end is waited for, and not counted."""
    counter = _Counter(load, server)
    end = time.perf_counter() + seconds
    load.flow()
    while (left := end - time.perf_counter()) > 0:
        load.wire.turn(left)
    found = counter.slice()
    load.hold()
    _settle(load)
    return found


def at_rate(load: Load, server: Server, rate: float, seconds: float) -> Slice:
    """Send `rate` moves a second, whatever comes back. What is sent late counts from when it was to be sent: else a
    server that stands still would only be measured by the moves that it lets through.
    """
    counter = _Counter(load, server)
    begin = now = time.perf_counter()
    sent = 0
    while now - begin < seconds:
        while load.waiting and (due := begin + sent / rate) <= now:
            load.tally.late.append(now - due)
            load.waiting.popleft().move(due)
            sent += 1
        until = begin + sent / rate - time.perf_counter()
        load.wire.turn(max(0.0, until) if load.waiting else IDLE_SECONDS)
        now = time.perf_counter()
    found = counter.slice()
    _settle(load)
    return found


def _settle(load: Load) -> None:
    load.wire.until(lambda: not load.under_way, PATIENCE_SECONDS, "answer all moves")


class _Counter:
    """Counts from now on."""

    def __init__(self, load: Load, server: Server) -> None:
        self._load, self._server = load, server
        self._moves, self._views = load.tally.moves, load.tally.views
        self._server_cpu, self._own_cpu = server.cpu_seconds(), time.process_time()
        self._begin = time.perf_counter()

    def slice(self) -> Slice:
        """What has been counted until now."""
        seconds = time.perf_counter() - self._begin
        own, other = time.process_time() - self._own_cpu, self._server.cpu_seconds() - self._server_cpu
        tally = self._load.tally
        return Slice(seconds, tally.moves - self._moves, tally.views - self._views, other, own)
