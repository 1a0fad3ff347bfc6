"""Limits, minders and how a seat comes back to its player."""

import pytest

from protocol import commands as said
from protocol.commands import AnyCommand
from protocol.options import TableOptions
from server.table import acts
from tests.server.hub.house import PAIR, SLOW_PAIR, House, in_play
from tests.server.hub.peers import FakePeer, new_id
from tests.server.hub.virtual import pass_time, virtual

CORRESPONDENCE = TableOptions(seats=2, move_seconds=3600)


async def minded(house: House) -> tuple[str, FakePeer, FakePeer]:
    """A match in which one player's time ran out: the table, that player and the other."""
    ann, bob = await house.guest("Ann"), await house.guest("Bob")
    table = await house.started(ann, bob, options=PAIR)
    await house.play(table, ann, bob, until=in_play)
    [seat] = house.table(table).to_act
    await pass_time(60.5)
    assert house.table(table).seats[seat].minded
    return table, *((ann, bob), (bob, ann))[seat]


def is_minded(house: House, table: str, peer: FakePeer) -> bool:
    state = house.table(table)
    seat = state.seat_of(peer.player)
    assert seat is not None
    return state.seats[seat].minded


@virtual
async def test_the_minder_plays_a_second_after_the_time_ran_out() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.started(ann, bob)
        await house.play(table, ann, bob, until=in_play)
        version = house.table(table).version
        await pass_time(59.9)
        assert house.table(table).version == version
        await pass_time(0.3)
        assert house.entries(table)[-1].acts[0] == acts.Minded(house.table(table).to_act[0], "time")
        await pass_time(1.1)
        moved = house.entries(table)[version + 1].acts[0]
        assert isinstance(moved, acts.Moved)
        assert moved.minder
        assert house.entries(table)[version + 1].by == "minder"


@pytest.mark.parametrize(
    "command",
    [
        said.Ping(id="x"),
        said.Lobby(id="x"),
        said.Hello(id="x"),
        said.Legal(id="x", table="0" * 12),
        said.Create(id="x"),
    ],
)
@virtual
async def test_whatever_a_player_sends_gives_the_seat_back(command: AnyCommand) -> None:
    async with House() as house:
        table, away, _ = await minded(house)
        await away.ask(command)
        assert not is_minded(house, table, away)


@virtual
async def test_coming_back_gives_the_seat_back() -> None:
    async with House() as house:
        table, away, _ = await minded(house)
        await house.hub.gone(away)
        assert is_minded(house, table, away)
        back = await house.again(away)
        assert not is_minded(house, table, away)
        assert back.views[table].seats[back.views[table].you or 0].minded is False


@virtual
async def test_any_connection_of_the_player_gives_the_seat_back() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        second = await house.again(ann)
        table = await house.started(ann, bob)
        await pass_time(60.5)
        assert is_minded(house, table, ann)
        await second.ask(said.Ping(id=new_id()))
        assert not is_minded(house, table, ann)
        assert is_minded(house, table, bob)


@virtual
async def test_a_spectator_gives_nothing_back() -> None:
    async with House() as house:
        table, away, _ = await minded(house)
        watcher = await house.guest("Cem")
        await watcher.do(said.Watch(id=new_id(), table=table))
        await watcher.ask(said.Ping(id=new_id()))
        assert is_minded(house, table, away)


@virtual
async def test_trouble_with_one_table_does_not_refuse_what_is_sent_to_another() -> None:
    async with House() as house:
        table, away, _ = await minded(house)
        other = await house.seated(away)
        broken = house.hub._tables.hold(table)
        assert broken.table is not None
        await pass_time(62)
        assert is_minded(house, table, away)
        house.core.logs[table].append((b"x" * 8, b"no entry"))
        broken.stale = True
        await away.do(said.AskBot(id=new_id(), table=other))
        await pass_time(6)
        await away.do(said.Ready(id=new_id(), table=other))


@virtual
async def test_who_leaves_a_running_match_is_minded_to_the_end() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.started(ann, bob)
        await bob.do(said.Leave(id=new_id(), table=table))
        await bob.ask(said.Ping(id=new_id()))
        await house.again(bob)
        assert is_minded(house, table, bob)
        await ann.do(said.Leave(id=new_id(), table=table))
        await pass_time(400)
        assert house.table(table).status == "over"


@virtual
async def test_minders_alone_finish_a_match_that_everybody_deserted() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.started(ann, bob, options=TableOptions(seats=2, move_seconds=5))
        await house.hub.gone(ann)
        await house.hub.gone(bob)
        await pass_time(600)
        assert house.table(table).status == "over"


@virtual
async def test_two_processes_run_a_limit_out_once() -> None:
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob", house.hubs[1])
        table = await house.started(ann, bob, options=TableOptions(seats=2, move_seconds=5))
        await pass_time(600)
        assert house.table(table).status == "over"
        assert ann.views[table].status == bob.views[table].status == "over"


@virtual
async def test_a_seat_of_a_slow_game_is_minded_by_vote_after_ten_minutes() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.started(ann, bob, options=SLOW_PAIR)
        mind = said.Mind(id=new_id(), table=table, seat=1)
        await pass_time(700)
        assert (await ann.refused(mind)).code == "not_away", "Bob is there"
        await house.hub.gone(bob)
        await pass_time(590)
        refusal = await ann.refused(mind)
        assert refusal.code == "not_away"
        assert refusal.after_ms is not None
        await pass_time(refusal.after_ms / 1000)
        await ann.do(mind)
        assert is_minded(house, table, bob)
        back = await house.again(bob)
        assert not is_minded(house, table, back)


@pytest.mark.slow
@virtual
async def test_after_a_restart_nobody_counts_as_away_for_longer_than_the_server_was_there() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.started(ann, bob, options=SLOW_PAIR)
        await pass_time(3600)
        house.core.presence.forget(table)
        hub = await house.open()
        ann = await house.again(ann, hub)
        mind = said.Mind(id=new_id(), table=table, seat=1)
        await house.hub.gone(bob)
        house.core.presence.forget(table)
        assert (await ann.refused(mind)).code == "not_away"
        await pass_time(600)
        await ann.do(mind)


@pytest.mark.slow
@virtual
async def test_a_correspondence_seat_is_minded_after_the_whole_limit() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.started(ann, bob, options=CORRESPONDENCE)
        await pass_time(3599)
        assert not is_minded(house, table, ann)
        await pass_time(2)
        assert is_minded(house, table, ann)
        version = house.table(table).version
        await pass_time(3000)
        assert house.table(table).version == version


@virtual
async def test_after_an_outage_every_limit_has_a_while_left() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.started(ann, bob)
        house.core.failure = "away"
        await pass_time(100)
        house.core.failure = None
        house.core.grace_until = house.core.clock() + 15_000
        await pass_time(14)
        assert not is_minded(house, table, ann)
        await pass_time(2)
        assert is_minded(house, table, ann)
