"""A store that comes back without steps that it had stored: tables end with a reason, and none goes two ways.

As after a failover, or when an older copy was put in place.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from protocol import commands as said
from protocol.pushes import AnyMessage, Closed
from server.store.base import GRACE_MS
from server.table.acts import Closed as Closing
from tests.server.hub.house import SLOW_PAIR, House, is_over
from tests.server.hub.peers import FakePeer, new_id
from tests.server.hub.virtual import calm, clock, pass_time, virtual


@asynccontextmanager
async def a_match() -> AsyncIterator[tuple[House, str, FakePeer, FakePeer]]:
    """Ann and Bob at two hubs, in the middle of a match."""
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob", house.hubs[1])
        table = await house.started(ann, bob, options=SLOW_PAIR)
        for _ in range(3):
            seat, play = house.next_play(table)
            await (ann, bob)[seat].do(play)
        yield house, table, ann, bob


def closings(peer: FakePeer) -> list[AnyMessage]:
    return [message for message in peer.messages if isinstance(message, Closed)]


@pytest.mark.parametrize("lost", [1, 2, 3])
@virtual
async def test_all_are_told_that_the_table_is_closed(lost: int) -> None:
    async with a_match() as (house, table, ann, bob):
        del house.core.logs[table][-lost:]
        await pass_time(6)
        assert house.table(table).closed == "store"
        assert closings(ann) == closings(bob) == [Closed(table=table, reason="store")]


@virtual
async def test_nothing_but_the_end_follows_on_what_is_left() -> None:
    """The move that comes first would be legal there."""
    async with a_match() as (house, table, ann, bob):
        left = house.core.logs[table][:-1]
        del house.core.logs[table][-1]
        seat, play = house.next_play(table)
        assert (await (ann, bob)[seat].refused(play)).code == "table_closed"
        await calm()
        assert house.core.logs[table][:-1] == left
        assert house.entries(table)[-1].acts == (Closing("store"),)


@virtual
async def test_who_knew_nothing_of_it_may_have_gone_on_already() -> None:
    async with a_match() as (house, table, ann, bob):
        version = house.table(table).version
        del house.core.logs[table][-1]
        late = await house.open()
        cem = await house.again((ann, bob)[house.next_play(table)[0]], late)
        await cem.do(house.next_play(table)[1])
        assert house.table(table).version == version, "as long as what was lost"
        await pass_time(6)
        assert house.table(table).closed == "store"


@virtual
async def test_news_of_another_step_tells_of_the_loss() -> None:
    async with a_match() as (house, table, _, bob):
        live = house.hub._tables.hold(table)
        table_before = live.table
        house.hub._tables.on_entry(table, live.head._replace(id=b"another"), b"of another history")
        assert live.stale
        assert (await house.hub._tables.live(table)).table == table_before, "it was a lie: the store knows ours"
        del bob


@virtual
async def test_a_store_that_comes_back_empty() -> None:
    async with a_match() as (house, table, ann, bob):
        house.core.logs.clear()
        await pass_time(6)
        assert closings(ann) == closings(bob) == [Closed(table=table, reason="store")]
        assert (await ann.refused(said.Legal(id=new_id(), table=table))).code == "no_such_table"
        assert house.hub._tables.held(table) is None
        assert table not in house.core.logs


@virtual
async def test_a_match_that_is_over_stays_over() -> None:
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob", house.hubs[1])
        table = await house.over(ann, bob)
        await ann.do(said.Rematch(id=new_id(), table=table))
        del house.core.logs[table][-1]
        await pass_time(6)
        assert is_over(house.table(table))
        assert closings(ann) == closings(bob) == []


@virtual
async def test_after_an_outage_unknown_tables_are_left_alone_for_a_moment() -> None:
    async with a_match() as (house, table, ann, bob):
        house.core.grace_until = clock() + GRACE_MS
        await pass_time(0.1)
        late = await house.open()
        seat, play = house.next_play(table)
        again = await house.again((ann, bob)[seat], late)
        refused = await again.refused(play)
        assert (refused.code, refused.after_ms) == ("store_down", 900)
        await pass_time(0.9)
        await again.do(play)


@virtual
async def test_known_tables_go_on_at_once_after_an_outage() -> None:
    async with a_match() as (house, table, ann, bob):
        await pass_time(1)
        house.core.grace_until = clock() + GRACE_MS
        seat, play = house.next_play(table)
        await (ann, bob)[seat].do(play)
