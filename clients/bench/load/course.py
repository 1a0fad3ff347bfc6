"""The course of a measurement: memory first, then slices of load, the real server and the bare one in turns."""

import gc
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from clients.bench.load import groups, pace
from clients.bench.load.figures import percentile_ms, ratios, summary
from clients.bench.load.pace import PATIENCE_SECONDS
from clients.bench.load.processes import Server, cores
from clients.bench.load.tables import SEATS, Table
from clients.bench.load.tally import Load, Tally
from clients.bench.load.visitors import Visitor
from clients.bench.load.wire import Wire

SLICE_SECONDS: Final = 1.0
WARM_UP_SECONDS: Final = 2.0
MOVE_BYTES: Final = 100
"""A move's command is about so long."""
SPARE_CONNECTIONS: Final = 64


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure.

    Attributes:
        tables: how many tables play.
        seconds: how long, in all slices together.
        workers: how many processes serve; `None` leaves it to the server.
        redis: the address of the store; `None` for the embedded one.
        rate: moves a second to send, whatever comes back; `None` for as many as can be.
        idle: how many connections do nothing besides.
    """

    tables: int = 50
    seconds: float = 20.0
    workers: int | None = None
    redis: str | None = None
    rate: float | None = None
    idle: int = 0


def measure(plan: Plan) -> dict[str, float | None]:
    """All figures. Raises `BenchError`."""
    server_core, own_core = cores()
    allowed = os.sched_getaffinity(0)
    with tempfile.TemporaryDirectory(prefix="bigtop-bench-") as folder:
        try:
            os.sched_setaffinity(0, {own_core})
            with Server("server", _serve(plan, Path(folder)), server_core) as real:
                return _Course(plan, real, server_core).run()
        finally:
            gc.unfreeze()
            gc.enable()
            os.sched_setaffinity(0, allowed)


def _serve(plan: Plan, folder: Path) -> list[str]:
    """How the server is started: with its durable settings, and no limit that this load could reach."""
    connections = SEATS * plan.tables + plan.idle + SPARE_CONNECTIONS
    limits = ["--rate", "100000", "--burst", "100000", "--connections", str(connections)]
    store = ["--store", str(folder / "bench.sqlite")] if plan.redis is None else ["--redis", plan.redis]
    workers = [] if plan.workers is None else ["--workers", str(plan.workers)]
    return ["clients.command", "serve", "--no-bots", "--port", "0", *limits, *store, *workers]


class _Course:
    def __init__(self, plan: Plan, real: Server, core: int) -> None:
        self._plan = plan
        self._real = real
        self._core = core
        self._load = Load(Wire(), real.port)

    def run(self) -> dict[str, float | None]:
        memory = self._fill()
        gc.collect()
        gc.freeze()
        gc.disable()  # its pauses would count as the server's
        pace.flow(self._load, self._real, WARM_UP_SECONDS)
        tally = self._load.tally
        view_bytes = tally.view_bytes // max(1, tally.views)
        self._load.tally = Tally()
        if self._plan.rate is None:
            with Server("bare server", ["clients.bench.load.fanout"], self._core) as bare:
                speed = self._side_by_side(bare, view_bytes)
        else:
            speed = self._at_rate(self._plan.rate)
        tally = self._load.tally
        return {
            **speed,
            "p50_ms": percentile_ms(tally.latencies, 0.5),
            "p99_ms": percentile_ms(tally.latencies, 0.99),
            **memory,
            "view_bytes": view_bytes,
            "moves": len(tally.latencies),
            "matches": tally.matches,
            "skipped_views": tally.skipped,
        }

    def _fill(self) -> dict[str, float | None]:
        """Connect everybody and begin all matches, and see what memory that takes."""
        plan, load, wire = self._plan, self._load, self._load.wire
        first = Table(load)  # brings into memory what is there only once
        self._wait(lambda: load.here == SEATS, "welcome the first table")
        first.open()
        self._wait(lambda: load.playing == 1, "seat the first table")
        pace.flow(load, self._real, SLICE_SECONDS / 2)
        before = self._real.rss_kib()
        for _ in range(plan.idle):
            Visitor(load)
            wire.turn(0)
        self._wait(lambda: load.here == SEATS + plan.idle, "welcome the idle connections")
        with_idle = self._real.rss_kib()
        others = []
        for _ in range(plan.tables - 1):
            others.append(Table(load))
            wire.turn(0)
        self._wait(lambda: load.here == SEATS * plan.tables + plan.idle, "welcome all players")
        with_players = self._real.rss_kib()
        for table in others:
            table.open()
            wire.turn(0)
        dealt = len(load.waiting) + SEATS * len(others)
        self._wait(lambda: len(load.waiting) >= dealt, "deal at all tables")
        with_tables = self._real.rss_kib()
        connections = plan.idle or SEATS * len(others)
        grown = with_idle - before if plan.idle else with_players - with_idle
        return {
            "rss_per_connection_kib": round(grown / connections, 2),
            "rss_per_table_kib": round((with_tables - with_players) / len(others), 2),
        }

    def _side_by_side(self, bare: Server, view_bytes: int) -> dict[str, float | None]:
        """As many moves as can be, and the same load on the bare server, in turns."""
        load = Load(self._load.wire, bare.port)
        groups.connect(load, self._plan.tables, MOVE_BYTES, view_bytes)
        try:
            pace.flow(load, bare, WARM_UP_SECONDS / 2)
            pairs = max(1, round(self._plan.seconds / 2 / SLICE_SECONDS))
            seconds = self._plan.seconds / 2 / pairs
            slices = [
                (pace.flow(self._load, self._real, seconds), pace.flow(load, bare, seconds)) for _ in range(pairs)
            ]
        finally:
            load.wire.close()
        ours, theirs = zip(*slices, strict=True)
        return {**ratios(ours, theirs), **summary(ours), **summary(theirs, "baseline_")}

    def _at_rate(self, rate: float) -> dict[str, float | None]:
        """So many moves a second, whatever comes back."""
        try:
            found = pace.at_rate(self._load, self._real, rate, self._plan.seconds)
        finally:
            self._load.wire.close()
        late = percentile_ms(self._load.tally.late, 0.99)
        return {"baseline_moves_per_s": None, "ratio": None, **summary([found]), "late_p99_ms": late}

    def _wait(self, reached: Callable[[], bool], what: str) -> None:
        self._load.wire.until(reached, PATIENCE_SECONDS, what)
