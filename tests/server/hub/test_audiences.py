"""Who is sent what: everybody what was made for them, the newest, and nothing more once they are gone."""

import asyncio
from typing import Any

import pytest

from protocol import commands as said
from protocol.options import TableOptions
from protocol.pushes import Closed, Done, View
from server.store.base import PUBLIC
from server.store.memory import Delivery
from server.table import acts
from tests.server.hub.house import PRIVATE_PAIR, House, in_play, is_over
from tests.server.hub.meddling import Countdown, at, fail
from tests.server.hub.peers import FakePeer, new_id
from tests.server.hub.test_deadlines import damage
from tests.server.hub.virtual import calm, pass_time, virtual


def told(house: House, index: int = 0) -> set[str]:
    """The audiences whose views a store hands to its hub."""
    return {audience for _, audience in house.stores[index].inner._subscriptions._on_view}


@virtual
async def test_the_view_follows_the_reply() -> None:
    """For whoever creates, sits down or watches."""

    class Recorder(FakePeer):
        def __init__(self, hub: Any) -> None:
            super().__init__(hub)
            self.order: list[str] = []

        def send(self, message: Any) -> None:
            super().send(message)
            self.order.append(type(message).__name__)

        def send_view(self, table: str, version: int, seated: bool, frame: bytes) -> None:
            super().send_view(table, version, seated, frame)
            self.order.append("View")

    async with House() as house:
        peer = Recorder(house.hub)
        await peer.hello("Ann")
        await peer.do(said.Create(id=new_id()))
        assert peer.order == ["Session", "Done", "View"]


@virtual
async def test_a_spectator_who_sits_down_gets_the_views_of_the_seat() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.seated(ann)
        await bob.do(said.Watch(id=new_id(), table=table))
        assert bob.views[table].you is None
        await bob.do(said.Sit(id=new_id(), table=table))
        await calm()
        assert bob.views[table].you == 1
        assert told(house) == {ann.player, bob.player}
        await bob.do(said.Stand(id=new_id(), table=table))
        await calm()
        assert bob.views[table].you is None
        assert told(house) == {ann.player, PUBLIC}


@virtual
async def test_all_connections_of_a_player_see_the_same() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        second = await house.again(ann)
        table = await house.started(ann, bob)
        third = await house.again(ann)
        await house.play(table, ann, bob, until=in_play)
        assert ann.views[table] == second.views[table] == third.views[table]
        assert ann.views[table].you == 0
        await house.hub.gone(ann)
        await house.play(table, second, bob, until=is_over)
        assert second.views[table] == third.views[table]
        assert second.views[table].status == "over"


@virtual
async def test_a_late_view_of_a_former_seat_is_kept_from_the_spectator() -> None:
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.seated(ann, bob)
        late: list[Delivery] = []

        def hold_back(delivery: Delivery) -> None:
            if delivery.audience == bob.player:
                late.append(delivery)
            else:
                delivery.hand_over()

        house.core.deliver = hold_back
        await ann.do(said.Ready(id=new_id(), table=table))
        await bob.do(said.Stand(id=new_id(), table=table))
        await calm()
        seen = len(bob.every)
        assert late
        for delivery in late:
            delivery.hand_over()
        assert len(bob.every) == seen
        assert bob.views[table].you is None


@virtual
async def test_seats_that_are_renumbered_at_the_start_keep_their_views() -> None:
    """Quick match starts without the first seat, which was not ready; the others move up."""
    async with House() as house:
        peers = [await house.guest(name) for name in ("Ann", "Bob", "Cem")]
        for peer in peers:
            made = await peer.do(said.Quick(id=new_id(), seats=3))
        assert made.table is not None
        table = made.table
        for peer in peers[1:]:
            await peer.do(said.Ready(id=new_id(), table=table))
        await pass_time(11)
        state = house.table(table)
        assert [seat.player for seat in state.seats] == [peers[1].player, peers[2].player]
        assert [peer.views[table].you for peer in peers] == [None, 0, 1]
        for seat, peer in enumerate(peers[1:]):
            view = peer.views[table]
            assert view.game is not None
            assert view.game.hand == state.rules.observe(state.game, seat).hand
        assert peers[0].views[table].game is not None
        assert len(peers[1].latest[f"presence {table}"].seats) == 2  # type: ignore[union-attr]


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
async def test_a_connection_that_could_not_be_shown_its_table_is_shown_it_later() -> None:
    for hubs in (1, 2):
        for passed in range(40):
            async with House(hubs) as house:
                ann, bob = await house.guest("Ann"), await house.guest("Bob")
                table = await house.seated(ann)
                made = len(house.store.calls)
                countdown = Countdown(passed, fail, once=False)
                watch = said.Watch(id=new_id(), table=table)
                house.store.before = countdown
                reply = await bob.ask(watch)
                await calm()
                house.store.before = Countdown(0, nothing)
                if not countdown.struck:
                    assert len(house.store.calls) > made
                    break
                await ann.do(said.AskBot(id=new_id(), table=table))
                await pass_time(6)
                if isinstance(reply, Done):
                    assert bob.views[table].version == house.table(table).version
                    await ann.do(said.Ready(id=new_id(), table=table))
                    assert bob.views[table].version == house.table(table).version, "and every later one at once"
                else:
                    assert isinstance(await bob.ask(watch), Done)
                await house.hub.gone(bob)
                await house.hub.gone(ann)
                assert told(house) == set()
        else:
            raise AssertionError("there is no end to it")


async def nothing(name: str) -> None: ...


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
async def test_a_seat_that_is_given_up_elsewhere_moves_the_connection_here() -> None:
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.seated(ann, bob, options=TableOptions(seats=3))
        bob_there = await house.again(bob, house.hubs[1])
        await bob_there.do(said.Stand(id=new_id(), table=table))
        await calm()
        assert bob.views[table].you is None
        assert told(house) == {ann.player, PUBLIC}


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
async def test_a_view_of_a_table_that_is_not_held_goes_nowhere() -> None:
    async with House() as house:
        house.hub._audiences.on_view("0" * 12, PUBLIC, 1, b"")
        await house.hub._audiences.detach("0" * 12, await house.guest("Ann"))


@virtual
async def test_trouble_with_one_table_keeps_no_other_from_being_renewed() -> None:
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob", house.hubs[1])
        first, second = await house.seated(ann, bob), await house.seated(ann, bob)
        house.core.deliver = lambda delivery: None
        for table in (first, second):
            await ann.do(said.Ready(id=new_id(), table=table))
        damage(house, first)
        house.hub._tables.hold(first).table = None
        await pass_time(6)
        assert bob.views[second].version == house.table(second).version == 3


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
async def test_who_could_not_be_subscribed_is_subscribed_later() -> None:
    async with House() as house:
        ann = await house.guest("Ann")
        house.store.before = at("subscribe", fail)
        table = (await ann.do(said.Create(id=new_id(), seat=None))).table or ""
        house.store.before = nothing
        assert told(house) == set()
        await pass_time(6)
        await ann.do(said.AskBot(id=new_id(), table=table))
        assert ann.views[table].version == 2


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
