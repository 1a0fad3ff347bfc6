"""Every command is carried out once, wherever its first try came to grief.

Each scene is played again and again: its command fails, is cut off, or loses its process at each operation of the store
in turn, before it and after it. Then it is sent again, as clients do.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from itertools import count

import pytest

from protocol import commands as said
from protocol.commands import AnyCommand
from protocol.pushes import Done, Error
from tests.server.hub.house import PRIVATE_PAIR, SLOW_PAIR, House, in_break, in_play
from tests.server.hub.meddling import Countdown, Meddler, fail, nothing
from tests.server.hub.peers import FakePeer, new_id
from tests.server.hub.virtual import calm, virtual


@dataclass
class Scene:
    """Who is about to send what."""

    peer: FakePeer
    command: AnyCommand
    sits: bool = False


Stage = Callable[[House], Awaitable[Scene]]


async def create(house: House) -> Scene:
    return Scene(await house.guest("Ann"), said.Create(id=new_id(), options=PRIVATE_PAIR, bots=1), sits=True)


async def quick_to_a_new_table(house: House) -> Scene:
    return Scene(await house.guest("Ann"), said.Quick(id=new_id(), seats=3), sits=True)


async def quick_to_a_waiting_table(house: House) -> Scene:
    await (await house.guest("Bob")).do(said.Quick(id=new_id(), seats=3))
    return Scene(await house.guest("Ann"), said.Quick(id=new_id(), seats=3), sits=True)


async def quick_past_a_table_that_fills(house: House) -> Scene:
    """The table that the first try chose is full when the second one comes."""
    ann, bob, cem = [await house.guest(name) for name in ("Ann", "Bob", "Cem")]
    waiting = await bob.do(said.Quick(id=new_id(), seats=2))
    assert waiting.table is not None
    command = said.Quick(id=new_id(), seats=2)

    async def hang_there(name: str) -> None:
        if name == "seats_of":
            await house.grave.hang(name)

    house.store.before = hang_there
    first = asyncio.create_task(ann.hub.handle(ann, command))
    await calm()
    await cut(house, ann, first)
    await cem.do(said.Sit(id=new_id(), table=waiting.table))
    return Scene(await house.again(ann), command, sits=True)


async def rematch(house: House) -> Scene:
    ann, bob = await house.guest("Ann"), await house.guest("Bob")
    return Scene(ann, said.Rematch(id=new_id(), table=await house.over(ann, bob)), sits=True)


async def rematch_that_the_other_made(house: House) -> Scene:
    ann, bob = await house.guest("Ann"), await house.guest("Bob")
    table = await house.over(ann, bob)
    await bob.do(said.Rematch(id=new_id(), table=table))
    return Scene(ann, said.Rematch(id=new_id(), table=table), sits=True)


async def sit(house: House) -> Scene:
    ann, bob = await house.guest("Ann"), await house.guest("Bob")
    made = await bob.do(said.Create(id=new_id(), options=PRIVATE_PAIR))
    assert made.table is not None
    return Scene(ann, said.Sit(id=new_id(), table=made.table, invite=made.invite), sits=True)


async def stand_at_a_private_table(house: House) -> Scene:
    bob, ann = await house.guest("Bob"), await house.guest("Ann")
    return Scene(ann, said.Stand(id=new_id(), table=await house.seated(bob, ann, options=PRIVATE_PAIR)))


async def leave_a_private_table(house: House) -> Scene:
    bob, ann = await house.guest("Bob"), await house.guest("Ann")
    return Scene(ann, said.Leave(id=new_id(), table=await house.seated(bob, ann, options=PRIVATE_PAIR)))


async def leave_a_running_match(house: House) -> Scene:
    bob, ann = await house.guest("Bob"), await house.guest("Ann")
    return Scene(ann, said.Leave(id=new_id(), table=await house.started(bob, ann)))


async def ready(house: House) -> Scene:
    bob, ann = await house.guest("Bob"), await house.guest("Ann")
    table = await house.seated(bob, ann)
    await bob.do(said.Ready(id=new_id(), table=table))
    return Scene(ann, said.Ready(id=new_id(), table=table))


async def ask_for_a_bot(house: House) -> Scene:
    ann = await house.guest("Ann")
    return Scene(ann, said.AskBot(id=new_id(), table=await house.seated(ann)))


async def play(house: House) -> Scene:
    ann, bob = await house.guest("Ann"), await house.guest("Bob")
    table = await house.started(ann, bob)
    await house.play(table, ann, bob, until=in_play)
    seat, command = house.next_play(table)
    return Scene((ann, bob)[seat], command)


async def next_round(house: House) -> Scene:
    ann, bob = await house.guest("Ann"), await house.guest("Bob")
    table = await house.started(ann, bob, options=SLOW_PAIR)
    await house.play(table, ann, bob, until=in_break)
    await bob.do(said.Next(id=new_id(), table=table, round=1))
    return Scene(ann, said.Next(id=new_id(), table=table, round=1))


QUICKLY: list[Stage] = [create, quick_to_a_waiting_table, leave_a_private_table, play]
SLOWLY: list[Stage] = [
    quick_to_a_new_table,
    quick_past_a_table_that_fills,
    rematch,
    rematch_that_the_other_made,
    sit,
    stand_at_a_private_table,
    leave_a_running_match,
    ready,
    ask_for_a_bot,
    next_round,
]
STAGES = [*QUICKLY, *(pytest.param(stage, marks=pytest.mark.slow) for stage in SLOWLY)]
MOMENTS = [pytest.param("before", marks=pytest.mark.slow), "after"]


def named(stage: Stage) -> str:
    return stage.__name__


async def cut(house: House, peer: FakePeer, first: "asyncio.Task[None]") -> None:
    """The connection is cut, and what was under way for it."""
    house.store.before = house.store.after = nothing
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    await peer.hub.gone(peer)


def arm(house: House, moment: str, passed: int, act: Meddler, *, once: bool = True) -> Countdown:
    """Something is going to happen at an operation of the store."""
    countdown = Countdown(passed, act, once=once)
    setattr(house.store, moment, countdown)
    return countdown


def disarm(house: House) -> None:
    house.store.before = house.store.after = nothing


async def check_answer(house: House, scene: Scene, peer: FakePeer) -> None:
    """The command succeeds now, was carried out once, and gives the same answer ever after."""
    answer = await peer.do(scene.command)
    player = scene.peer.player
    assert house.carried_out(player, scene.command.id) == 1
    assert await peer.do(scene.command) == answer
    later = await house.again(scene.peer, await house.open())
    assert await later.do(scene.command) == answer, "another process tells it from the log alone"
    assert house.carried_out(player, scene.command.id) == 1
    if scene.sits:
        assert answer.table in house.core.seats[player]
        assert answer.table in {
            mine.table for mine in (await (FakePeer(peer.hub)).hello(None, token=peer.token)).tables
        }
    other = await peer.refused(another(scene.command, answer.table or ""))
    assert other.code == "id_reused"


def another(command: AnyCommand, table: str) -> AnyCommand:
    """Another command with the same id."""
    match command:
        case said.Create():
            return said.Create(id=command.id, options=SLOW_PAIR)
        case said.Quick():
            return said.Quick(id=command.id, seats=5)
        case _:
            return said.Mind(id=command.id, table=table, seat=0)


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("stage", STAGES, ids=named)
@virtual
async def test_a_command_that_fails_at_any_operation_of_the_store(stage: Stage, moment: str) -> None:
    for passed in count():
        async with House() as house:
            scene = await stage(house)
            countdown = arm(house, moment, passed, fail)
            reply = await scene.peer.ask(scene.command)
            await calm()
            disarm(house)
            if not countdown.struck:
                return
            assert isinstance(reply, Done) or (isinstance(reply, Error) and reply.code == "store_down"), reply
            await check_answer(house, scene, scene.peer)


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("stage", STAGES, ids=named)
@virtual
async def test_a_command_whose_connection_is_cut_at_any_operation_of_the_store(stage: Stage, moment: str) -> None:
    for passed in count():
        async with House() as house:
            scene = await stage(house)
            gate: asyncio.Future[None] = asyncio.get_running_loop().create_future()

            async def wait(name: str, gate: "asyncio.Future[None]" = gate) -> None:
                await asyncio.shield(gate)

            countdown = arm(house, moment, passed, wait)
            first = asyncio.create_task(scene.peer.hub.handle(scene.peer, scene.command))
            await calm()
            first.cancel()
            await calm()
            gate.set_result(None)
            await asyncio.gather(first, return_exceptions=True)
            disarm(house)
            await scene.peer.hub.gone(scene.peer)
            if not countdown.struck:
                return
            await check_answer(house, scene, await house.again(scene.peer))


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("stage", STAGES, ids=named)
@virtual
async def test_a_command_whose_process_dies_at_any_operation_of_the_store(stage: Stage, moment: str) -> None:
    for passed in count():
        async with House(hubs=2) as house:
            scene = await stage(house)
            countdown = arm(house, moment, passed, house.grave.hang, once=False)
            first = asyncio.create_task(scene.peer.hub.handle(scene.peer, scene.command))
            await calm()
            if not countdown.struck:
                disarm(house)
                return
            first.cancel()
            await asyncio.gather(first, return_exceptions=True)
            await house.kill(house.hub)
            await check_answer(house, scene, await house.again(scene.peer, house.hub))
