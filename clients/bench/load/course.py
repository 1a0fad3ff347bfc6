"""The course of a measurement: memory first, then slices of load, the real server and the bare ones in turns."""

import gc
import os
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from clients.bench.load import groups, pace
from clients.bench.load.figures import Slice, percentile_ms, ratios, redis_ratios, summary, workers_ratio
from clients.bench.load.played import Played
from clients.bench.load.processes import Server, cores
from clients.bench.load.stores import CommitLoop, OwnRedis, work_like
from clients.bench.load.tables import SEATS
from clients.bench.load.tally import Load
from clients.bench.load.wire import Wire

SLICE_SECONDS: Final = 1.0
WARM_UP_SECONDS: Final = 2.0
SAMPLE_SECONDS: Final = 0.1
"""How long to look at what is published."""
MOVE_BYTES: Final = 100
"""A move's command is about so long."""
SPARE_CONNECTIONS: Final = 64


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure.

    Attributes:
        tables: how many tables play.
        seconds: how long, in all slices together.
        workers: how many processes serve; with more than one they are compared with one.
        redis: the address of the store, or `OWN_REDIS`; `None` for the embedded one.
        rate: moves a second to send, whatever comes back; `None` for as many as can be.
        idle: how many connections do nothing besides.
    """

    tables: int = 50
    seconds: float = 20.0
    workers: int = 1
    redis: str | None = None
    rate: float | None = None
    idle: int = 0


OWN_REDIS: Final = ""
"""A Redis that is started for the measurement, and ended with it."""


def measure(plan: Plan) -> dict[str, float | None]:
    """All figures. Raises `BenchError`."""
    core, own_core = cores()
    allowed = os.sched_getaffinity(0)
    with ExitStack() as stack:
        stack.callback(os.sched_setaffinity, 0, allowed)
        stack.callback(gc.enable)
        stack.callback(gc.unfreeze)
        os.sched_setaffinity(0, {own_core})
        return _Course(plan, core, stack).run()


class _Course:
    """One measurement.

    Args:
        plan: what to measure.
        core: where servers run.
        stack: ends what is begun here.
    """

    def __init__(self, plan: Plan, core: int, stack: ExitStack) -> None:
        self._plan = plan
        self._core = core
        self._stack = stack
        self._redis = plan.redis
        if plan.redis == OWN_REDIS:
            self._redis = stack.enter_context(OwnRedis()).url
        self._real = self._played(plan.workers, plan.idle)

    def run(self) -> dict[str, float | None]:
        """All figures."""
        memory = self._real.fill()
        self._still()
        self._real.flow(WARM_UP_SECONDS)
        before = self._real.fresh()
        view_bytes = before.view_bytes // max(1, before.views)
        speed = self._at_rate(self._plan.rate) if self._plan.rate is not None else self._in_turns(view_bytes)
        tally = self._real.load.tally
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

    def _in_turns(self, view_bytes: int) -> dict[str, float | None]:
        """As many moves as can be, and the same load on everything else that there is to compare with, in turns."""
        plan = self._plan
        sides: dict[str, Callable[[float], Slice]] = {"": self._real.flow, "baseline_": self._bare(view_bytes)}
        if self._redis is not None:
            work = work_like(self._redis, plan.tables, lambda: self._real.flow(SAMPLE_SECONDS))
            loop = self._stack.enter_context(CommitLoop(work, self._core))
            sides |= {"redis_baseline_": loop.flow, "redis_wide_": loop.flow_wide}
        if plan.workers > 1:
            single = self._played(1)
            single.fill()
            self._still()
            sides["one_worker_"] = single.flow
        for flow in sides.values():
            flow(WARM_UP_SECONDS / 2)
        self._real.fresh()
        rounds = max(1, round(plan.seconds / len(sides) / SLICE_SECONDS))
        seconds = plan.seconds / len(sides) / rounds
        turns = [[flow(seconds) for flow in sides.values()] for _ in range(rounds)]
        slices = dict(zip(sides, map(list, zip(*turns, strict=True)), strict=True))
        figures: dict[str, float | None] = {**ratios(slices[""], slices["baseline_"])}
        if "redis_baseline_" in slices:
            figures |= redis_ratios(slices[""], slices["redis_baseline_"])
        if "one_worker_" in slices:
            figures["workers_ratio"] = workers_ratio(slices[""], slices["one_worker_"])
        for prefix, found in slices.items():
            figures |= summary(found, prefix)
        return figures

    def _at_rate(self, rate: float) -> dict[str, float | None]:
        """So many moves a second, whatever comes back."""
        found = pace.at_rate(self._real.load, self._real.server, rate, self._plan.seconds)
        late = percentile_ms(self._real.load.tally.late, 0.99)
        none: dict[str, float | None] = {"baseline_moves_per_s": None, "ratio": None}
        if self._redis is not None:
            none |= {"redis_baseline_moves_per_s": None, "redis_ratio": None}
        return {**none, **summary([found]), "late_p99_ms": late}

    def _played(self, workers: int, idle: int = 0) -> Played:
        """A server with so many workers that does nothing yet."""
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="bigtop-bench-")))
        server = self._stack.enter_context(Server("server", self._serve(workers, idle, folder), self._core))
        played = Played(server, self._plan.tables, idle)
        self._stack.callback(played.close)  # before the server ends, which tells its clients
        return played

    def _serve(self, workers: int, idle: int, folder: Path) -> list[str]:
        """How a server is started: with its durable settings, and no limit that this load could reach."""
        connections = SEATS * self._plan.tables + idle + SPARE_CONNECTIONS
        limits = ["--rate", "100000", "--burst", "100000", "--connections", str(connections)]
        store = ["--store", str(folder / "bench.sqlite")] if self._redis is None else ["--redis", self._redis]
        return ["clients.command", "serve", "--no-bots", "--port", "0", *limits, *store, "--workers", str(workers)]

    def _bare(self, view_bytes: int) -> Callable[[float], Slice]:
        """The load on a bare fan-out server."""
        server = self._stack.enter_context(Server("bare server", ["clients.bench.load.fanout"], self._core))
        load = Load(Wire(), server.port)
        self._stack.callback(load.wire.close)
        groups.connect(load, self._plan.tables, MOVE_BYTES, view_bytes)
        return lambda seconds: pace.flow(load, server, seconds)

    def _still(self) -> None:
        """Collect no garbage from now on: the pauses would count as the server's."""
        gc.collect()
        gc.freeze()
        gc.disable()
