"""Another match with the same seats."""

import asyncio

import pytest

from protocol import commands as said
from protocol.options import TableOptions
from tests.server.hub.house import PRIVATE_PAIR, House
from tests.server.hub.peers import FakePeer, new_id
from tests.server.hub.virtual import calm, pass_time, virtual


async def rematch(peer: FakePeer, table: str) -> tuple[str, int | None]:
    done = await peer.do(said.Rematch(id=new_id(), table=table))
    assert done.table is not None
    return done.table, done.seat


@pytest.mark.parametrize("hubs", [1, 2])
@virtual
async def test_all_who_ask_meet_at_one_table_in_their_old_seats(hubs: int) -> None:
    async with House(hubs) as house:
        ann, bob, cem = [await house.guest(name, house.hubs[i % hubs]) for i, name in enumerate(("Ann", "Bob", "Cem"))]
        old = await house.over(ann, bob, cem, options=TableOptions(seats=3))
        done = await asyncio.gather(*(rematch(peer, old) for peer in (cem, ann, bob, cem)))
        assert len({table for table, _ in done}) == 1
        assert [seat for _, seat in done] == [2, 0, 1, 2]
        new = done[0][0]
        assert house.table(old).rematch == new
        assert ann.views[old].rematch == new or hubs == 2
        await pass_time(6)
        assert ann.views[old].rematch == new
        for peer in (ann, bob, cem):
            await peer.do(said.Ready(id=new_id(), table=new))
        assert house.table(new).status == "running"
        assert house.table(new).seed != house.table(old).seed


@virtual
async def test_the_seats_are_kept() -> None:
    async with House() as house:
        ann, bob, cem = await house.guest("Ann"), await house.guest("Bob"), await house.guest("Cem")
        new, _ = await rematch(ann, await house.over(ann, bob))
        assert house.table(new).creator == ann.player
        await cem.do(said.Watch(id=new_id(), table=new))
        assert cem.views[new].seats[1].reserved == "Bob"
        assert (await cem.refused(said.Sit(id=new_id(), table=new, seat=1))).code == "seat_reserved"
        assert (await bob.do(said.Sit(id=new_id(), table=new))).seat == 1


@virtual
async def test_bots_that_were_asked_for_are_asked_for_again_and_others_are_expected() -> None:
    async with House() as house:
        ann = await house.guest("Ann")
        own, house_bot = await house.guest("Own", bot=True), await house.guest("House", bot=True)
        table = await house.seated(ann, own, options=TableOptions(seats=3))
        await ann.do(said.AskBot(id=new_id(), table=table, level="greedy"))
        await house_bot.do(said.Sit(id=new_id(), table=table, seat=2))
        for peer in (ann, own, house_bot):
            await peer.do(said.Ready(id=new_id(), table=table))
        await house.play(table, ann, own, house_bot, until=lambda state: state.status == "over")
        new, _ = await rematch(ann, table)
        seats = house.table(new).seats
        assert [seat.asked for seat in seats] == [None, None, "greedy"]
        assert seats[1].kept is not None
        assert seats[1].kept.name == "Own"
        assert (await rematch(own, table))[1] == 1
        assert house.table(new).seats[2].asked == "greedy"


@virtual
async def test_a_private_table_has_a_private_rematch_with_another_invite() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        old = await house.over(ann, bob, options=PRIVATE_PAIR)
        new, _ = await rematch(bob, old)
        assert house.table(new).options == PRIVATE_PAIR
        assert house.table(new).invite not in (None, house.table(old).invite)


@virtual
async def test_who_may_not_ask() -> None:
    async with House() as house:
        ann, bob, cem = await house.guest("Ann"), await house.guest("Bob"), await house.guest("Cem")
        running = await house.started(ann, bob)
        assert (await ann.refused(said.Rematch(id=new_id(), table=running))).code == "not_over"
        assert (await cem.refused(said.Rematch(id=new_id(), table=running))).code == "not_seated"


@virtual
async def test_a_rematch_that_nobody_came_to_is_closed() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        old = await house.over(ann, bob)
        new, _ = await rematch(ann, old)
        await house.hub.gone(ann)
        await pass_time(700)
        assert house.table(new).status == "closed"
        assert (await bob.refused(said.Rematch(id=new_id(), table=old))).code == "table_closed"


@virtual
async def test_who_sits_there_already_is_told_so() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        old = await house.over(ann, bob)
        new, _ = await rematch(ann, old)
        await bob.do(said.Sit(id=new_id(), table=new))
        await calm()
        version = house.table(new).version
        assert await rematch(bob, old) == (new, 1)
        assert house.table(new).version == version
