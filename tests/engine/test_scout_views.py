"""Who may know what (scout.md, What each viewer may know)."""

from dataclasses import replace
from random import Random

import pytest

from engine.game import CHANCE
from engine.scout import (
    SCOUT,
    Card,
    Chose,
    Dealt,
    Event,
    GameOver,
    RoundOver,
    Scouted,
    ScoutShowed,
    Showed,
    State,
)
from engine.scout.decks import DECKS
from tests.engine.courses import random_course
from tests.engine.positions import after, cards, position

VIEWERS = (None, 0, 1, 2)


def dealt(players: int = 3) -> State:
    state = SCOUT.initial(players)
    return SCOUT.apply(state, CHANCE, SCOUT.chance(state, Random(1).randrange))


def events(state: State, text: str, viewer: int | None) -> tuple[Event, ...]:
    actor = state.turn if state.turn is not None else min(state.actors)
    action = SCOUT.read(text)
    return SCOUT.describe(state, actor, action, SCOUT.apply(state, actor, action), viewer)


class TestViews:
    def test_before_the_first_deal_there_is_nothing_to_see(self) -> None:
        view = SCOUT.observe(SCOUT.initial(4), 2)
        assert (view.round, view.rounds, view.phase, view.start, view.turn) == (0, 4, "deal", None, None)
        assert view.hand == ()
        assert [seat.cards for seat in view.seats] == [0, 0, 0, 0]

    def test_a_seat_sees_its_own_hand_and_choice_and_a_spectator_none(self) -> None:
        state = dealt()
        turned = SCOUT.apply(state, 1, SCOUT.read("turn"))
        own = SCOUT.observe(turned, 1)
        assert own.hand == tuple(card.turned() for card in state.hands[1])
        assert own.turned is True
        other = SCOUT.observe(turned, 0)
        assert other.hand == state.hands[0]
        assert other.turned is None
        spectator = SCOUT.observe(turned, None)
        assert spectator.hand is None
        assert spectator.turned is None

    def test_everybody_sees_who_has_chosen(self) -> None:
        state = SCOUT.apply(dealt(), 1, SCOUT.read("turn"))
        for viewer in VIEWERS:
            assert [seat.chosen for seat in SCOUT.observe(state, viewer).seats] == [False, True, False]

    def test_captured_cards_are_gone_for_everybody_and_scouted_ones_are_held(self) -> None:
        state = position("3/1 7/2", "5/9 6/9 1/4", "8/3 2/6", table="4/10 5/2")
        captured = after(state, "show 1-2", "scout right turned 1")
        for viewer in VIEWERS:
            view = SCOUT.observe(captured, viewer)
            assert view.gone == cards("2/5 4/10")
            assert [seat.held for seat in view.seats] == [(), (), cards("6/9")]
            assert view.active == cards("5/9")

    def test_a_shown_card_is_no_longer_held(self) -> None:
        state = position("3/1 7/2", "6/4 1/9", "8/3", table="4/10 5/2")
        held = after(state, "scout left 1")
        assert SCOUT.observe(held, None).seats[1].held == cards("4/10")
        shown = after(state, "scout left turned 1 show 1")
        assert SCOUT.observe(shown, None).seats[1].held == ()

    def test_scouts_in_a_row_rights_tokens_and_points_are_public(self) -> None:
        state = after(position("3/1 7/2", "1/4", "8/3", table="4/10 5/2", used="C"), "scout left 1")
        view = SCOUT.observe(state, None)
        assert (view.scouts, view.owner, view.turn) == (1, 0, 2)
        assert [seat.scout_show for seat in view.seats] == [True, True, False]
        assert [seat.tokens for seat in view.seats] == [1, 0, 0]

    def test_the_end_of_a_round_stays_in_view_until_the_next_deal(self) -> None:
        ended = after(position("7/1 7/2", "1/4", "8/3 9/2", turn="A", captured=(2, 0, 0)), "show 1-2")
        view = SCOUT.observe(ended, 2)
        assert (view.phase, view.round, view.turn) == ("deal", 1, None)
        assert view.hand == cards("8/3 9/2")
        assert view.active == cards("7/1 7/2")
        assert [seat.points for seat in view.seats] == [2, -1, -2]
        assert view.winners is None
        again = SCOUT.apply(ended, CHANCE, SCOUT.chance(ended, Random(1).randrange))
        view = SCOUT.observe(again, 2)
        assert (view.phase, view.round, view.start) == ("orient", 2, 1)
        assert view.gone == view.active == ()
        assert view.results == ended.results

    def test_two_players_remember_the_first_round_in_the_second(self) -> None:
        course = random_course(SCOUT, 2, "", Random(3))
        second = next(index for index, state in enumerate(course.states) if state.round == 2)
        before, after_deal = course.states[second - 1], course.states[second]
        public = set(SCOUT.observe(after_deal, None).gone)
        assert public == before.seen
        for seat in (0, 1):
            own = set(SCOUT.observe(after_deal, seat).gone)
            assert own == public | set(map(Card.flat, before.hands[seat]))
        first_round = set(DECKS[2]) - set(map(Card.flat, before.kept))
        assert set(SCOUT.observe(after_deal, 0).gone) | set(SCOUT.observe(after_deal, 1).gone) == first_round
        assert before.own == (frozenset(), frozenset())

    @pytest.mark.parametrize("players", [2, 3, 4, 5])
    def test_nothing_is_gone_that_is_somewhere(self, players: int) -> None:
        for state in random_course(SCOUT, players, "", Random(players)).states:
            for viewer in range(players):
                view = SCOUT.observe(state, viewer)
                assert view.hand is not None
                here = {card.flat() for card in (*view.hand, *view.active)}.union(*(seat.held for seat in view.seats))
                assert here.isdisjoint(view.gone)
                assert list(view.gone) == sorted(set(view.gone))


class TestEvents:
    def test_a_deal_tells_who_starts_and_how_many_cards(self) -> None:
        state = SCOUT.initial(3)
        deal = SCOUT.chance(state, Random(1).randrange)
        for viewer in VIEWERS:
            told = SCOUT.describe(state, CHANCE, deal, SCOUT.apply(state, CHANCE, deal), viewer)
            assert told == (Dealt("dealt", 1, deal.start, 12),)

    def test_only_the_chooser_learns_the_choice(self) -> None:
        for viewer in VIEWERS:
            assert events(dealt(), "turn", viewer) == (Chose("chose", 0, "turn" if viewer == 0 else None),)

    def test_a_show_tells_cards_and_captures_but_no_place(self) -> None:
        state = position("1", "3/1 5/2 5/8", "1", table="9/2")
        for viewer in VIEWERS:
            move = "show 2-3" if viewer == 1 else None
            assert events(state, "show 2-3", viewer) == (Showed("showed", 1, cards("5/2 5/8"), 1, move),)

    def test_a_scout_tells_the_card_as_it_lay(self) -> None:
        state = position("1", "3/1", "1", table="9/2 8/4")
        text = "scout right turned 2"
        for viewer in VIEWERS:
            told = Scouted("scouted", 1, Card(8, 4), True, 0, True, text if viewer == 1 else None)
            assert events(state, text, viewer) == (told,)

    def test_a_scout_of_two_players_gives_no_token(self) -> None:
        (told,) = events(position("1", "3/1", table="9/2 8/4"), "scout left 1", None)
        assert told == Scouted("scouted", 1, Card(9, 2), False, 0, False, None)

    def test_a_scout_and_show_tells_both(self) -> None:
        state = position("1", "3/1 5/7", "1", table="9/2 4/8")
        text = "scout left turned 1 show 3"
        for viewer in VIEWERS:
            move = text if viewer == 1 else None
            told = ScoutShowed("scout_showed", 1, Card(9, 2), False, 0, cards("5/7"), 1, move)
            assert events(state, text, viewer) == (told,)

    def test_the_ends_of_a_round_and_of_the_game_are_told(self) -> None:
        state = position("7/1 7/2", "1/4", "8/3", turn="A")
        _, over = events(state, "show 1-2", None)
        assert isinstance(over, RoundOver)
        assert over.result.scores == (0, -1, -1)
        last = position("7/1 7/2", "1/4", "8/3", turn="A", round=3)
        third = RoundOver("round_over", replace(over.result, round=3))
        assert events(last, "show 1-2", None)[1:] == (third, GameOver("game_over", (0, -1, -1), (0,)))
