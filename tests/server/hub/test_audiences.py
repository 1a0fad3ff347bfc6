"""Who is sent what: everybody what was made for them, the newest, and nothing more once they are gone."""

from typing import Any

from protocol import commands as said
from protocol.options import TableOptions
from protocol.pushes import Done, Presence
from server.store.base import PUBLIC
from server.store.memory import Delivery
from tests.server.hub.house import House, in_play, is_over, told
from tests.server.hub.meddling import Countdown, at, fail, nothing
from tests.server.hub.peers import FakePeer, new_id
from tests.server.hub.test_deadlines import damage
from tests.server.hub.virtual import calm, pass_time, virtual


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
        told_of = peers[1].latest[f"presence {table}"]
        assert isinstance(told_of, Presence)
        assert len(told_of.seats) == 2


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
