"""One site under faults: its servers, its crowd, the faults one after the other, and the judgement at the end."""

import asyncio
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import NamedTuple

import httpx
import msgspec

from tests.faults.crowd import Plan, sizes
from tests.faults.figures import Figures, figures
from tests.faults.inject import Fault, Injector
from tests.faults.notebook import Match, Note, read_notes
from tests.faults.site import Site

WARM_UP_SECONDS = 2.0
FETCHES = 30
"""How often a record is asked for from a server that is busy."""
FINISH_SECONDS = 180.0
"""How long the last matches may take to their end."""
BREATH_SECONDS = 1.5
"""What at least lies between two faults, so that a pause belongs to one of them."""


@dataclass(frozen=True)
class Course:
    """What a site goes through.

    Attributes:
        name: of the site.
        kinds: the kinds of faults.
        times: how often each of them comes.
        seconds: over how long a time they are spread; more where they take longer.
        tables: how many tables play.
        think: seconds that a player thinks on average.
        workers: how many processes share one address.
        shifts: for each other machine, by how many seconds its clock is wrong.
    """

    name: str
    kinds: tuple[str, ...]
    times: int
    seconds: float
    tables: int
    think: float
    workers: int
    shifts: tuple[int, ...]


class Played(NamedTuple):
    """What was left of a course."""

    notes: list[Note]
    faults: list[Fault]
    records: dict[str, str]

    def judged(self) -> Figures:
        """The figures; this takes a while, and all processors."""
        return figures(self.notes, self.faults, self.records)


async def play(course: Course, folder: Path, rng: Random) -> Played:
    """Go through a course."""
    async with Site(folder, course.workers, course.shifts).running() as site:
        notes_file = folder / "notes.jsonl"
        plan = Plan(site.addresses, sizes(course.tables), course.think, str(notes_file), rng.randrange(10**9))
        async with _crowd(plan, folder) as crowd:
            await asyncio.sleep(WARM_UP_SECONDS)
            faults = await _suffer(course, Injector(site, rng), rng)
            (folder / "faults.json").write_bytes(msgspec.json.encode(faults))
            await _finish(crowd)
        notes = list(read_notes(notes_file))
        records = await fetch_records(site, [note.table for note in notes if isinstance(note, Match)])
    return Played(notes, faults, records)


async def _suffer(course: Course, injector: Injector, rng: Random) -> list[Fault]:
    """All faults, in some order, evenly over the time."""
    kinds = [*course.kinds] * course.times
    rng.shuffle(kinds)
    began = time.monotonic()
    for number, kind in enumerate(kinds):
        wait = began + number * course.seconds / len(kinds) - time.monotonic()
        await asyncio.sleep(max(BREATH_SECONDS, wait))
        await injector.inject(kind)
    await asyncio.sleep(max(WARM_UP_SECONDS, began + course.seconds - time.monotonic()))
    return injector.faults


@asynccontextmanager
async def _crowd(plan: Plan, folder: Path) -> AsyncIterator[Process]:
    """A crowd; it ends with this, whatever happens."""
    file = folder / "plan.json"
    file.write_bytes(msgspec.json.encode(plan))
    with (folder / "crowd.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.faults.crowd", str(file), stdin=PIPE, stdout=log, stderr=log
        )
        try:
            yield process
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()


async def _finish(crowd: Process) -> None:
    assert crowd.returncode is None, "the crowd did not stay to the end; see its log"
    assert crowd.stdin is not None
    crowd.stdin.write(b"finish\n")
    await crowd.stdin.drain()
    async with asyncio.timeout(FINISH_SECONDS):
        code = await crowd.wait()
    assert code == 0, f"the crowd ended with {code}; see its log"


async def fetch_records(site: Site, tables: Sequence[str]) -> dict[str, str]:
    """The records of those matches that came to their end, fetched as anybody may fetch them."""
    records: dict[str, str] = {}
    limits = httpx.Limits(max_connections=4)
    # However many there are, each waits for its turn; only the server's answer has a limit.
    async with httpx.AsyncClient(limits=limits, timeout=httpx.Timeout(30, pool=None)) as http:

        async def fetch(number: int, table: str) -> None:
            server = site.servers[number % len(site.servers)]
            for _ in range(FETCHES):
                answer = await http.get(f"{server.http}/records/{table}")
                if answer.status_code == httpx.codes.OK:
                    records[table] = answer.text
                if answer.status_code < httpx.codes.INTERNAL_SERVER_ERROR:
                    return
                await asyncio.sleep(1)

        await asyncio.gather(*(fetch(number, table) for number, table in enumerate(tables)))
    return records
