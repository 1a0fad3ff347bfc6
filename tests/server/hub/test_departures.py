"""Who goes, or whose table goes: they get no more, and nothing is left of them."""

import asyncio

import pytest

from protocol import commands as said
from protocol.pushes import Closed, Done, View
from server.store.base import PUBLIC
from server.table import acts
from tests.server.hub.house import PRIVATE_PAIR, House, told
from tests.server.hub.meddling import at, nothing
from tests.server.hub.peers import new_id
from tests.server.hub.virtual import calm, pass_time, virtual


@virtual
async def test_who_leaves_gets_no_more() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.seated(ann)
        await bob.do(said.Watch(id=new_id(), table=table))
        await bob.do(said.Leave(id=new_id(), table=table))
        seen = len(bob.every)
        await ann.do(said.AskBot(id=new_id(), table=table))
        await calm()
        assert len(bob.every) == seen
        assert told(house) == {ann.player}


@virtual
async def test_nothing_is_left_of_who_is_gone() -> None:
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob", house.hubs[1])
        second = await house.again(ann)
        table = await house.started(ann, bob)
        await bob.do(said.Watch(id=new_id(), table=await house.seated(ann)))
        assert told(house) == {ann.player}
        await house.hub.gone(ann)
        assert told(house) == {ann.player}
        await house.hub.gone(second)
        await house.hub.gone(second)
        assert told(house) == set()
        assert not house.store.inner._subscriptions._on_entry
        assert not house.hub._tables.hold(table).needed
        await bob.ask(said.Ping(id=new_id()))
        assert told(house, 1) == {bob.player, PUBLIC}
        await house.hubs[1].gone(bob)
        assert told(house, 1) == set()


@virtual
async def test_a_table_that_is_closed_is_shown_once_more_and_let_go() -> None:
    async with House() as house:
        ann = await house.guest("Ann")
        table = await house.seated(ann, options=PRIVATE_PAIR)
        await house.hub.gone(ann)
        await pass_time(400)
        watcher = await house.again(ann)
        await house.hub.gone(watcher)
        await pass_time(661)
        assert house.table(table).status == "closed"
        bob = await house.guest("Bob")
        back = await house.again(ann)
        reply = await back.ask(said.Watch(id=new_id(), table=table))
        assert isinstance(reply, Done)
        assert back.views[table].status == "closed"
        assert back.messages[-1] == Closed(table=table, reason="empty")
        assert not house.hub._tables.hold(table).needed
        assert (await bob.refused(said.Watch(id=new_id(), table=table))).code == "no_such_table"
        assert isinstance(await back.ask(said.Leave(id=new_id(), table=table)), Done)


@virtual
async def test_whoever_is_there_hears_of_the_end_last() -> None:
    """Closed by another process, whose news comes before its views."""
    for hubs in (1, 2):
        async with House(hubs) as house:
            ann = await house.guest("Ann")
            table = await house.seated(ann)
            watcher = await house.guest("Bob")
            await watcher.do(said.Watch(id=new_id(), table=table))
            await close(house, table)
            await calm()
            for peer in (ann, watcher):
                assert peer.views[table].status == "closed"
                assert [message for message in peer.messages if isinstance(message, Closed)] == [
                    Closed(table=table, reason="operator")
                ]
            assert told(house) == set()


async def close(house: House, table: str) -> None:
    await house.hubs[-1]._tables.change(table, lambda at, present, now: (acts.Closed("operator"),), by="server")


@virtual
async def test_a_connection_that_went_while_the_store_was_away_is_let_go_later() -> None:
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.started(ann, bob)
        house.core.failure = "away"
        await house.hub.gone(bob)
        await house.hub.gone(ann)
        assert told(house) == {ann.player, bob.player}
        house.core.failure = None
        await pass_time(6)
        assert told(house) == set()
        assert not house.hub._tables.hold(table).needed


@virtual
async def test_who_leaves_while_they_are_being_let_in_is_gone() -> None:
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.seated(ann)
        gate = asyncio.Event()

        async def wait(name: str) -> None:
            if name in ("follow", "subscribe"):
                await gate.wait()

        house.stores[0].before = wait
        other = await house.again(bob, house.hubs[0])
        watching = asyncio.create_task(house.hub.handle(other, said.Watch(id=new_id(), table=table)))
        await calm()
        watching.cancel()
        gone = asyncio.create_task(house.hub.gone(other))
        await calm()
        gate.set()
        await asyncio.gather(watching, gone, return_exceptions=True)
        await pass_time(6)
        assert told(house) == {ann.player}
        assert other.views == {}


@virtual
async def test_a_record_that_is_deleted_lets_go_of_its_spectators() -> None:
    async with House(retention_ms=120_000) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.over(ann, bob)
        await pass_time(200)
        assert table not in house.core.logs
        assert told(house) == set()
        for command in (said.Watch(id=new_id(), table=table), said.Rematch(id=new_id(), table=table)):
            assert (await ann.refused(command)).code == "no_such_table"
        assert (await house.again(ann)).views == {}


@virtual
async def test_a_table_that_another_process_deleted_is_let_go() -> None:
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.over(ann, bob)
        await house.stores[1].inner.delete(table)
        await pass_time(6)
        assert told(house) == set()
        assert house.hub._tables.held(table) is None


@pytest.mark.slow
@virtual
async def test_who_stays_at_a_table_that_is_over_is_let_go_in_the_end() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.over(ann, bob)
        await pass_time(3000)
        assert told(house) == {ann.player, bob.player}
        await pass_time(1500)
        assert told(house) == set()
        assert house.hub._tables.held(table) is None
        assert isinstance(ann.views[table], View)


@virtual
async def test_a_table_that_is_deleted_while_somebody_is_let_in_is_not_held() -> None:
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob", house.hubs[1])
        table = await house.over(ann, bob)
        cem = await house.guest("Cem", await house.open())

        async def delete(name: str) -> None:
            if name == "follow":
                await house.stores[0].inner.delete(table)

        house.stores[2].before = delete
        await cem.do(said.Watch(id=new_id(), table=table))
        assert cem.views == {}
        assert cem.hub._tables.held(table) is None
        assert told(house, 2) == set()


@virtual
async def test_who_goes_while_their_table_is_loaded_is_shown_nothing() -> None:
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob", house.hubs[1])
        table = await house.seated(ann)
        second = await house.again(bob)

        async def go(name: str) -> None:
            if name == "follow":
                await bob.hub.gone(second)

        house.stores[1].before = go
        await bob.do(said.Sit(id=new_id(), table=table))
        await calm()
        assert bob.views[table].you == 1
        assert second.views == {}
        assert second.id not in bob.hub._tables.hold(table).attachments


@virtual
async def test_the_end_of_a_table_is_shown_even_if_its_last_view_got_lost() -> None:
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob", house.hubs[1])
        table = await house.seated(ann, bob)
        house.core.deliver = lambda delivery: None
        await close(house, table)
        await pass_time(6)
        for peer in (ann, bob):
            assert peer.views[table].status == "closed"
            assert peer.messages[-1] == Closed(table=table, reason="operator")
        assert told(house) == told(house, 1) == set()


@virtual
async def test_who_goes_while_they_are_subscribed_is_shown_nothing() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.seated(ann)
        going: list[asyncio.Task[None]] = []

        async def go(name: str) -> None:
            going.append(asyncio.create_task(house.hub.gone(bob)))
            await calm()

        house.store.before = at("subscribe", go)
        await bob.do(said.Watch(id=new_id(), table=table))
        house.store.before = nothing
        await asyncio.gather(*going)
        assert bob.views == {}
        assert told(house) == {ann.player}
        assert not (await house.store.inner.present(table)).spectators
