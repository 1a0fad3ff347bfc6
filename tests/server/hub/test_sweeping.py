"""Tables that nobody wants go, records when they are old; nothing else does."""

import pytest

from protocol import commands as said
from protocol.options import TableOptions
from tests.server.hub.house import PAIR, SLOW_PAIR, House, in_play
from tests.server.hub.peers import new_id
from tests.server.hub.virtual import pass_time, virtual

MINUTE = 60
HOUR = 60 * MINUTE


@virtual
async def test_an_empty_table_goes_after_ten_minutes() -> None:
    async with House() as house:
        ann = await house.guest("Ann")
        table = await house.seated(ann)
        await pass_time(15 * MINUTE)
        assert house.table(table).status == "open", "Ann is there"
        await house.hub.gone(ann)
        await pass_time(9 * MINUTE)
        assert house.table(table).status == "open"
        await pass_time(2 * MINUTE + 10)
        assert house.table(table).closed == "empty"


@virtual
async def test_a_spectator_keeps_a_table() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.seated(ann)
        await bob.do(said.Watch(id=new_id(), table=table))
        await house.hub.gone(ann)
        await pass_time(15 * MINUTE)
        assert house.table(table).status == "open"


@pytest.mark.slow
@virtual
async def test_a_match_with_nobody_connected_ends_after_an_hour() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        # The longest limit that is no correspondence: minders would finish the match otherwise.
        table = await house.started(ann, bob, options=TableOptions(seats=2, move_seconds=3599))
        await house.play(table, ann, bob, until=in_play)
        for peer in (ann, bob):
            await house.hub.gone(peer)
        await pass_time(59 * MINUTE)
        assert house.table(table).status == "running"
        await pass_time(3 * MINUTE)
        assert house.table(table).closed == "abandoned"


@pytest.mark.slow
@pytest.mark.parametrize("limit", [None, 86_400])
@virtual
async def test_correspondence_never_goes(limit: int | None) -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        options = TableOptions(seats=2, move_seconds=limit)
        waiting, running = await house.seated(ann, options=options), await house.started(ann, bob, options=options)
        for peer in (ann, bob):
            await house.hub.gone(peer)
        await pass_time(1.5 * HOUR)
        assert house.table(waiting).status == "open"
        assert house.table(running).status == "running"
        assert house.hub._tables.all_held() == [], "they are not kept in memory either"


@pytest.mark.slow
@virtual
async def test_a_correspondence_table_is_loaded_once_to_see_that_it_stays() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        await house.started(ann, bob, options=SLOW_PAIR)
        for peer in (ann, bob):
            await house.hub.gone(peer)
        await pass_time(25 * MINUTE)
        house.store.calls.clear()
        await pass_time(30 * MINUTE)
        assert house.store.calls.count("load") == 0
        assert house.hub._tables.all_held() == []


@pytest.mark.slow
@virtual
async def test_a_restart_gives_everybody_time_to_come_back() -> None:
    async with House() as house:
        ann = await house.guest("Ann")
        table = await house.seated(ann)
        await pass_time(HOUR)
        house.core.presence.forget(table)
        await house.hub.stop()
        house.hubs.clear()
        house.stores.clear()
        await house.open()
        await pass_time(9 * MINUTE)
        assert house.table(table).status == "open"
        await pass_time(3 * MINUTE)
        assert house.table(table).status == "closed"


@virtual
async def test_records_are_kept_for_as_long_as_is_set() -> None:
    async with House(retention_ms=10 * MINUTE * 1000) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.over(ann, bob)
        await pass_time(9 * MINUTE)
        assert await house.hub.record(table, None) is not None
        await pass_time(3 * MINUTE)
        assert await house.hub.record(table, None) is None
        assert table not in house.core.logs
        assert table not in house.core.seats[ann.player]


@virtual
async def test_a_table_that_cannot_be_read_keeps_no_other_one_from_going() -> None:
    async with House() as house:
        ann = await house.guest("Ann")
        tables = [await house.seated(ann) for _ in range(3)]
        house.core.logs[tables[0]].append((b"x" * 8, b"no entry"))
        house.hub._tables.hold(tables[0]).stale = True
        await house.hub.gone(ann)
        await pass_time(12 * MINUTE)
        assert [house.core.standing.unfinished.get(table, "gone") for table in tables] == [None, "gone", "gone"]


@virtual
async def test_a_store_that_goes_away_in_the_middle_is_swept_later() -> None:
    async with House() as house:
        ann = await house.guest("Ann")
        table = await house.seated(ann, options=PAIR)
        await house.hub.gone(ann)
        await pass_time(9.5 * MINUTE)
        house.core.failure = "away"
        await pass_time(2 * MINUTE)
        house.core.failure = None
        await pass_time(MINUTE + 1)
        assert house.table(table).status == "closed"


@virtual
async def test_tables_that_nobody_needs_are_not_kept_in_memory() -> None:
    async with House(retention_ms=10**12) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        for _ in range(3):
            table = await house.over(ann, bob)
            for peer in (ann, bob):
                await peer.do(said.Leave(id=new_id(), table=table))
        assert len(house.hub._tables.all_held()) == 3
        await pass_time(12 * MINUTE)
        assert house.hub._tables.all_held() == []
        assert await house.hub.record(table, None) is not None
