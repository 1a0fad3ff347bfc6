"""The store goes away and comes back: everything is refused meanwhile, and goes on afterwards."""

import asyncio

import pytest

from protocol import commands as said
from protocol.commands import AnyCommand
from protocol.pushes import BotWanted, Error, Pong
from server.store.base import Present, StoreError
from server.table import acts
from server.table.state import Table
from tests.server.hub.house import PAIR, SLOW_PAIR, House, in_play
from tests.server.hub.meddling import Countdown, at, fail, nothing
from tests.server.hub.peers import FakePeer, new_id
from tests.server.hub.virtual import calm, pass_time, virtual


def everything(table: str, play: said.Play) -> list[AnyCommand]:
    return [
        said.Lobby(id=new_id(), follow=True),
        said.Create(id=new_id()),
        said.Quick(id=new_id()),
        said.Sit(id=new_id(), table=table),
        said.Stand(id=new_id(), table=table),
        said.Leave(id=new_id(), table=table),
        said.Mind(id=new_id(), table=table, seat=1),
        said.Events(id=new_id(), table=table),
        said.Rematch(id=new_id(), table=table),
        play,
    ]


@pytest.mark.parametrize("hubs", [1, 2])
@virtual
async def test_everything_is_refused_while_the_store_is_away(hubs: int) -> None:
    async with House(hubs) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.started(ann, bob, options=SLOW_PAIR)
        await house.play(table, ann, bob, until=in_play)
        seat, play = house.next_play(table)
        mover = (ann, bob)[seat]
        before = {id: list(log) for id, log in house.core.logs.items()}
        house.core.failure = "away"
        for command in everything(table, play):
            reply = await mover.ask(command)
            # What needs nothing of the store, since it changes nothing, is answered as ever.
            if isinstance(reply, Error) and reply.code == "store_down":
                assert reply.retry
                assert reply.after_ms is not None
            else:
                assert hubs == 1
                assert not isinstance(command, said.Create | said.Quick | said.Events | said.Lobby | said.Play)
        assert isinstance(await mover.ask(said.Ping(id=new_id())), Pong)
        assert (await FakePeer(house.hub).refused(said.Hello(id=new_id()))).code == "store_down"
        assert await house.hub.check() == "away"
        for asking in (house.hub.lobby(), house.hub.record(table, None), house.hub.record(table, mover.token)):
            with pytest.raises(StoreError):
                await asking
        assert before == house.core.logs
        await pass_time(100)
        house.core.failure = None
        await pass_time(1)
        assert await house.hub.check() is None
        await mover.do(play)
        assert house.carried_out(mover.player, play.id) == 1


@virtual
async def test_the_background_work_survives_an_outage() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        bot = await house.guest("Bot", bot=True)
        await bot.do(said.ServeBots(id=new_id(), levels=("x",)))
        await ann.ask(said.Lobby(id=new_id(), follow=True))
        table = await house.started(ann, bob)
        house.core.failure = "away"
        await pass_time(130)
        house.core.failure = None
        bob.latest.clear()
        ann.latest.clear()
        await ann.do(said.Create(id=new_id(), options=PAIR, bots=1))
        await pass_time(10)
        assert house.table(table).seats[0].minded, "the deadlines"
        assert any(isinstance(message, BotWanted) for message in bot.messages), "the offers"
        assert "lobby" in ann.latest, "the lobby"
        await house.hub.gone(ann)
        await pass_time(6)
        assert f"presence {table}" in bob.latest, "the signs of life"
        await house.hub.gone(bob)
        await pass_time(800)
        assert not house.core.standing.unfinished, "the sweeping"


@virtual
async def test_a_store_that_cannot_be_opened_fails_the_start() -> None:
    house = House()
    house.core.failure = "no store"
    with pytest.raises(StoreError):
        await house.open()


@virtual
async def test_a_mistake_is_answered_and_stays_alone() -> None:
    """Whatever is wrong with the server, the command gets an answer and the next one is carried out."""

    async def go_wrong(name: str) -> None:
        raise ZeroDivisionError("a mistake")

    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.seated(ann)
        house.store.before = at("commit", go_wrong)
        assert (await ann.refused(said.AskBot(id=new_id(), table=table))).code == "internal"
        house.store.before = at("subscribe", go_wrong)
        await bob.do(said.Watch(id=new_id(), table=table))
        house.store.before = nothing
        await ann.do(said.AskBot(id=new_id(), table=table))
        await pass_time(6)
        assert bob.views[table].version == house.table(table).version
        house.store.before = go_wrong
        await pass_time(70)
        await house.hub.gone(bob)
        house.store.before = nothing
        await pass_time(70)
        await house.again(bob)
        await ann.ask(said.Lobby(id=new_id(), follow=True))
        cem, bot = await house.guest("Cem"), await house.guest("Bot", bot=True)
        await bot.do(said.ServeBots(id=new_id(), levels=("x",)))
        running = await house.started(ann, cem)
        await ann.do(said.Create(id=new_id(), options=PAIR, bots=1))
        await pass_time(61)
        assert house.table(running).seats[0].minded, "the deadlines"
        assert "lobby" in ann.latest, "the lobby"
        assert any(isinstance(message, BotWanted) for message in bot.messages), "the offers"
        await house.hub._tables.change(running, close, by="server")
        for peer in list(house.hub._connections.values()):
            await house.hub.gone(peer.peer)
        await pass_time(720)
        assert list(house.core.standing.unfinished) == [], "the sweeping"


def close(table: Table, present: Present, now: int) -> tuple[acts.AnyAct, ...]:
    return (acts.Closed("operator"),)


@virtual
async def test_a_command_whose_commit_is_under_way_when_its_connection_is_cut() -> None:
    """The commit is brought to its end, and the hub knows of it at once: it refuses nobody for what was before."""
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.started(ann, bob, options=SLOW_PAIR)
        await house.play(table, ann, bob, until=in_play)
        seat, play = house.next_play(table)
        mover, other = ((ann, bob), (bob, ann))[seat]
        gate = asyncio.Event()

        async def wait(name: str) -> None:
            if name == "commit":
                await gate.wait()

        house.store.before = wait
        playing = asyncio.create_task(mover.hub.handle(mover, play))
        await calm()
        playing.cancel()
        await calm()
        assert playing.cancelled()
        await mover.hub.gone(mover)
        gate.set()
        await calm()
        live = house.hub._tables.hold(table)
        assert (live.stale, live.lock.locked()) == (False, False)
        assert live.table == house.table(table)
        assert other.views[table].version == house.table(table).version
        assert (await (await house.again(mover)).do(play)).version == house.table(table).version


@virtual
async def test_a_commit_that_was_stored_although_it_failed_is_known_to_the_next_one() -> None:
    async with House() as house:
        ann, bob, cem = await house.guest("Ann"), await house.guest("Bob"), await house.guest("Cem")
        table = await house.seated(ann, bob)
        house.store.after = at("commit", fail)
        assert (await bob.refused(said.Stand(id=new_id(), table=table))).code == "store_down"
        house.store.after = nothing
        assert (await cem.do(said.Sit(id=new_id(), table=table))).seat == 1


@virtual
async def test_every_operation_of_every_command_may_fail() -> None:
    """One after the other: nothing but `store_down` is ever answered, and all is well afterwards."""
    for passed in range(200):
        async with House() as house:
            countdown = Countdown(passed, fail)
            house.store.after = countdown
            ann, bob = FakePeer(house.hub), FakePeer(house.hub)
            for peer in (ann, bob):
                while not peer.player:
                    await tried(peer, said.Hello(id=new_id(), name="Somebody"))
            made = await done(ann, said.Create(id=new_id(), options=SLOW_PAIR))
            for command in (
                said.Sit(id=new_id(), table=made),
                said.Ready(id=new_id(), table=made),
            ):
                await done(bob, command)
            await done(ann, said.Ready(id=new_id(), table=made))
            seat, play = house.next_play(made)
            await done((ann, bob)[seat], play)
            await pass_time(6)
            version = house.table(made).version
            assert version == 5
            assert ann.views[made].version == bob.views[made].version == version
            assert (ann.views[made].you, bob.views[made].you) == (0, 1)
            house.store.after = nothing
            if not countdown.struck:
                return
    raise AssertionError("there is no end to it")


async def tried(peer: FakePeer, command: said.Hello) -> None:
    reply = await peer.ask(command)
    if not isinstance(reply, Error):
        peer.player = getattr(reply, "player", "")
    else:
        assert reply.code == "store_down"


async def done(peer: FakePeer, command: AnyCommand) -> str:
    reply = await peer.ask(command)
    if isinstance(reply, Error):
        assert reply.code == "store_down"
        reply = await peer.do(command)
    return getattr(reply, "table", None) or ""
