"""Two processes that hear nothing of each other refuse nothing wrongly, and show nobody anything old."""

from protocol import commands as said
from protocol.pushes import EventLog, LegalMoves
from server.store.memory import Delivery
from tests.server.hub.house import PRIVATE_PAIR, SLOW_PAIR, House, in_break, in_play
from tests.server.hub.meddling import nothing
from tests.server.hub.peers import FakePeer, new_id
from tests.server.hub.virtual import calm, pass_time, virtual


class Deaf(House):
    """Two hubs, and nothing that is published arrives at all, until a test lets it."""

    def __init__(self) -> None:
        super().__init__(hubs=2)
        self.kept: list[Delivery] = []
        self.core.deliver = self.kept.append

    def hear(self) -> None:
        """From now on everything arrives at once."""
        self.core.deliver = lambda delivery: delivery.hand_over()

    async def pair(self) -> tuple[FakePeer, FakePeer]:
        """Ann at the first hub, Bob at the second."""
        return await self.guest("Ann"), await self.guest("Bob", self.hubs[1])


@virtual
async def test_a_match_between_two_hubs_that_tell_each_other_nothing() -> None:
    async with Deaf() as house:
        ann, bob = await house.pair()
        await house.over(ann, bob)


@virtual
async def test_a_seat_that_became_free_elsewhere_can_be_taken() -> None:
    async with Deaf() as house:
        ann, bob = await house.pair()
        cem = await house.guest("Cem", house.hubs[1])
        table = await house.seated(ann, bob)
        dan = await house.guest("Dan")
        assert (await dan.refused(said.Sit(id=new_id(), table=table))).code == "no_free_seat"
        await bob.do(said.Stand(id=new_id(), table=table))
        assert (await cem.do(said.Sit(id=new_id(), table=table))).seat == 1
        await cem.do(said.Stand(id=new_id(), table=table))
        assert (await dan.do(said.Sit(id=new_id(), table=table))).seat == 1


@virtual
async def test_nothing_to_do_is_said_only_when_it_is_sure() -> None:
    """Bob sits by the other hub; the first one, which does not know, must not say that there is no seat to give up."""
    async with Deaf() as house:
        ann, bob = await house.pair()
        table = await house.seated(ann)
        here = await house.again(bob, house.hub)
        await here.do(said.Watch(id=new_id(), table=table))
        await bob.do(said.Sit(id=new_id(), table=table))
        await here.do(said.Stand(id=new_id(), table=table))
        assert house.table(table).seat_of(bob.player) is None


@virtual
async def test_next_is_not_forgotten_by_a_hub_that_has_not_seen_the_end_of_the_round() -> None:
    async with Deaf() as house:
        ann, bob = await house.pair()
        table = await house.started(ann, bob, options=SLOW_PAIR)
        other = await house.again(ann, house.hubs[1])
        await house.play(table, other, bob, until=in_break)
        await ann.do(said.Next(id=new_id(), table=table, round=1))
        assert house.table(table).seats[0].next


@virtual
async def test_the_legal_moves_and_the_events_are_those_of_now() -> None:
    async with Deaf() as house:
        ann, bob = await house.pair()
        table = await house.started(ann, bob)
        bob_here = await house.again(bob, house.hub)
        ann_there = await house.again(ann, house.hubs[1])
        await house.play(table, ann_there, bob, until=in_play)
        legal = await ann.ask(said.Legal(id=new_id(), table=table))
        assert isinstance(legal, LegalMoves)
        seat, play = house.next_play(table)
        mover, other = ((ann, bob_here), (bob_here, ann))[seat]
        legal = await mover.ask(said.Legal(id=new_id(), table=table))
        assert isinstance(legal, LegalMoves)
        assert legal.decision == play.decision
        log = await other.ask(said.Events(id=new_id(), table=table))
        assert isinstance(log, EventLog)
        assert [step.version for step in log.steps] == list(range(1, house.table(table).version + 1))


@virtual
async def test_a_rematch_can_be_asked_of_a_hub_that_has_not_seen_the_end() -> None:
    async with Deaf() as house:
        ann, bob = await house.pair()
        table = await house.started(ann, bob)
        ann_there = await house.again(ann, house.hubs[1])
        await house.play(table, ann_there, bob, until=lambda state: state.status == "over")
        assert (await ann.do(said.Rematch(id=new_id(), table=table))).seat == 0


@virtual
async def test_a_hello_finds_the_seats_that_were_taken_elsewhere() -> None:
    async with Deaf() as house:
        ann, bob = await house.pair()
        table = await house.seated(ann)
        spectator = await house.again(bob, house.hub)
        await spectator.do(said.Watch(id=new_id(), table=table))
        await bob.do(said.Sit(id=new_id(), table=table))
        session = await FakePeer(house.hub).hello(None, token=bob.token)
        assert [mine.table for mine in session.tables] == [table]


@virtual
async def test_a_private_table_lets_in_who_took_a_seat_elsewhere() -> None:
    async with Deaf() as house:
        ann, bob = await house.pair()
        table = await house.seated(ann, bob, options=PRIVATE_PAIR)
        bob_here = await house.again(bob, house.hub)
        for peer in (ann, bob):
            await peer.do(said.Ready(id=new_id(), table=table))
        assert house.table(table).status == "running"
        bob_here.views.clear()
        await bob_here.do(said.Watch(id=new_id(), table=table))
        assert bob_here.views[table].status == "running"


@virtual
async def test_who_comes_to_a_hub_that_is_behind_sees_nothing_old() -> None:
    async with Deaf() as house:
        ann, bob = await house.pair()
        table = await house.started(ann, bob)
        here = await house.again(bob, house.hub)
        known = here.views[table].version
        ann_there = await house.again(ann, house.hubs[1])
        await house.play(table, ann_there, bob, until=in_play)
        late = await house.again(bob, house.hub)
        assert late.every[0].version == house.table(table).version > known


@virtual
async def test_what_got_lost_is_made_good_within_seconds() -> None:
    async with Deaf() as house:
        ann, bob = await house.pair()
        table = await house.started(ann, bob)
        await pass_time(6)
        assert ann.views[table].version == bob.views[table].version == house.table(table).version
        assert (ann.views[table].you, bob.views[table].you) == (0, 1)


@virtual
async def test_news_that_comes_late_changes_nothing() -> None:
    async with Deaf() as house:
        ann, bob = await house.pair()
        table = await house.started(ann, bob)
        await pass_time(6)
        seen = len(ann.every), len(bob.every)
        for delivery in reversed(house.kept):
            delivery.hand_over()
        await calm()
        version = house.table(table).version
        assert [view.version for view in ann.every[seen[0] :]] in ([], [version])
        assert house.hub._tables.hold(table).head.version == version


@virtual
async def test_news_with_a_gap_makes_a_hub_ask() -> None:
    async with Deaf() as house:
        ann, bob = await house.pair()
        table = await house.seated(ann)
        await bob.do(said.Sit(id=new_id(), table=table))
        house.hear()
        await bob.do(said.Ready(id=new_id(), table=table))
        live = house.hub._tables.hold(table)
        assert live.stale
        assert (await house.hub._tables.live(table)).head.version == 3
        await bob.do(said.Stand(id=new_id(), table=table))
        assert (live.stale, live.head.version) == (False, 4)


@virtual
async def test_a_break_that_begins_while_it_is_looked_who_is_there_waits_for_them() -> None:
    """Ann's hub hears of the end of the round in the middle of her `next`."""
    async with Deaf() as house:
        ann, bob = await house.pair()
        table = await house.started(ann, bob, options=SLOW_PAIR)
        other = await house.again(ann, house.hubs[1])
        await house.play(table, other, bob, until=in_break)
        await bob.do(said.Next(id=new_id(), table=table, round=1))
        await pass_time(1)
        kept = [delivery for delivery in house.kept if delivery.audience is None]

        async def hear_then(name: str) -> None:
            if name == "present":
                for delivery in kept:
                    if delivery.store is house.store.inner:
                        delivery.hand_over()
                kept.clear()

        house.store.after = hear_then
        await ann.do(said.Next(id=new_id(), table=table, round=1))
        assert house.table(table).status == "running"


@virtual
async def test_a_step_is_never_made_on_what_was_before_the_news() -> None:
    """The news of Bob's choice comes in while Ann's is on its way: both must stand in what her hub then knows."""
    async with Deaf() as house:
        ann, bob = await house.pair()
        table = await house.started(ann, bob, options=SLOW_PAIR)
        await pass_time(6)
        house.kept.clear()
        _, anns = house.next_play(table)
        _, bobs = house.next_play(table, after=1)
        await bob.do(bobs)

        async def hear_then(name: str) -> None:
            while name == "present" and house.kept:
                house.kept.pop(0).hand_over()

        house.store.after = hear_then
        await ann.do(anns)
        assert house.hub._tables.hold(table).table == house.table(table)
        assert in_play(house.table(table))


@virtual
async def test_what_happens_while_somebody_is_let_in_is_shown_at_once() -> None:
    """It happened after the hub looked and before it was told of anything."""
    for moment in ("follow", "subscribe"):
        async with Deaf() as house:
            ann, bob = await house.pair()
            table = await house.seated(bob)

            async def in_between(name: str, moment: str = moment, table: str = table, bob: FakePeer = bob) -> None:
                if name == moment:
                    await bob.do(said.AskBot(id=new_id(), table=table, level=moment))

            house.store.before = in_between
            await ann.do(said.Watch(id=new_id(), table=table))
            assert ann.views[table].version == house.table(table).version == 2


@virtual
async def test_news_with_a_gap_while_a_table_is_read_makes_a_hub_ask_again() -> None:
    async with Deaf() as house:
        ann, bob = await house.pair()
        table = await house.seated(ann)
        await pass_time(6)

        async def move_on(name: str) -> None:
            if name == "load":
                house.store.after = nothing
                await bob.do(said.Sit(id=new_id(), table=table))
                house.kept.clear()
                await bob.do(said.Ready(id=new_id(), table=table))
                for delivery in house.kept:
                    if delivery.store is house.store.inner:
                        delivery.hand_over()

        house.store.after = move_on
        await house.hub._tables.live(table, sure=True)
        assert (await house.hub._tables.live(table)).table == house.table(table)


@virtual
async def test_a_table_that_was_sat_at_elsewhere_is_shown_anew_from_the_seat() -> None:
    """The public view of the same version comes first; it is not the one that counts."""
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob", house.hubs[1])
        table = await house.seated(ann)
        watching = await house.again(bob, house.hub)
        await watching.do(said.Watch(id=new_id(), table=table))
        await bob.do(said.Sit(id=new_id(), table=table))
        await calm()
        assert (watching.views[table].version, watching.views[table].you) == (2, 1)
