"""Quick match: people meet at a table, and not at one that waits for somebody who has gone."""

import asyncio

from protocol import commands as said
from protocol.options import TableOptions
from protocol.pushes import Done
from tests.server.hub.house import House
from tests.server.hub.meddling import nothing
from tests.server.hub.peers import FakePeer, new_id
from tests.server.hub.virtual import pass_time, virtual


async def quick(peer: FakePeer, seats: int | None = None) -> Done:
    return await peer.do(said.Quick(id=new_id(), seats=seats))


async def guests(house: House, *names: str, bot: bool = False) -> list[FakePeer]:
    return [await house.guest(name, bot=bot) for name in names]


@virtual
async def test_people_meet() -> None:
    async with House() as house:
        ann, bob, cem = await guests(house, "Ann", "Bob", "Cem")
        first = await quick(ann, 3)
        assert (first.seat, ann.views[first.table or ""].quick) == (0, True)
        assert (await quick(bob, 3)).table == (await quick(cem)).table == first.table


@virtual
async def test_two_who_come_at_the_same_moment_meet() -> None:
    async with House() as house:
        peers = await guests(house, "Ann", "Bob", "Cem", "Dan")
        house.store.before = house.store.after = a_moment
        done = await asyncio.gather(*(quick(peer, 4) for peer in peers))
        assert len({answer.table for answer in done}) == 1
        assert {answer.seat for answer in done} == {0, 1, 2, 3}


@virtual
async def test_nobody_is_seated_with_somebody_who_has_gone() -> None:
    async with House() as house:
        ann, bob, cem = await guests(house, "Ann", "Bob", "Cem")
        first = await quick(ann, 3)
        await quick(bob, 3)
        await house.hub.gone(ann)
        await pass_time(1)
        second = await quick(cem, 3)
        assert second.table != first.table
        await house.again(ann)
        assert (await quick((await guests(house, "Dan"))[0], 3)).table == first.table


@virtual
async def test_a_connection_that_is_cut_at_once_is_gone() -> None:
    """Its table is not waited for, although it was never shown to it."""
    async with House() as house:
        ann, bob = await guests(house, "Ann", "Bob")
        working = asyncio.create_task(ann.hub.handle(ann, said.Quick(id=new_id(), seats=2)))

        async def cut(name: str) -> None:
            if name == "beat":
                house.store.after = nothing
                working.cancel()

        house.store.after = cut
        await asyncio.gather(working, return_exceptions=True)
        await house.hub.gone(ann)
        await pass_time(16)
        assert (await quick(bob, 2)).seat == 0


async def a_moment(name: str) -> None:
    await pass_time(0.1 if name == "subscribe" else 0.001)


@virtual
async def test_bots_meet_as_well() -> None:
    async with House() as house:
        bots = await guests(house, "One", "Two", "Three", "Four", bot=True)
        assert len({(await quick(bot)).table for bot in bots}) == 1


@virtual
async def test_a_bot_that_has_gone_keeps_nobody_away_from_the_people_there() -> None:
    async with House() as house:
        [bot] = await guests(house, "Bot", bot=True)
        ann, bob = await guests(house, "Ann", "Bob")
        first = await quick(ann, 3)
        await quick(bot, 3)
        await house.hub.gone(bot)
        assert (await quick(bob, 3)).table == first.table


@virtual
async def test_only_tables_of_quick_match_that_suit_are_chosen() -> None:
    async with House() as house:
        ann, bob = await guests(house, "Ann", "Bob")
        await house.seated(ann, options=TableOptions(seats=3))
        two = await quick(ann, 2)
        four = await quick(bob, 4)
        assert two.table != four.table
        assert house.table(four.table or "").options == TableOptions(seats=4)
        [cem] = await guests(house, "Cem")
        assert (await quick(cem)).table == two.table, "the one that has waited longest"


@virtual
async def test_a_full_table_starts_without_those_who_are_not_ready() -> None:
    async with House() as house:
        peers = await guests(house, "Ann", "Bob", "Cem")
        for peer in peers:
            table = (await quick(peer, 3)).table or ""
        for peer in peers[:2]:
            await peer.do(said.Ready(id=new_id(), table=table))
        await pass_time(9.5)
        assert house.table(table).status == "open"
        await pass_time(0.7)
        assert [seat.name for seat in house.table(table).seats] == ["Ann", "Bob"]
        assert house.table(table).status == "running"
        assert (await quick(peers[2], 3)).table != table


@virtual
async def test_bots_are_offered_to_those_who_have_waited() -> None:
    async with House() as house:
        ann, bob = await guests(house, "Ann", "Bob")
        table = (await quick(ann, 3)).table or ""
        ask = said.AskBot(id=new_id(), table=table)
        assert (await ann.refused(ask)).code == "not_allowed"
        await pass_time(19)
        assert not ann.views[table].bots_offered
        await pass_time(1.5)
        assert ann.views[table].bots_offered
        await ann.do(said.AskBot(id=new_id(), table=table))
        assert (await quick(bob, 3)).table == table
        assert house.table(table).seats[1].asked == ""


@virtual
async def test_the_limit_on_tables_counts_those_that_are_played() -> None:
    async with House() as house:
        ann, bob = await guests(house, "Ann", "Bob")
        for _ in range(50):
            await house.seated(ann)
        for command in (said.Quick(id=new_id()), said.Create(id=new_id())):
            assert (await ann.refused(command)).code == "too_many_tables"
        other = await house.seated(bob)
        sit = said.Sit(id=new_id(), table=other)
        assert (await ann.refused(sit)).code == "too_many_tables"
        await ann.do(said.Stand(id=new_id(), table=ann.every[0].table))
        done = await ann.do(sit)
        assert await ann.do(sit) == done
        assert (await ann.refused(said.Create(id=new_id()))).code == "too_many_tables"


@virtual
async def test_a_command_that_was_carried_out_is_answered_even_at_the_limit() -> None:
    async with House() as house:
        ann = await house.guest("Ann")
        create = said.Create(id=new_id())
        done = await ann.do(create)
        await ann.do(said.Stand(id=new_id(), table=done.table or ""))
        await house.again(ann)
        for _ in range(50):
            await house.seated(ann)
        assert await ann.do(create) == done


@virtual
async def test_a_player_may_play_any_number_of_matches_in_a_row() -> None:
    async with House() as house:
        ann, bob = await guests(house, "Ann", "Bob")
        table = await house.over(ann, bob)
        for number in range(60):
            house.core.seats[ann.player][f"{number:012}"] = None
        assert (await quick(ann)).table != table
        assert len(house.core.seats[ann.player]) <= 2


@virtual
async def test_there_is_no_seat_beyond_the_table() -> None:
    async with House() as house:
        ann = await house.guest("Ann")
        create = said.Create(id=new_id(), options=TableOptions(seats=2), seat=2)
        assert (await ann.refused(create)).code == "no_such_seat"
        assert (await ann.do(said.Create(id=new_id(), options=TableOptions(seats=2), bots=5))).seat == 0
