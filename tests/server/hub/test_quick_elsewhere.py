"""Quick match by way of several processes: who comes at the same moment meets."""

import asyncio
from random import Random

import pytest

from protocol import commands as said
from server.hub.matching import FRESH_MS
from tests.server.hub.house import House
from tests.server.hub.meddling import Meddler
from tests.server.hub.peers import FakePeer, new_id
from tests.server.hub.virtual import pass_time, virtual


def at_random(seed: int) -> Meddler:
    random = Random(seed)

    async def wait(name: str) -> None:
        await pass_time(random.uniform(0, 0.01))

    return wait


async def _quick(peer: FakePeer, seats: int | None = None) -> str:
    return (await peer.do(said.Quick(id=new_id(), seats=seats))).table or ""


@pytest.mark.parametrize("seed", range(12))
@virtual
async def test_four_who_come_to_four_processes_meet(seed: int) -> None:
    async with House(hubs=4) as house:
        peers = [await house.guest(name, hub) for name, hub in zip("ABCD", house.hubs, strict=True)]
        for number, store in enumerate(house.stores):
            store.before = store.after = at_random(4 * seed + number)
        tables = await asyncio.gather(*(_quick(peer, 4) for peer in peers))
        assert len(set(tables)) == 1
        assert {seat.player for seat in house.table(tables[0]).seats} == {peer.player for peer in peers}


@virtual
async def test_those_for_whom_there_is_no_seat_meet_at_the_next_table() -> None:
    async with House(hubs=2) as house:
        peers = [await house.guest(str(number), house.hubs[number % 2]) for number in range(9)]
        for number, store in enumerate(house.stores):
            store.before = store.after = at_random(number)
        tables = await asyncio.gather(*(_quick(peer, 3) for peer in peers))
        assert sorted(tables.count(table) for table in set(tables)) == [3, 3, 3]


@virtual
async def test_a_table_that_was_announced_and_never_made_is_made_by_the_next() -> None:
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob", house.hubs[1])

        async def die(name: str) -> None:
            if name == "commit":
                await house.grave.hang(name)

        house.store.before = die
        dying = asyncio.create_task(_quick(ann, 2))
        await pass_time(1)
        table = await _quick(bob, 2)
        assert house.table(table).seat_of(bob.player) == 0
        dying.cancel()
        await house.kill(house.hub)
        again = await house.again(ann, house.hub)
        assert await _quick(again, 2) == table


@virtual
async def test_a_table_whose_people_are_not_there_is_not_chosen_because_it_was_announced() -> None:
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob", house.hubs[1])
        first = await _quick(ann, 2)
        await house.hub.gone(ann)
        await pass_time(FRESH_MS / 1000 + 0.1)
        assert await _quick(bob, 2) != first
