"""A command that found nothing to do counts as well: a late repeat must not do what the first try did not."""

import pytest

from protocol import commands as said
from protocol.pushes import Done
from tests.server.hub.house import PAIR, PRIVATE_PAIR, House
from tests.server.hub.peers import new_id
from tests.server.hub.virtual import virtual


@pytest.mark.parametrize("hubs", [1, 2])
@virtual
async def test_a_late_leave_of_a_spectator_does_not_end_the_match_of_a_seat(hubs: int) -> None:
    async with House(hubs) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.seated(ann)
        await bob.do(said.Watch(id=new_id(), table=table))
        leave = said.Leave(id=new_id(), table=table)
        answer = await bob.do(leave)
        await bob.do(said.Sit(id=new_id(), table=table))
        for peer in (ann, bob):
            await peer.do(said.Ready(id=new_id(), table=table))
        again = await house.again(bob, house.hubs[-1])
        assert await again.do(leave) == answer
        assert not house.table(table).seats[1].left


@pytest.mark.parametrize("restarted", [False, True])
@virtual
async def test_a_late_sit_does_not_sit_down_again(restarted: bool) -> None:
    async with House() as house:
        ann = await house.guest("Ann")
        table = await house.seated(ann)
        sit = said.Sit(id=new_id(), table=table, seat=0)
        answer = await ann.do(sit)
        await ann.do(said.Stand(id=new_id(), table=table))
        if restarted:
            house.hub._tables.hold(table).idle = None  # what is known then comes from the store
        assert await ann.do(sit) == answer
        assert house.table(table).seat_of(ann.player) is None


@virtual
async def test_another_command_with_the_id_of_one_that_did_nothing_is_refused() -> None:
    async with House() as house:
        ann = await house.guest("Ann")
        table = await house.seated(ann)
        sit = said.Sit(id=new_id(), table=table)
        await ann.do(sit)
        assert (await ann.refused(said.Sit(id=sit.id, table=table, seat=1))).code == "id_reused"
        assert (await ann.refused(said.Stand(id=sit.id, table=table))).code == "id_reused"


@virtual
async def test_a_late_quick_match_does_not_sit_down_again() -> None:
    async with House() as house:
        ann = await house.guest("Ann")
        first = await ann.do(said.Quick(id=new_id(), seats=3))
        assert first.table is not None
        quick = said.Quick(id=new_id(), seats=3)
        answer = await ann.do(quick)
        await ann.do(said.Stand(id=new_id(), table=answer.table or ""))
        assert await ann.do(quick) == answer
        assert house.table(first.table).seat_of(ann.player) is None


@virtual
async def test_the_steps_of_a_table_are_gone_through_once() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.started(ann, bob, options=PAIR)
        tables = house.hub._tables
        before = await tables.steps(table)
        kept = await tables.steps(table)
        assert all(one is two for one, two in zip(before, kept, strict=True))
        seat, play = house.next_play(table)
        await (ann, bob)[seat].do(play)
        after = await tables.steps(table)
        assert after[: len(before)] == before
        assert [step.table.head for step in after] == [step.table.head for step in house.steps(table)]


@virtual
async def test_only_the_tables_that_were_asked_for_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.hub.holding.KEPT_STEPS", 1)
    async with House() as house:
        ann = await house.guest("Ann")
        one, two = await house.seated(ann), await house.seated(ann)
        for table in (one, two, one):
            await house.hub._tables.steps(table)
        held = [house.hub._tables.held(table) for table in (one, two)]
        assert [live is not None and live.steps is not None for live in held] == [True, False]


@virtual
async def test_who_looked_on_at_a_private_table_gets_the_same_answer_as_a_stranger() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.seated(ann, options=PRIVATE_PAIR)
        await bob.do(said.Watch(id=new_id(), table=table, invite=house.table(table).invite))
        leave = said.Leave(id=new_id(), table=table)
        answer = await bob.do(leave)
        again = await house.again(bob)
        assert await again.do(leave) == answer
        assert (await again.refused(said.Leave(id=new_id(), table=table))).code == "no_such_table"


@pytest.mark.parametrize("kind", [said.Stand, said.Leave])
@virtual
async def test_a_copy_that_was_held_up_at_another_process_does_nothing_any_more(
    kind: type[said.Stand | said.Leave],
) -> None:
    """It was answered elsewhere, with nothing to do, and what it would do now is not what was asked for then."""
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.seated(ann)
        there = await house.again(bob, house.hubs[1])
        for peer in (bob, there):
            await peer.do(said.Watch(id=new_id(), table=table))
        command = kind(id=new_id(), table=table)
        answers: list[Done | None] = []

        async def meanwhile(name: str) -> None:
            # The copy there has looked whether it was answered before, and has not decided yet.
            if name == "intent" and not answers:
                answers.append(None)
                answers[0] = await bob.do(command)
                await bob.do(said.Sit(id=new_id(), table=table))

        house.stores[1].after = meanwhile
        late = await there.ask(command)
        assert late == answers[0]
        assert house.table(table).seat_of(bob.player) == 1


@virtual
async def test_two_processes_that_find_nothing_to_do_give_the_same_answer() -> None:
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.seated(ann)
        there = await house.again(bob, house.hubs[1])
        for peer in (bob, there):
            await peer.do(said.Watch(id=new_id(), table=table))
        stand = said.Stand(id=new_id(), table=table)
        answers: list[Done | None] = []

        async def meanwhile(name: str) -> None:
            if name == "intend" and not answers:
                answers.append(None)
                await ann.do(said.AskBot(id=new_id(), table=table))
                answers[0] = await bob.do(stand)

        house.stores[1].before = meanwhile
        assert await there.do(stand) == answers[0]
