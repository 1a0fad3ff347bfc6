"""Deadlines are met, whatever is wrong with other tables."""

import pytest

from protocol import commands as said
from protocol.options import TableOptions
from protocol.pushes import Error
from server.hub.deadlines import BATCH
from server.table.acts import SCHEMA, Entry, encode_entry
from tests.server.hub.house import House
from tests.server.hub.meddling import nothing
from tests.server.hub.peers import FakePeer, new_id
from tests.server.hub.virtual import pass_time, virtual

QUICK_PAIR = TableOptions(seats=2, move_seconds=5)

BROKEN = {
    "no entry": b"\xc1",
    "empty": encode_entry(Entry(at=0, by="server", acts=())),
    "newer": encode_entry(Entry(at=0, by="server", acts=(), schema=SCHEMA + 1)),
}


def damage(house: House, table: str, entry: bytes = BROKEN["no entry"]) -> None:
    """Make a table's log unreadable."""
    house.core.logs[table].append((b"x" * 8, entry))
    for hub in house.hubs:
        hub._tables.hold(table).stale = True


@pytest.mark.parametrize("entry", BROKEN.values(), ids=BROKEN)
@virtual
async def test_a_log_that_cannot_be_read_stops_nobody_else(entry: bytes) -> None:
    async with House() as house:
        ann, bob, cem, dan = [await house.guest(name) for name in ("Ann", "Bob", "Cem", "Dan")]
        broken = await house.started(ann, bob, options=QUICK_PAIR)
        damage(house, broken, entry)
        healthy = await house.started(cem, dan, options=QUICK_PAIR)
        reply = await ann.ask(said.Play(id=new_id(), table=broken, decision=1, move="keep"))
        assert isinstance(reply, Error)
        assert reply.code == "internal"
        await pass_time(300)
        assert house.table(healthy).status == "over"
        again = FakePeer(house.hub)
        assert (await again.hello(None, token=ann.token)).tables == ()
        await ann.do(said.Create(id=new_id()))
        assert await house.hub.record(broken, None) is None


@virtual
async def test_many_of_them_do_not_stand_in_the_way() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        cem, dan = await house.guest("Cem"), await house.guest("Dan")
        for number in range(2 * BATCH):
            house.core.standing.deadlines.set(f"{number:012}", 0)
        table = await house.started(ann, bob, options=QUICK_PAIR)
        other = await house.started(cem, dan, options=QUICK_PAIR)
        await pass_time(7)
        for each in (table, other):
            assert house.table(each).seats[0].minded


@virtual
async def test_what_fails_is_tried_less_and_less_often() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        damage(house, await house.started(ann, bob, options=QUICK_PAIR))
        await house.hub.gone(ann)
        await house.hub.gone(bob)
        await pass_time(60)
        house.store.calls.clear()
        await pass_time(540)
        assert house.store.calls.count("load") < 20
        assert house.store.calls.count("due") <= 6 * 540, "and the hub does not run hot"


@virtual
async def test_a_table_that_is_mended_goes_on() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.started(ann, bob, options=QUICK_PAIR)
        damage(house, table)
        await pass_time(30)
        house.core.logs[table].pop()
        await pass_time(60)
        assert house.table(table).seats[0].minded


@virtual
async def test_a_deadline_that_another_process_set_is_met() -> None:
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.started(ann, bob, options=QUICK_PAIR)
        await house.kill(house.hub)
        await pass_time(5.5)
        assert house.table(table).seats[0].minded


@virtual
async def test_the_store_may_go_away_in_the_middle() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.started(ann, bob, options=QUICK_PAIR)

        async def away(name: str) -> None:
            if name == "commit":
                house.core.failure = "away"

        house.store.before = away
        await pass_time(6)
        house.store.before = nothing
        house.core.failure = None
        await pass_time(3)
        assert house.table(table).seats[0].minded


@virtual
async def test_a_deadline_is_left_to_the_process_that_has_the_players() -> None:
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.started(ann, bob, options=QUICK_PAIR)
        for store in house.stores:
            store.calls.clear()
        await pass_time(30)
        assert house.table(table).version > 20
        assert "commit" not in house.stores[1].calls
        assert "load" not in house.stores[1].calls


@virtual
async def test_a_table_that_nobody_is_connected_to_is_seen_to_all_the_same() -> None:
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.started(ann, bob, options=QUICK_PAIR)
        await house.kill(house.hubs[0])
        before = house.table(table).version
        await pass_time(60)
        assert house.table(table).version > before + 20
