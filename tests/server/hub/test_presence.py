"""Who is connected, as the others are told."""

from protocol import commands as said
from protocol.pushes import Presence
from tests.server.hub.house import SLOW_PAIR, House, in_break
from tests.server.hub.peers import FakePeer, new_id
from tests.server.hub.virtual import calm, pass_time, virtual


def seen(peer: FakePeer, table: str) -> tuple[tuple[bool, ...], int]:
    told = peer.latest[f"presence {table}"]
    assert isinstance(told, Presence)
    return told.seats, told.spectators


@virtual
async def test_seats_and_spectators_are_counted() -> None:
    async with House() as house:
        ann, bob, cem = [await house.guest(name) for name in ("Ann", "Bob", "Cem")]
        table = await house.seated(ann)
        assert seen(ann, table) == ((True, False), 0)
        await cem.do(said.Watch(id=new_id(), table=table))
        assert seen(ann, table) == seen(cem, table) == ((True, False), 1)
        await cem.do(said.Sit(id=new_id(), table=table))
        await calm()
        assert seen(ann, table) == seen(cem, table) == ((True, True), 0)
        await bob.do(said.Watch(id=new_id(), table=table))
        await cem.do(said.Stand(id=new_id(), table=table))
        await calm()
        assert seen(ann, table) == ((True, False), 2)
        await bob.do(said.Leave(id=new_id(), table=table))
        assert seen(ann, table) == ((True, False), 1)


@virtual
async def test_every_new_connection_is_told_even_if_nothing_has_changed() -> None:
    async with House() as house:
        ann = await house.guest("Ann")
        table = await house.seated(ann)
        second = await house.again(ann)
        assert seen(second, table) == ((True, False), 0)


@virtual
async def test_a_player_is_away_when_the_last_connection_is_gone() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.started(ann, bob)
        second = await house.again(bob)
        await house.hub.gone(bob)
        assert seen(ann, table) == ((True, True), 0)
        await house.hub.gone(second)
        assert seen(ann, table) == ((True, False), 0)
        await house.again(bob)
        assert seen(ann, table) == ((True, True), 0)


@virtual
async def test_the_other_process_tells_within_seconds() -> None:
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob", house.hubs[1])
        table = await house.started(ann, bob)
        await pass_time(6)
        assert seen(ann, table) == seen(bob, table) == ((True, True), 0)
        await house.hubs[1].gone(bob)
        await pass_time(6)
        assert seen(ann, table) == ((True, False), 0)


@virtual
async def test_the_connections_of_a_process_that_died_count_for_fifteen_seconds() -> None:
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob", house.hubs[1])
        table = await house.started(ann, bob, options=SLOW_PAIR)
        await pass_time(6)
        await house.kill(house.hubs[1])
        await pass_time(5)
        assert seen(ann, table) == ((True, True), 0)
        await pass_time(16)
        assert seen(ann, table) == ((True, False), 0)


@virtual
async def test_signs_of_life_go_on_for_as_long_as_the_connection() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.started(ann, bob, options=SLOW_PAIR)
        await pass_time(300)
        assert seen(ann, table) == ((True, True), 0)


@virtual
async def test_a_break_does_not_wait_for_who_has_gone() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.started(ann, bob, options=SLOW_PAIR)
        await house.play(table, ann, bob, until=in_break)
        await ann.do(said.Next(id=new_id(), table=table, round=1))
        assert house.table(table).status == "break"
        await house.hub.gone(bob)
        assert house.table(table).status == "running"


@virtual
async def test_a_break_ends_when_all_who_are_there_have_read() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.started(ann, bob, options=SLOW_PAIR)
        await house.play(table, ann, bob, until=in_break)
        await house.hub.gone(bob)
        assert house.table(table).status == "break"
        await ann.do(said.Next(id=new_id(), table=table, round=1))
        assert house.table(table).status == "running"


@virtual
async def test_a_break_ends_by_itself() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.started(ann, bob, options=SLOW_PAIR)
        await house.play(table, ann, bob, until=in_break)
        await pass_time(19)
        assert house.table(table).status == "break"
        await pass_time(2)
        assert house.table(table).status == "running"
        assert house.entries(table)[-1].by == "server"
