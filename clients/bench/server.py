"""``bigtop bench server``: how many moves a second a server on one core of this machine carries.

It starts a server on a core of its own, with the durable settings, and plays at many tables at once from another core.
In turns with it, a bare fan-out server on the same core is put under the same load: the ratio tells what the rules, the
store and the checks cost, whatever the machine. With Redis, there is also a bare loop of the same commits, and with
several workers also a server with one. With --rate, so many moves are sent whatever comes back, and there is nothing to
compare with: what counts is how long they take.
"""

import argparse
import json
import sys
from typing import TYPE_CHECKING, Final

from clients.bench.load.course import OWN_REDIS, Plan, measure
from clients.bench.load.errors import BenchError
from clients.running import complain

if TYPE_CHECKING:
    Benches = argparse._SubParsersAction[argparse.ArgumentParser]

TEXTS: Final = {
    "moves_per_s": "moves a second, each seen by four seats",
    "baseline_moves_per_s": "the same of a bare fan-out server",
    "ratio": "ratio of the two",
    "steady_slices": "pairs of slices in which both servers used their core",
    "cpu_ratio": "ratio of the processor time that a move costs",
    "cpu_moves_per_s": "moves for a second of the server's processor time",
    "redis_baseline_moves_per_s": "commits a second of a bare loop over the same Redis",
    "redis_ratio": "the server's part of that",
    "redis_wide_moves_per_s": "commits a second of that loop over as many connections as the server has",
    "one_worker_cpu_moves_per_s": "moves for a second of processor time, with one worker",
    "workers_ratio": "with all workers, as a part of that",
    "sends_per_s": "views a second",
    "p50_ms": "ms from sending a move to its last view, median",
    "p99_ms": "ms, 99th percentile",
    "late_p99_ms": "ms by which moves were sent later than planned, 99th percentile",
    "cpu_us_per_move": "microseconds of processor time for a move",
    "baseline_cpu_us_per_move": "the same of the bare server",
    "server_busy": "of its core that the server used",
    "baseline_server_busy": "of its core that the bare server used",
    "generator_busy": "of its core that this program used",
    "baseline_generator_busy": "the same against the bare server",
    "rss_per_connection_kib": "KiB of memory for a connection",
    "rss_per_table_kib": "KiB of memory for a table",
    "view_bytes": "bytes a view, on average",
    "matches": "matches played to their end",
    "skipped_views": "views that were replaced by newer ones before they were sent",
}
UNSTEADY: Final = (
    "bigtop bench: the servers could not use their core, since there were too few tables or other work was in the way:"
    " `ratio` says little, look at `cpu_ratio`."
)


def add(benches: "Benches") -> None:
    parser = benches.add_parser("server", help="a server under load", description=__doc__)
    parser.add_argument("--tables", type=_number(2, 10_000), default=50, metavar="N", help="(default: 50)")
    parser.add_argument(
        "--seconds", type=_amount(3600), default=20.0, metavar="S", help="time under load (default: 20)"
    )
    parser.add_argument(
        "--workers", type=_number(1, 64), default=1, metavar="N", help="how many processes serve (default: 1)"
    )
    parser.add_argument(
        "--redis",
        nargs="?",
        const=OWN_REDIS,
        metavar="URL",
        help="keep the tables in Redis: one that has nothing else to do, as what is played stays there; without URL, "
        "one that is started for this",
    )
    parser.add_argument(
        "--rate", type=_amount(1_000_000), metavar="R", help="send R moves a second, instead of all that can be"
    )
    parser.add_argument(
        "--idle", type=_number(0, 100_000), default=0, metavar="N", help="connections that do nothing besides"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    plan = Plan(
        tables=arguments.tables,
        seconds=arguments.seconds,
        workers=arguments.workers,
        redis=arguments.redis,
        rate=arguments.rate,
        idle=arguments.idle,
    )
    try:
        figures = measure(plan)
    except BenchError as error:
        return complain(error)
    if figures.get("steady_slices") == 0:
        print(UNSTEADY, file=sys.stderr)
    if arguments.json:
        print(json.dumps(figures))
        return 0
    print(f"{plan.tables} tables of four, {plan.seconds:g} s under load, the server on one core")
    for name, text in TEXTS.items():
        value = figures.get(name)
        if value is not None:
            print(f"{value:12,.{3 if value < 10 else 0}f}  {text}")
    return 0


def _number(least: int, most: int) -> "_Amount":
    return _Amount(least, most, whole=True)


def _amount(most: int) -> "_Amount":
    return _Amount(0, most, whole=False)


class _Amount:
    """Reads a number within limits."""

    def __init__(self, least: int, most: int, *, whole: bool) -> None:
        self._least, self._most, self._whole = least, most, whole

    def __call__(self, text: str) -> float:
        """The number that `text` tells."""
        value = int(text) if self._whole else float(text)
        if not self._least <= value <= self._most or (not value and not self._whole):
            raise argparse.ArgumentTypeError(f"from {self._least} to {self._most}")
        return value
