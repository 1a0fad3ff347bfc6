"""A site without outages, where what two processes do in the same moment counts, and what time their clocks show."""

import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.end_to_end.referee import judge_match
from tests.faults.arena import fetch_records
from tests.faults.figures import Figures, add_findings
from tests.faults.notebook import Match
from tests.faults.site import Site
from tests.faults.sleepers import CLOCKS, EARLY_SECONDS, LATE_SECONDS, sleepers_match
from tests.faults.twins import SAME_COMMAND, SAME_MOMENT, twins_match

SHIFTS = (420, -420)
"""By how many seconds the clocks of the two machines are wrong."""


@dataclass(frozen=True)
class Duels:
    """What is to be done.

    Attributes:
        meetings: how many moves at least are sent to two processes as one command, and as many as two commands.
        naps: how many times at least a player's time runs out.
        seconds: how long it goes on at least.
        pause: seconds before each move that is sent twice.
        twins: how many tables are played by players at two machines at once.
        sleepers: how many tables have a player who sleeps.
    """

    meetings: int
    naps: int
    seconds: float
    pause: float = 0.0
    twins: int = 2
    sleepers: int = 3


@dataclass
class _Course:
    duels: Duels
    until: float
    matches: list[Match] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    late: list[float] = field(default_factory=list)

    def over(self, *kinds: str, count: int) -> bool:
        return time.monotonic() >= self.until and all(self.counts[kind] >= count for kind in kinds)

    async def meet(self, servers: list[str], rng: Random) -> None:
        while not self.over(SAME_COMMAND, SAME_MOMENT, count=self.duels.meetings):
            match, sent, wrong = await twins_match(servers, rng, self.duels.pause)
            self.matches.append(match)
            self.counts += sent
            self.wrong += wrong

    async def sleep(self, servers: list[str], rng: Random) -> None:
        while not self.over(CLOCKS, count=self.duels.naps):
            match, late = await sleepers_match(servers, rng, naps=2)
            self.matches.append(match)
            self.counts[CLOCKS] += len(late)
            self.late += late


class Played(NamedTuple):
    """What was left of it."""

    course: _Course
    records: dict[str, str]

    def judged(self) -> Figures:
        """The figures."""
        return _judged(self.course, self.records)


async def play(duels: Duels, folder: Path, rng: Random) -> Played:
    """Have them play."""
    async with Site(folder, 0, SHIFTS).running() as site:
        course = _Course(duels, time.monotonic() + duels.seconds)
        async with asyncio.TaskGroup() as tasks:
            for _ in range(duels.twins):
                tasks.create_task(course.meet(site.addresses, Random(rng.random())))
            for _ in range(duels.sleepers):
                tasks.create_task(course.sleep(site.addresses, Random(rng.random())))
        records = await fetch_records(site, [match.table for match in course.matches])
    return Played(course, records)


def _judged(course: _Course, records: dict[str, str]) -> Figures:
    found = Figures(faults=dict(course.counts), doubled=course.wrong)
    minded = 0
    for match in course.matches:
        if match.table not in records:
            found.lost.append(f"{match.table}: no record")
            continue
        findings = judge_match(match.logs, records[match.table])
        minded += findings.minded
        add_findings(match.table, findings, found)
    if minded != len(course.late):
        found.doubled.append(f"the time ran out {minded} times, and players slept {len(course.late)} times")
    found.untimely = [
        f"a time ran out {late:.2f} s late" for late in course.late if not -EARLY_SECONDS <= late <= LATE_SECONDS
    ]
    return found
