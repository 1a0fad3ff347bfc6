"""One scripted match, played again and again with a connection cut at each of its messages in turn."""

import asyncio
from functools import cache
from itertools import count
from random import Random
from typing import NamedTuple

import pytest

from protocol import commands as said
from protocol.options import TableOptions
from server.hub.ids import Entropy
from server.table.acts import decode_entry
from server.table.fold import Step, fold
from server.table.minder import minded_move
from server.table.record import record
from tests.server.hub.clients import Player
from tests.server.hub.network import Weather, World
from tests.server.hub.virtual import VirtualLoop

STRIDE = 9
OPTIONS = TableOptions(seats=2, move_seconds=None)
Script = dict[tuple[int, int], str]
"""The move of each seat at each of its decisions."""


class Course(NamedTuple):
    """What came of it: the deals and the moves of each seat, the totals, and how many messages were sent.

    Orientations are chosen at the same time, so that their order among the seats is open.
    """

    moves: dict[int | None, list[str]]
    totals: tuple[int, ...] | None
    messages: int


def fixed_entropy() -> Entropy:
    """The same table and the same deals in every course, and whatever else is random new each time."""
    numbers = count(1)

    def draw(size: int) -> bytes:
        return b"\x07" * size if size in (11, 32) else next(numbers).to_bytes(size, "big")

    return draw


class Scripted(Player):
    """Plays by the script; where that says nothing, as the minder would, and writes it down."""

    commits = False
    script: Script

    async def choose(self, table: str, seat: int, decision: int) -> str | None:
        if (seat, decision) not in self.script:
            self.script[seat, decision] = minded_move(steps_of(self.world, table)[-1].table, seat)
        return self.script[seat, decision]


def steps_of(world: World, table: str) -> list[Step]:
    steps: list[Step] = []
    for _, data in world.core.logs[table]:
        steps.append(fold(steps[-1].table if steps else None, decode_entry(data), table))
    return steps


async def course(script: Script, hubs: int, cut_at: int | None) -> Course:
    """Play the match. Returns its moves, its scores and how many messages there were."""
    world = World(Random(1), hubs, Weather(delay=0.05, store_delay=0.01))
    world.entropy = fixed_entropy()
    world.cut_at = cut_at
    try:
        async with asyncio.timeout(3600):
            await world.start()
            ann, bob = players = [Scripted(world, name) for name in ("ann", "bob")]
            for player in players:
                player.script = script
                await player.arrive()
            made = await ann.do(said.Create(id=ann.new_id(), options=OPTIONS))
            assert made.table is not None
            await asyncio.gather(*(player.play(made.table) for player in (ann, bob)))
    except BaseException as wrong:
        raise AssertionError(f"cut at {cut_at}: {wrong!r}\n" + "\n".join(world.trace)) from wrong
    finally:
        await world.stop()
    finished = record(steps_of(world, made.table))
    moves: dict[int | None, list[str]] = {}
    for line in finished.moves:
        moves.setdefault(line.actor, []).append(line.move)
    moves.pop(None)
    return Course(moves, finished.totals, next(world.message))


def played(script: Script, hubs: int, cut_at: int | None) -> Course:
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(course(script, hubs, cut_at))


@cache
def uncut(hubs: int) -> tuple[Script, Course]:
    script: Script = {}
    return script, played(script, hubs, None)


def check(cut_at: int, hubs: int) -> None:
    script, whole = uncut(hubs)
    course = played(script, hubs, cut_at)
    assert (course.moves, course.totals) == (whole.moves, whole.totals)


@pytest.mark.parametrize("hubs", [1, 2])
def test_a_cut_here_and_there_changes_nothing(hubs: int) -> None:
    for message in range(0, uncut(hubs)[1].messages, STRIDE * hubs):
        check(message, hubs)


@pytest.mark.slow
@pytest.mark.parametrize("hubs", [1, 2])
def test_a_cut_at_any_message_changes_nothing(hubs: int) -> None:
    for message in range(uncut(hubs)[1].messages):
        check(message, hubs)
