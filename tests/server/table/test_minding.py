"""The minder: when it plays, what it plays, and how a seat goes back."""

from itertools import pairwise

import pytest

from engine.scout.bridge import to_action, to_position
from engine.scout.notation import write
from engine.scout.playout import light_move
from protocol import errors
from protocol.commands import Leave, Mind, Play, Sit
from server.table import acts
from server.table.decide import AWAY_MS, back
from server.table.due import swept
from server.table.minder import minded_move
from tests.server.table.courses import every_number, finished, play, play_until, seated, started, time_passes_until
from tests.server.table.desk import ADA, BEN, CEM, DOT, HAL, PEOPLE, ROBO, Desk, refused

HOUR = 3_600_000
MINUTE = 60_000


def choose(desk: Desk) -> int:
    """All choose an orientation. Returns whose turn it is."""
    for seat in sorted(desk.table.game.actors):
        play(desk, seat)
    return int(desk.table.game.turn)


class TestTime:
    def test_when_it_runs_out_the_seat_is_minded_and_a_second_later_played(self) -> None:
        desk = started(ADA, BEN, CEM)
        turn = choose(desk)
        move = minded_move(desk.table, turn)
        assert desk.wait(59_999) == ()
        assert desk.wait(1) == (acts.Minded(turn, "time"),)
        assert desk.wait(999) == ()
        assert desk.wait(1) == (acts.Moved(turn, move, minder=True),)
        assert desk.steps[-1].entry.by == "minder"

    def test_from_then_on_a_second_after_each_turn(self) -> None:
        desk = started(ADA, BEN)
        choose(desk)
        desk.wait(61_000)
        minded = next(seat for seat in (0, 1) if desk.table.seats[seat].minded)
        for seat in iter(lambda: desk.table.game.turn, minded):
            play(desk, seat)
        assert desk.view(None).deadline_ms == 1_000

    def test_several_run_out_together(self) -> None:
        desk = started(ADA, BEN, CEM)
        assert desk.wait(60_000) == tuple(acts.Minded(seat, "time") for seat in (0, 1, 2))
        moves = [minded_move(desk.table, seat) for seat in (0, 1, 2)]
        made = desk.wait(1_000)
        assert made == tuple(acts.Moved(seat, moves[seat], minder=True) for seat in (0, 1, 2))

    def test_a_minded_seat_chooses_while_others_have_time(self) -> None:
        desk = started(ADA, BEN, CEM)
        desk.say(ADA, Leave)
        assert [desk.view(viewer).deadline_ms for viewer in (None, 0, 1)] == [1_000, 1_000, 60_000]
        assert [type(act) for act in desk.wait(1_000)] == [acts.Moved]
        assert desk.table.to_act == (1, 2)

    def test_where_both_are_due_at_once_both_happen(self) -> None:
        desk = started(ADA, BEN, CEM)
        desk.wait(59_000)
        desk.say(CEM, Leave)
        desk.now += 1_000
        desk.due()
        assert [type(act) for act in desk.acts] == [acts.Minded, acts.Minded, acts.Moved]

    def test_correspondence_gives_the_whole_limit_each_turn(self) -> None:
        desk = started(ADA, BEN, CEM, move_seconds=7200)
        turn = choose(desk)
        assert desk.wait(2 * HOUR - 1) == ()
        made = desk.wait(1)
        assert [type(act) for act in made] == [acts.Minded, acts.Moved]
        assert desk.table.seats[turn].minded
        while desk.table.game.turn not in (None, turn):
            play(desk, desk.table.game.turn)
        assert desk.table.status == "break" or desk.view(turn).deadline_ms == 2 * HOUR

    def test_without_a_limit_it_never_runs_out(self) -> None:
        desk = started(ADA, BEN, move_seconds=None)
        assert desk.wait(1000 * HOUR) == ()
        desk.say(BEN, Leave)
        assert [desk.view(viewer).deadline_ms for viewer in (None, 0, 1)] == [1_000, None, 1_000]


class TestItsMoves:
    @every_number
    def test_they_are_those_of_a_light_playout_that_sees_everything(self, seats: int) -> None:
        """It sees only what its seat sees, and plays the same. So what the engine shows of playouts, that ten thousand
        rounds of them end, holds for minders."""
        desk = started(*PEOPLE[:seats])
        for person in PEOPLE[:seats]:
            desk.say(person, Leave)
        time_passes_until(desk, "over")
        for before, step in pairwise(desk.steps):
            for act in step.entry.acts:
                if isinstance(act, acts.Moved):
                    position = to_position(before.table.game)
                    position.turn = act.seat
                    assert act.move == write(to_action(light_move(position)))

    @pytest.mark.slow
    def test_many_matches_of_minders_alone_end(self) -> None:
        for number in range(12):
            desk = started(*PEOPLE[: 2 + number % 4], seed=bytes([number]) * 32)
            for person in PEOPLE[: 2 + number % 4]:
                desk.say(person, Leave)
            desk.wait(HOUR)
            assert desk.table.status == "over"


class TestComingBack:
    def minded(self) -> tuple[Desk, int]:
        """A table, and a seat on turn that has just been minded."""
        desk = started(ADA, BEN, CEM)
        turn = choose(desk)
        desk.wait(60_000)
        return desk, turn

    def test_whatever_the_player_sends_gives_the_seat_back_with_the_whole_limit(self) -> None:
        desk, turn = self.minded()
        desk.happen(*back(desk.table, (ADA, BEN, CEM)[turn].id))
        assert desk.acts == (acts.Back(turn),)
        assert not desk.table.seats[turn].minded
        assert desk.view(turn).deadline_ms == 60_000

    def test_a_command_that_changes_nothing_else_does(self) -> None:
        desk, turn = self.minded()
        assert desk.say((ADA, BEN, CEM)[turn], Sit) == (acts.Back(turn),)

    def test_a_move_does(self) -> None:
        desk, turn = self.minded()
        move = minded_move(desk.table, turn)
        made = desk.say((ADA, BEN, CEM)[turn], Play, decision=desk.decision(turn), move=move)
        assert made == (acts.Back(turn), acts.Moved(turn, move, minder=False))

    def test_nobody_holds_up_the_others_by_sending_without_moving(self) -> None:
        """The seat comes back once while a decision waits; after that the minder makes it."""
        desk, turn = self.minded()
        who = (ADA, BEN, CEM)[turn]
        desk.happen(*back(desk.table, who.id))
        assert desk.wait(60_000) == (acts.Minded(turn, "time"),)
        assert back(desk.table, who.id) == ()
        assert isinstance(desk.wait(1_000)[0], acts.Moved)
        assert back(desk.table, who.id) == (acts.Back(turn),)

    def test_but_may_still_make_that_move(self) -> None:
        desk, turn = self.minded()
        who = (ADA, BEN, CEM)[turn]
        desk.happen(*back(desk.table, who.id))
        desk.wait(60_000)
        made = desk.say(who, Play, decision=desk.decision(turn), move=minded_move(desk.table, turn))
        assert [type(act) for act in made] == [acts.Back, acts.Moved]

    @pytest.mark.parametrize("limit", [60, 7200])
    def test_a_match_ends_however_often_everybody_sends_something(self, limit: int) -> None:
        desk = started(ADA, BEN, CEM, move_seconds=limit)
        moves = 0
        while desk.table.status != "over":
            for who in (ADA, BEN, CEM):
                if made := back(desk.table, who.id):
                    desk.happen(*made)
            before = sum(seat.decision for seat in desk.table.seats)
            desk.wait((2 * limit + 1) * 1000)
            moves += 1
            assert desk.table.status != "running" or sum(seat.decision for seat in desk.table.seats) > before
        assert moves < 400

    def test_nobody_else_gets_it_and_nobody_who_left(self) -> None:
        desk, turn = self.minded()
        assert back(desk.table, DOT.id) == ()
        assert back(desk.table, (ADA, BEN, CEM)[turn - 1].id) == ()
        desk.say((ADA, BEN, CEM)[turn], Leave)
        assert back(desk.table, (ADA, BEN, CEM)[turn].id) == ()
        assert back(finished(ADA, BEN).table, ADA.id) == ()
        assert back(seated(ADA, BEN).table, ADA.id) == ()


class TestVotes:
    def away(self, ms: int = AWAY_MS) -> Desk:
        desk = started(ADA, BEN, CEM, DOT, move_seconds=None)
        desk.go(BEN)
        desk.now += ms
        return desk

    def test_more_than_half_of_the_others_have_an_away_seat_minded(self) -> None:
        desk = self.away()
        assert desk.say(ADA, Mind, seat=1) == (acts.Voted(0, 1),)
        assert desk.view(None).seats[1].votes == 1
        assert desk.say(ADA, Mind, seat=1) == ()
        assert desk.say(CEM, Mind, seat=1) == (acts.Voted(2, 1), acts.Minded(1, "voted"))
        assert desk.say(DOT, Mind, seat=1) == ()
        assert isinstance(desk.wait(1_000)[0], acts.Moved)

    def test_with_two_players_the_other_one_alone(self) -> None:
        desk = started(ADA, BEN, move_seconds=None)
        desk.go(BEN)
        desk.now += AWAY_MS
        assert desk.say(ADA, Mind, seat=1) == (acts.Voted(0, 1), acts.Minded(1, "voted"))

    def test_the_player_takes_it_back(self) -> None:
        desk = self.away()
        desk.say(ADA, Mind, seat=1)
        desk.say(CEM, Mind, seat=1)
        desk.say(BEN, Play, decision=1, move="keep")
        assert not desk.table.seats[1].minded

    def test_ten_minutes_must_have_passed(self) -> None:
        desk = self.away(ms=AWAY_MS - 1)
        with refused(errors.NOT_AWAY):
            desk.say(ADA, Mind, seat=1)
        with refused(errors.NOT_AWAY):
            desk.say(ADA, Mind, seat=2)

    def test_the_start_of_a_round_counts_as_a_sign_of_life(self) -> None:
        desk = started(ADA, BEN, move_seconds=None)
        desk.go(BEN)
        desk.last_seen = {}
        with refused(errors.NOT_AWAY):
            desk.say(ADA, Mind, seat=1)

    def test_those_who_left_have_no_vote(self) -> None:
        desk = self.away()
        desk.say(ADA, Mind, seat=1)
        desk.say(ADA, Leave)
        with refused(errors.NOT_ALLOWED, match="left"):
            desk.say(ADA, Mind, seat=1)
        assert desk.say(CEM, Mind, seat=1) == (acts.Voted(2, 1),)
        assert desk.say(DOT, Mind, seat=1) == (acts.Voted(3, 1), acts.Minded(1, "voted"))

    def test_those_who_are_away_themselves_are_not_counted(self) -> None:
        desk = self.away()
        desk.go(CEM, DOT)
        desk.say(ADA, Mind, seat=1)
        assert desk.table.seats[1].votes == (0,)
        desk.now += AWAY_MS
        assert desk.say(ADA, Mind, seat=1) == (acts.Minded(1, "voted"),)

    def test_bots_have_a_say_only_where_no_people_are(self) -> None:
        desk = started(ADA, BEN, ROBO, HAL, move_seconds=None)
        desk.go(BEN)
        desk.now += AWAY_MS
        with refused(errors.NOT_ALLOWED, match="People"):
            desk.say(ROBO, Mind, seat=1)
        desk.go(ADA)
        desk.now += AWAY_MS
        assert desk.say(ROBO, Mind, seat=1) == (acts.Voted(2, 1),)
        assert desk.say(HAL, Mind, seat=1) == (acts.Voted(3, 1), acts.Minded(1, "voted"))

    def test_who_votes_is_back(self) -> None:
        desk = self.away()
        for who in (ADA, CEM):
            desk.say(who, Mind, seat=1)
        desk.here.add(BEN.id)
        desk.go(DOT)
        desk.now += AWAY_MS
        assert desk.say(BEN, Mind, seat=3)[:2] == (acts.Back(1), acts.Voted(1, 3))

    def test_votes_lapse_with_the_seats_next_move(self) -> None:
        desk = self.away()
        desk.say(ADA, Mind, seat=1)
        desk.say(BEN, Play, decision=1, move="keep")
        assert desk.table.seats[1].votes == ()

    def test_where_a_limit_runs_nobody_votes(self) -> None:
        with refused(errors.NOT_ALLOWED, match="limit"):
            started(ADA, BEN).say(ADA, Mind, seat=1)

    def test_nobody_votes_about_themselves_or_nobody_or_after_the_end(self) -> None:
        desk = self.away()
        with refused(errors.NOT_ALLOWED, match="here"):
            desk.say(ADA, Mind, seat=0)
        with refused(errors.NO_SUCH_SEAT):
            desk.say(ADA, Mind, seat=4)
        desk = started(ADA, BEN, move_seconds=None)
        play_until(desk, "over")
        with refused(errors.NOT_ALLOWED):
            desk.say(ADA, Mind, seat=1)


class TestTablesNobodyWants:
    def test_one_that_has_not_started_goes_after_ten_minutes(self) -> None:
        for desk in (Desk(3), seated(ADA, BEN)):
            assert swept(desk.table, desk.now + 10 * MINUTE - 1, 0) == ()
            assert swept(desk.table, desk.now + 10 * MINUTE, 0) == (acts.Closed("empty"),)
            assert swept(desk.table, desk.now + 10 * MINUTE, desk.now + 1) == ()

    def test_a_clocked_match_goes_after_an_hour(self) -> None:
        desk = started(ADA, BEN)
        assert swept(desk.table, desk.now + HOUR - 1, 0) == ()
        assert swept(desk.table, desk.now + HOUR, 0) == (acts.Closed("abandoned"),)
        assert swept(desk.table, desk.now + HOUR, desk.now + 1) == ()

    @pytest.mark.parametrize("limit", [3600, None])
    def test_correspondence_never_goes_once_somebody_sits_there(self, limit: int | None) -> None:
        for desk in (seated(ADA, BEN, move_seconds=limit), started(ADA, BEN, move_seconds=limit)):
            assert swept(desk.table, desk.now + 1000 * HOUR, 0) == ()
        desk = Desk(2, move_seconds=limit)
        assert swept(desk.table, desk.now + 10 * MINUTE, 0) == (acts.Closed("empty"),)

    def test_what_has_ended_stays(self) -> None:
        desk = finished(ADA, BEN)
        assert swept(desk.table, desk.now + 1000 * HOUR, 0) == ()
        for desk in (seated(ADA, BEN), started(ADA, BEN)):
            desk.happen(acts.Closed("operator"), by="server")
            assert swept(desk.table, desk.now + 1000 * HOUR, 0) == ()


def test_a_log_never_goes_back_in_time() -> None:
    desk = started(ADA, BEN)
    before = desk.table.changed
    desk.now -= 5_000
    play(desk, 0)
    assert desk.table.changed == before
