"""Plays for a long time under every kind of fault, and tells what came out.

    python -m tests.faults.soak SECONDS [--json FILE]

Four sites run side by side, each with a Redis, servers and players of its own: two under faults that nobody may notice
for long, one whose Redis loses what it had stored, and one where two processes are always asked at the same moment.
Ends with 1 if a figure is wrong.
"""

import argparse
import asyncio
import json
import math
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random

import msgspec

from tests.faults import arena, duels
from tests.faults.arena import Course
from tests.faults.duels import Duels
from tests.faults.figures import Figures, together
from tests.faults.sleepers import CLOCKS
from tests.faults.twins import SAME_COMMAND, SAME_MOMENT
from tests.faults.verdict import complaints

WHOLE_SECONDS = 600
"""The length of a run of which all is asked."""
WHOLE_MOVES = 100_000
WHOLE_FAULTS = 20
PLAYED_ON = (
    "worker_killed",
    "workers_terminated",
    "workers_exchanged",
    "redis_killed",
    "redis_unreachable",
    "news_cut",
)
FORGOTTEN = ("redis_empty", "redis_older")
MET = (SAME_COMMAND, SAME_MOMENT, CLOCKS)
SHARE = 2
"""How many sites share the faults that are played on under."""
TABLES = 70
THINK_SECONDS = 0.5
WORKERS = 2
SHIFT = 420


async def soak(seconds: float, folder: Path, seed: int) -> tuple[Figures, list[str]]:
    """Run all sites. Returns the figures of all together, and what is wrong with them."""
    rng = Random(seed)
    faults = max(1, math.ceil(WHOLE_FAULTS * seconds / WHOLE_SECONDS))
    share = math.ceil(faults / SHARE)
    busy = [
        Course(f"busy-{number}", PLAYED_ON, share, seconds, TABLES, THINK_SECONDS, WORKERS, (SHIFT,))
        for number in range(SHARE)
    ]
    forgetful = Course("forgetful", FORGOTTEN, faults, seconds, 8, 0.2, 0, (SHIFT, 0))
    meeting = Duels(100 * faults, faults, seconds, pause=0.2)

    async def suffered(course: Course) -> Callable[[], Figures]:
        return (await arena.play(course, folder / course.name, Random(rng.random()))).judged

    async def met() -> Callable[[], Figures]:
        return (await duels.play(meeting, folder / "meeting", Random(rng.random()))).judged

    finished = await asyncio.gather(*map(suffered, (*busy, forgetful)), met())
    found = [figures() for figures in finished]  # once nobody plays any more: judging takes time from the players
    whole = together(found)
    wrong = [
        sentence
        for course, one in zip((*busy, forgetful), found, strict=False)
        for sentence in complaints(one, dict.fromkeys(course.kinds, course.times), forgetful=course is forgetful)
    ]
    wrong += complaints(found[-1], dict.fromkeys(MET, faults))
    wanted = round(WHOLE_MOVES * seconds / WHOLE_SECONDS)
    if whole.moves < wanted:
        wrong.append(f"{whole.moves} acknowledged moves instead of {wanted}")
    return whole, wrong


def tell(found: Figures) -> str:
    """The figures for a person."""
    lines = [
        f"{found.moves:9,}  acknowledged moves in the records",
        f"{found.moves_at_closed_tables:9,}  acknowledged moves at tables that were closed with a reason",
        f"{len(found.lost):9}  moves lost",
        f"{len(found.doubled):9}  moves doubled",
        f"{len(found.forked):9}  tables forked",
        f"{len(found.unfinished):9}  tables that nobody brought to an end",
        f"{len(found.untimely):9}  limits that ran out at another time than was told",
        f"{max(found.longest_pause.values(), default=0.0):9.2f}  s, the longest pause",
        "   faults  longest pause  longest without a server",
    ]
    kinds = sorted({*found.faults, *found.longest_pause})
    for kind in kinds:
        pause, away = found.longest_pause.get(kind), found.longest_away.get(kind)
        lines.append(f"{found.faults.get(kind, 0):9}  {_seconds(pause):>13}  {_seconds(away):>24}  {kind}")
    return "\n".join(lines)


def _seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.2f} s"


def main() -> int:
    parser = argparse.ArgumentParser(prog="soak", description=__doc__)
    parser.add_argument("seconds", type=float)
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="keep logs and notes here")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bigtop-soak-") as temporary:
        found, wrong = asyncio.run(soak(arguments.seconds, arguments.folder or Path(temporary), arguments.seed))
    print(tell(found))
    print("\n".join(f"WRONG: {sentence}" for sentence in wrong), file=sys.stderr, end="\n" if wrong else "")
    figures = {**msgspec.to_builtins(found), "wrong": wrong}
    print(json.dumps(figures))
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=1))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
