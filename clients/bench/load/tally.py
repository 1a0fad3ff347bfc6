"""What all seats of a load share: what is counted, and whether they may move."""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Protocol

from clients.bench.load.wire import Wire


class Mover(Protocol):
    """A seat that may move."""

    def move(self, at: float) -> None:
        """Make the move that is waited for, which should have been made `at` some time of `time.perf_counter`."""


@dataclass(slots=True)
class Tally:
    """What has been counted.

    Attributes:
        moves: moves that all four seats have seen.
        views: views received.
        view_bytes: their size together.
        skipped: versions that a seat was not sent, since a newer one was there already.
        matches: matches played to their end.
        latencies: seconds from when a move was to be sent to its last view.
        late: seconds by which moves were sent later than planned.
    """

    moves: int = 0
    views: int = 0
    view_bytes: int = 0
    skipped: int = 0
    matches: int = 0
    latencies: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)


class Load:
    """What all tables share.

    Attributes:
        tally: what has been counted.
        flowing: seats move as soon as they may; else they wait in `waiting`.
        waiting: the seats that may move, the one that has waited longest first.
        under_way: how many moves have been sent that not everybody has seen.
        here: how many connections have said hello.
        playing: how many tables have started a match.
    """

    def __init__(self, wire: Wire, port: int, seed: int = 1) -> None:
        self.wire = wire
        self.port = port
        self.random = Random(seed)
        self.tally = Tally()
        self.flowing = False
        self.waiting: deque[Mover] = deque()
        self.under_way = 0
        self.here = 0
        self.playing = 0
        prefix = f"{self.random.getrandbits(64):016x}"
        self.new_id: Callable[[], str] = (f"{prefix}-{number}" for number in count(1)).__next__

    def flow(self) -> None:
        """Let every seat move, from now on as soon as it may."""
        self.flowing = True
        while self.waiting:
            self.waiting.popleft().move(time.perf_counter())

    def hold(self) -> None:
        """Let nobody move until told."""
        self.flowing = False
