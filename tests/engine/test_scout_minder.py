"""What is played for a seat whose player does not."""

from random import Random

import pytest

from engine.game import CHANCE
from engine.scout import SCOUT, Card, Deal
from engine.scout import core as fast
from engine.scout.bridge import to_position
from engine.scout.decks import DECKS
from engine.scout.minder import PATIENCE
from engine.scout.playout import light_move
from tests.engine.positions import after, circling, position


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_minders_alone_finish_a_match_with_legal_moves(players: int) -> None:
    random = Random(players)
    state = SCOUT.initial(players)
    while state.actors:
        actor = random.choice(sorted(state.actors))
        if actor == CHANCE:
            state = SCOUT.apply(state, CHANCE, SCOUT.chance(state, random.randrange))
        else:
            state = SCOUT.apply(state, actor, SCOUT.minder_move(SCOUT.observe(state, actor)))
    assert SCOUT.outcome(state) is not None


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_many_rounds_of_minders_alone_end(players: int) -> None:
    random = Random(players)
    for _ in range(2500):
        state = SCOUT.initial(players)
        core = to_position(SCOUT.apply(state, CHANCE, SCOUT.chance(state, random.randrange)))
        moves = 0
        while not core.over:
            fast.apply(core, light_move(core))
            moves += 1
            assert moves < 300


def test_each_seat_chooses_by_its_own_hand() -> None:
    """Not by the hand of the first seat that is asked."""
    joined = (
        Card(1, 5),
        Card(1, 8),
        Card(1, 3),
        Card(1, 6),
        Card(1, 9),
        Card(1, 4),
        Card(1, 7),
        Card(1, 10),
        Card(1, 2),
    )
    rest = [card for card in DECKS[5] if card not in joined]
    for seat in range(5):
        for turned in (False, True):
            hand = tuple(card.turned() for card in joined) if turned else joined
            others = [tuple(rest[start : start + 9]) for start in range(0, 36, 9)]
            others.insert(seat, hand)
            state = SCOUT.apply(SCOUT.initial(5), CHANCE, Deal(0, tuple(others)))
            assert SCOUT.write(SCOUT.minder_move(SCOUT.observe(state, seat))) == ("turn" if turned else "keep")


def test_a_spectator_has_no_move() -> None:
    with pytest.raises(ValueError, match="spectator"):
        SCOUT.minder_move(SCOUT.observe(position("1", "2", "3"), None))


def test_people_are_given_time_between_rounds_only() -> None:
    state = SCOUT.initial(3)
    assert not SCOUT.pauses(state)
    state = SCOUT.apply(state, CHANCE, SCOUT.chance(state, lambda n: 0))
    assert not SCOUT.pauses(state)
    assert SCOUT.pauses(after(position("7 7", "1", "2", turn="A"), "show 1-2"))
    assert not SCOUT.pauses(after(position("7 7", "1", "2", turn="A", round=3), "show 1-2"))


def test_a_round_that_goes_in_circles_comes_to_an_end() -> None:
    state, moves = circling(), 0
    while state.phase == "play" and state.turn is not None:
        state = SCOUT.apply(state, state.turn, SCOUT.minder_move(SCOUT.observe(state, state.turn)))
        moves += 1
        assert moves < 2000
    assert moves > PATIENCE, "the circle was none"
