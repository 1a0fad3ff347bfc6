"""Refusals by their codes, and the whole space of moves in some positions (scout.md, A round)."""

from random import Random

import pytest

from engine.errors import IllegalMove
from engine.game import CHANCE
from engine.scout import ILLEGAL, SCOUT, Action, Orient, Scout, ScoutShow, Show, State
from tests.engine.courses import random_course
from tests.engine.positions import assert_refused, position


def conceivable(state: State) -> set[Action]:
    """Every move within and a little beyond the bounds of the hand of the seat on turn."""
    assert state.turn is not None
    size = len(state.hands[state.turn])
    shows = [Show(first, count) for first in range(-1, size + 2) for count in range(size + 3)]
    scouts = [
        Scout(right, turn, gap) for right in (False, True) for turn in (False, True) for gap in range(-1, size + 3)
    ]
    both = [ScoutShow(scout, show) for scout in scouts for show in shows]
    return {Orient(False), Orient(True), *shows, *scouts, *both}


def is_accepted(state: State, action: Action) -> bool:
    assert state.turn is not None
    try:
        SCOUT.apply(state, state.turn, action)
    except IllegalMove as refused:
        if refused.code not in ILLEGAL or refused.message != ILLEGAL[refused.code]:
            raise AssertionError(refused) from refused
        return False
    return True


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_what_is_accepted_is_what_is_listed(players: int) -> None:
    random = Random(players)
    states = [state for state in random_course(SCOUT, players, "", random).states if state.turn is not None]
    small = [state for state in states if state.turn is not None and len(state.hands[state.turn]) < 9]
    for state in random.sample(small, min(5, len(small))):
        assert state.turn is not None
        accepted = {action for action in conceivable(state) if is_accepted(state, action)}
        assert accepted == set(SCOUT.legal_actions(state, state.turn))


def refusal(state: State, actor: int, action: object) -> str:
    with pytest.raises(IllegalMove) as refused:
        SCOUT.apply(state, actor, action)  # type: ignore[arg-type]  # on purpose
    assert refused.value.message == ILLEGAL[refused.value.code]
    assert action not in SCOUT.legal_actions(state, actor)
    return refused.value.code


def test_moves_of_another_phase() -> None:
    state = SCOUT.initial(3)
    deal = SCOUT.chance(state, lambda n: 0)
    assert refusal(state, CHANCE, Show(0, 1)) == "wrong_phase"
    assert refusal(state, CHANCE, Orient(True)) == "wrong_phase"
    dealt = SCOUT.apply(state, CHANCE, deal)
    assert refusal(dealt, 0, Show(0, 1)) == "wrong_phase"
    assert refusal(dealt, 0, deal) == "wrong_phase"
    playing = position("1", "2", "3")
    assert refusal(playing, 1, Orient(False)) == "wrong_phase"
    assert refusal(playing, 1, deal) == "wrong_phase"
    assert refusal(playing, 1, "show 1") == "wrong_phase"


def test_moves_out_of_turn() -> None:
    state = SCOUT.initial(3)
    assert refusal(state, 0, Orient(True)) == "not_your_turn"
    dealt = SCOUT.apply(state, CHANCE, SCOUT.chance(state, lambda n: 0))
    chosen = SCOUT.apply(dealt, 2, Orient(True))
    assert chosen.actors == {0, 1}
    assert refusal(chosen, 2, Orient(False)) == "not_your_turn"
    assert refusal(chosen, CHANCE, SCOUT.chance(state, lambda n: 0)) == "not_your_turn"
    assert refusal(position("1", "2", "3"), 2, Show(0, 1)) == "not_your_turn"
    assert refusal(position("1", "2", "3"), 7, Show(0, 1)) == "not_your_turn"


def test_orientation_is_asked_of_all_at_once_and_play_begins_at_the_start() -> None:
    state = SCOUT.initial(3)
    state = SCOUT.apply(state, CHANCE, SCOUT.chance(state, lambda n: n - 1))
    assert state.actors == {0, 1, 2}
    for seat in (2, 0, 1):
        assert state.turn is None
        assert list(SCOUT.legal_actions(state, seat)) == [Orient(False), Orient(True)]
        state = SCOUT.apply(state, seat, Orient(seat == 0))
    assert (state.phase, state.turn, state.turned) == ("play", 2, (True, False, False))


def test_after_the_last_round_nothing_is_accepted() -> None:
    state = SCOUT.apply(position("7 7", "1", "2", turn="A", round=3), 0, Show(0, 2))
    assert state.actors == frozenset()
    assert refusal(state, 1, Show(0, 1)) == refusal(state, CHANCE, Show(0, 1)) == "game_over"


def test_shows_of_cards_that_are_not_there() -> None:
    state = position("1", "2 2", "3")
    for text in ("show 3", "show 2-3", "show 1-45"):
        assert_refused(state, text, "no_such_cards")
    assert refusal(state, 1, Show(0, 0)) == refusal(state, 1, Show(-1, 1)) == "no_such_cards"


def test_a_lazy_list_does_not_find_more_than_is_asked_for() -> None:
    state = position("1", "2 2", "3", table="9 9 9")
    actions = SCOUT.legal_actions(state, 1)
    assert actions
    assert next(iter(actions)) == Scout(False, False, 0)
    assert len(actions) == len(list(actions)) == len(set(actions))
    assert not SCOUT.legal_actions(state, 0)
