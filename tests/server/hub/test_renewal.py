"""How a process makes sure of what it holds and shows."""

from protocol import commands as said
from server.hub.audiences import TOGETHER
from tests.server.hub.house import SLOW_PAIR, House
from tests.server.hub.meddling import Countdown, MeddledStore, at, fail
from tests.server.hub.peers import FakePeer, new_id
from tests.server.hub.virtual import calm, pass_time, virtual


def tell_of_a_gap(store: MeddledStore) -> None:
    store.inner._on_gap()


async def unheard_move(house: House, table: str, ann: FakePeer, bob: FakePeer) -> tuple[FakePeer, FakePeer]:
    """A move of which the other process is told nothing: who made it, and who does not know of it."""
    house.core.deliver = lambda delivery: None
    seat, play = house.next_play(table)
    mover, other = ((ann, bob), (bob, ann))[seat]
    await mover.do(play)
    return mover, other


@virtual
async def test_what_has_not_changed_is_not_read_again() -> None:
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob", house.hubs[1])
        for _ in range(3):
            await house.started(ann, bob, options=SLOW_PAIR)
        await pass_time(6)
        for store in house.stores:
            store.calls.clear()
        await pass_time(5)
        for store in house.stores:
            assert store.calls.count("heads") == 1
            assert "load" not in store.calls


@virtual
async def test_after_a_gap_everybody_is_shown_the_newest_view_at_once() -> None:
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob", house.hubs[1])
        table = await house.started(ann, bob, options=SLOW_PAIR)
        mover, other = await unheard_move(house, table, ann, bob)
        version = house.table(table).version
        assert other.views[table].version == version - 1
        for store in house.stores:
            tell_of_a_gap(store)
        await calm()
        assert other.views[table].version == mover.views[table].version == version


@virtual
async def test_news_after_a_gap_is_not_put_on_top_of_what_was_known_before() -> None:
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob", house.hubs[1])
        table = await house.seated(ann, bob, options=SLOW_PAIR)
        live = house.hub._tables.hold(table)
        known = live.head
        house.hub._tables.doubt()
        await bob.do(said.Ready(id=new_id(), table=table))
        assert live.head == known
        assert live.stale
        await pass_time(6)
        assert (live.table, live.stale) == (house.table(table), False)


@virtual
async def test_a_renewal_that_the_store_did_not_answer_is_done_again_within_a_second() -> None:
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob", house.hubs[1])
        table = await house.started(ann, bob, options=SLOW_PAIR)
        _, other = await unheard_move(house, table, ann, bob)
        for store in house.stores:
            store.before = at("heads", Countdown(0, fail))
            tell_of_a_gap(store)
        await calm()
        assert other.views[table].version < house.table(table).version
        await pass_time(1.1)
        assert other.views[table].version == house.table(table).version


@virtual
async def test_a_table_that_the_store_cannot_give_now_keeps_no_other_from_being_renewed() -> None:
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob", house.hubs[1])
        tables = [await house.started(ann, bob, options=SLOW_PAIR) for _ in range(2 * TOGETHER)]
        house.core.deliver = lambda delivery: None
        for table in tables:
            seat, play = house.next_play(table)
            await (ann, bob)[seat].do(play)
        for store in house.stores:
            store.before = at("load", Countdown(0, fail))
            tell_of_a_gap(store)
        await calm()
        behind = [
            table for table in tables for guest in (ann, bob) if guest.views[table].version < house.table(table).version
        ]
        assert len(behind) <= len(house.stores)
        await pass_time(1.1)
        assert all(guest.views[table].version == house.table(table).version for table in tables for guest in (ann, bob))
