"""The log as one viewer may know it, the legal moves and the record."""

from protocol import commands as said
from protocol.pushes import EventLog, LegalMoves, Step
from protocol.scout import Chose, Dealt
from server.table.verify import verify
from tests.server.hub.house import SLOW_PAIR, House, in_break, in_play
from tests.server.hub.peers import FakePeer, new_id
from tests.server.hub.virtual import virtual


async def events(peer: FakePeer, table: str, since: int = 0, limit: int = 200) -> EventLog:
    reply = await peer.ask(said.Events(id=new_id(), table=table, since=since, limit=limit))
    assert isinstance(reply, EventLog)
    return reply


async def legal(peer: FakePeer, table: str, offset: int = 0, limit: int = 2000) -> LegalMoves:
    reply = await peer.ask(said.Legal(id=new_id(), table=table, offset=offset, limit=limit))
    assert isinstance(reply, LegalMoves)
    return reply


@virtual
async def test_every_step_since_a_version_is_told_to_each_as_they_may_know_it() -> None:
    async with House() as house:
        ann, bob, cem = await house.guest("Ann"), await house.guest("Bob"), await house.guest("Cem")
        table = await house.started(ann, bob, options=SLOW_PAIR)
        await house.play(table, ann, bob, until=in_play)
        steps = house.steps(table)
        for peer in (ann, bob, cem):
            told = await events(peer, table)
            assert [(step.version, step.head, step.by) for step in told.steps] == [
                (step.table.version, step.table.head.hex(), step.entry.by) for step in steps
            ]
            own = [
                event.seat for step in told.steps for event in step.events if isinstance(event, Chose) and event.move
            ]
            assert own == [seat for seat, player in enumerate((ann, bob)) if player is peer]
        views = {view.version: view.events for view in ann.every if view.events}
        assert {
            step.version: step.events for step in (await events(ann, table)).steps if step.version in views
        } == views


@virtual
async def test_a_long_log_comes_in_parts() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.over(ann, bob)
        whole = (await events(ann, table)).steps
        found: list[Step] = []
        since = 0
        while True:
            part = await events(ann, table, since, 7)
            assert part.since == since
            found += part.steps
            since += len(part.steps)
            if not part.more:
                break
        assert tuple(found) == whole
        assert (await events(ann, table, len(whole))).steps == ()
        assert (await ann.refused(said.Events(id=new_id(), table=table, since=len(whole) + 1))).code == "version_ahead"


@virtual
async def test_what_happened_before_a_player_sat_down_is_told_as_to_the_public() -> None:
    async with House() as house:
        ann, bob, cem = await house.guest("Ann"), await house.guest("Bob"), await house.guest("Cem")
        table = await house.seated(ann, cem)
        await cem.do(said.Stand(id=new_id(), table=table))
        await bob.do(said.Sit(id=new_id(), table=table))
        for peer in (ann, bob):
            await peer.do(said.Ready(id=new_id(), table=table))
        await house.play(table, ann, bob, until=in_play)
        told = (await events(cem, table)).steps
        assert any(isinstance(event, Dealt) for step in told for event in step.events)
        assert not any(isinstance(event, Chose) and event.move for step in told for event in step.events)


@virtual
async def test_legal_moves_are_those_of_the_own_seat_while_it_is_asked() -> None:
    async with House() as house:
        ann, bob, cem = await house.guest("Ann"), await house.guest("Bob"), await house.guest("Cem")
        table = await house.seated(ann, bob)
        assert (await legal(ann, table)).decision is None
        for peer in (ann, bob):
            await peer.do(said.Ready(id=new_id(), table=table))
        assert (await legal(ann, table)).moves == ("keep", "turn")
        await house.play(table, ann, bob, until=in_play)
        seat, play = house.next_play(table)
        mover, other = ((ann, bob), (bob, ann))[seat]
        whole = await legal(mover, table)
        assert whole.decision == play.decision
        assert play.move in whole.moves
        assert not whole.more
        part = await legal(mover, table, 1, 2)
        assert (part.moves, part.more) == (whole.moves[1:3], True)
        idle = await legal(other, table)
        assert (idle.decision, idle.moves, idle.more) == (None, (), False)
        assert (await cem.refused(said.Legal(id=new_id(), table=table))).code == "not_seated"
        await mover.do(said.Leave(id=new_id(), table=table))
        assert (await legal(mover, table)).decision is None
        assert (await mover.refused(play)).code in ("not_allowed", "stale_decision")


@virtual
async def test_the_record_is_there_after_the_end_and_holds() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.started(ann, bob, options=SLOW_PAIR)
        await house.play(table, ann, bob, until=in_break)
        assert await house.hub.record(table, ann.token) is None
        await house.play(table, ann, bob, until=lambda state: state.status == "over")
        text = await house.hub.record(table, None)
        assert text is not None
        verify(text, {view.version: view.head for view in ann.every})
        assert await house.hub.record("0" * 12, None) is None
