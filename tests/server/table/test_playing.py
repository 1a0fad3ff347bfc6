"""A match: whose move counts, and what a seat is asked."""

from protocol import errors
from protocol.commands import Leave, Next, Play
from server.table import acts
from server.table.minder import minded_move
from tests.server.table.courses import finished, play, play_until, started, time_passes_until
from tests.server.table.desk import ADA, BEN, CEM, DOT, ROBO, Desk, refused


class TestDecisions:
    def test_a_move_answers_its_decision(self) -> None:
        desk = started(ADA, BEN)
        assert desk.say(ADA, Play, decision=1, move="Keep") == (acts.Moved(0, "keep", minder=False),)

    def test_the_choices_of_others_never_make_it_stale(self) -> None:
        desk = started(ADA, BEN, CEM, DOT)
        decision = desk.decision(0)
        for who in (CEM, BEN):
            desk.say(who, Play, decision=1, move="turn")
        desk.say(DOT, Leave)
        desk.wait(1_000)
        desk.say(ADA, Play, decision=decision, move="keep")
        assert desk.table.game.phase == "play"

    def test_the_same_move_twice_is_stale(self) -> None:
        """Also where it would be legal again: with two players, a Scout after a Scout."""
        desk = started(ADA, BEN)
        for who in (ADA, BEN):
            desk.say(who, Play, decision=1, move="keep")
        first = desk.table.game.turn
        play(desk, first)
        second, who = (1 - first, (BEN, ADA)[first])
        assert desk.table.game.turn == second
        decision = desk.decision(second)
        desk.say(who, Play, decision=decision, move="scout left 1")
        assert desk.table.game.turn == second or desk.table.status == "break"
        with refused(errors.STALE_DECISION):
            desk.say(who, Play, decision=decision, move="scout left 1")

    def test_the_minder_makes_a_decision_stale(self) -> None:
        desk = started(ADA, BEN)
        desk.wait(61_000)
        with refused(errors.STALE_DECISION):
            desk.say(ADA, Play, decision=1, move="keep")

    def test_a_later_decision_is_not_asked_yet(self) -> None:
        desk = started(ADA, BEN)
        with refused(errors.NO_DECISION):
            desk.say(ADA, Play, decision=2, move="keep")
        desk.say(ADA, Play, decision=1, move="keep")
        with refused(errors.NO_DECISION):
            desk.say(ADA, Play, decision=2, move="show 1")

    def test_between_rounds_and_after_the_end_nothing_is_asked(self) -> None:
        desk = started(ADA, BEN)
        for status in ("break", "over"):
            play_until(desk, status)
            decision = desk.table.seats[0].decision
            with refused(errors.NO_DECISION):
                desk.say(ADA, Play, decision=decision, move="keep")


class TestMoves:
    def test_what_is_no_move_is_refused_with_the_games_word(self) -> None:
        with refused(errors.INVALID_MOVE) as caught:
            started(ADA, BEN).say(ADA, Play, decision=1, move="castle")
        assert caught.value.detail == "unknown_move"

    def test_what_the_rules_do_not_allow_is_refused_with_the_games_word(self) -> None:
        with refused(errors.ILLEGAL_MOVE) as caught:
            started(ADA, BEN).say(ADA, Play, decision=1, move="show 1")
        assert caught.value.detail == "wrong_phase"

    def test_the_time_of_a_move_runs_from_the_moment_it_is_asked_for(self) -> None:
        desk = started(ADA, BEN, CEM)
        desk.wait(10_000)
        assert desk.view(0).deadline_ms == 50_000
        for seat in (0, 1, 2):
            play(desk, seat)
        turn = desk.table.game.turn
        assert desk.view(turn).deadline_ms == 60_000
        desk.wait(20_000)
        play(desk, turn)
        assert desk.view(None).deadline_ms == 60_000

    def test_so_it_does_for_who_stays_on_turn(self) -> None:
        """With two players, after a Scout."""
        desk = started(ADA, BEN)
        for seat in (0, 1):
            play(desk, seat)
        play(desk, desk.table.game.turn)
        seat = desk.table.game.turn
        desk.wait(20_000)
        who = (ADA, BEN)[seat]
        desk.say(who, Play, decision=desk.decision(seat), move="scout left 1")
        assert desk.table.game.turn == seat
        assert desk.view(seat).deadline_ms == 60_000


class TestBreaks:
    def at_break(self) -> Desk:
        desk = started(ADA, BEN, CEM)
        play_until(desk, "break")
        return desk

    def test_the_next_round_comes_after_twenty_seconds(self) -> None:
        desk = self.at_break()
        assert desk.view(None).deadline_ms == 20_000
        assert desk.wait(19_999) == ()
        assert isinstance(desk.wait(1)[0], acts.Chance)
        assert desk.table.status == "running"

    def test_or_when_all_who_are_here_have_asked_for_it(self) -> None:
        desk = self.at_break()
        desk.go(CEM)
        assert desk.say(ADA, Next, round=1) == (acts.SaidNext(0),)
        assert desk.say(ADA, Next, round=1) == ()
        assert desk.table.to_act == (1, 2)
        assert isinstance(desk.say(BEN, Next, round=1)[-1], acts.Chance)
        assert not any(seat.next for seat in desk.table.seats)

    def test_while_nobody_counts_as_here_all_are_waited_for(self) -> None:
        """As for a moment after an outage of the store, in which all signs of life have run out."""
        desk = self.at_break()
        desk.here.clear()
        for who in (ADA, BEN):
            desk.say(who, Next, round=1)
        assert desk.table.status == "break"
        assert isinstance(desk.say(CEM, Next, round=1)[-1], acts.Chance)

    def test_who_leaves_is_not_waited_for(self) -> None:
        desk = self.at_break()
        desk.say(ADA, Next, round=1)
        desk.say(BEN, Next, round=1)
        assert isinstance(desk.say(CEM, Leave)[-1], acts.Chance)

    def test_who_is_minded_comes_back_with_it(self) -> None:
        desk = started(ADA, BEN, CEM)
        time_passes_until(desk, "break")
        assert all(seat.minded for seat in desk.table.seats)
        assert desk.table.to_act == ()
        made = desk.say(BEN, Next, round=1)
        assert made[:2] == (acts.Back(1), acts.SaidNext(1))
        assert isinstance(made[-1], acts.Chance)

    def test_bots_are_waited_for_only_where_nobody_else_is(self) -> None:
        for with_people in (True, False):
            desk = started(ADA, ROBO)
            play_until(desk, "break")
            if not with_people:
                desk.go(ADA)
            desk.say(ROBO, Next, round=1)
            assert (desk.table.status == "break") == with_people

    def test_where_all_have_left_time_goes_on(self) -> None:
        desk = self.at_break()
        for who in (ADA, BEN, CEM):
            desk.say(who, Leave)
        assert isinstance(desk.wait(20_000)[0], acts.Chance)

    def test_a_late_next_changes_nothing_and_one_for_a_later_round_is_refused(self) -> None:
        desk = self.at_break()
        with refused(errors.NO_BREAK):
            desk.say(ADA, Next, round=2)
        desk.wait(20_000)
        assert desk.say(ADA, Next, round=1) == ()
        assert desk.say(ADA, Next, round=2) == ()
        desk = finished(ADA, BEN)
        assert desk.say(ADA, Next, round=2) == ()


class TestLeaving:
    def test_it_is_final(self) -> None:
        desk = started(ADA, BEN, CEM)
        assert desk.say(CEM, Leave) == (acts.Minded(2, "left"),)
        assert desk.say(CEM, Leave) == ()
        for kind, fields in ((Play, {"decision": 1, "move": "keep"}), (Next, {"round": 1})):
            with refused(errors.NOT_ALLOWED, match="left"):
                desk.say(CEM, kind, **fields)
        play_until(desk, "over")
        assert desk.table.seats[2].left

    def test_the_minder_plays_to_the_end_a_second_after_each_turn(self) -> None:
        for limit in (60, 7200, None):
            desk = started(ADA, BEN, move_seconds=limit)
            desk.say(BEN, Leave)
            expected = minded_move(desk.table, 1)
            assert desk.wait(999) == ()
            assert desk.wait(1) == (acts.Moved(1, expected, minder=True),)

    def test_who_was_minded_may_still_leave(self) -> None:
        desk = started(ADA, BEN)
        desk.wait(60_000)
        assert desk.say(BEN, Leave) == (acts.Minded(1, "left"),)
        assert desk.table.seats[1].left

    def test_after_the_end_there_is_nothing_to_leave(self) -> None:
        assert finished(ADA, BEN).say(ADA, Leave) == ()


class TestRematch:
    def test_it_comes_after_the_match(self) -> None:
        desk = finished(ADA, BEN)
        desk.happen(acts.Rematched(1, "09other00000"))
        assert desk.view(None).rematch == "09other00000"
        assert desk.view(None).status == "over"
