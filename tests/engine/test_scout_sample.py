"""Samples are spread evenly over what a viewer does not know; other courses really are other ones."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import IllegalMove
from engine.game import CHANCE
from engine.scout import SCOUT, Card, Deal, Show, State
from engine.scout.decks import DECKS
from tests.engine.courses import random_course, replay


def dealt(players: int) -> State:
    state = SCOUT.initial(players)
    return SCOUT.apply(state, CHANCE, SCOUT.chance(state, Random(1).randrange))


def test_unknown_cards_are_anywhere_either_way_up() -> None:
    state = dealt(3)
    view = SCOUT.observe(state, 0)
    random = Random(2)
    places: Counter[Card] = Counter()
    rounds = 3000
    for _ in range(rounds):
        sampled = SCOUT.sample(view, random.randrange)
        assert sampled.hands[0] == state.hands[0]
        places[sampled.hands[2][5]] += 1
    unknown = [card for card in DECKS[3] if card not in {own.flat() for own in state.hands[0]}]
    assert {card.flat() for card in places} == set(unknown)
    assert len(places) == 48
    expected = rounds / 48
    assert sum((count - expected) ** 2 / expected for count in places.values()) < 90  # chi², 47 degrees: p < 0.0002


def test_held_cards_are_in_their_hand_at_any_place() -> None:
    course = random_course(SCOUT, 4, "", Random(5), limit=25)
    state = max(course.states, key=lambda state: sum(len(state.held(seat)) for seat in range(4)))
    seat = max(range(4), key=lambda seat: len(state.held(seat)))
    card = state.held(seat)[0]
    view = SCOUT.observe(state, (seat + 1) % 4)
    random = Random(6)
    places = set()
    for _ in range(800):
        hand = SCOUT.sample(view, random.randrange).hands[seat]
        assert card in map(Card.flat, hand)
        place = [other.flat() for other in hand].index(card)
        places.add((place, hand[place] == card))
    assert len(places) == 2 * len(state.hands[seat])


def test_two_players_in_the_second_round_sample_both_rounds() -> None:
    course = random_course(SCOUT, 2, "", Random(3))
    random = Random(1)
    for state in course.states:
        for viewer in (None, 0, 1):
            sampled = SCOUT.sample(SCOUT.observe(state, viewer), random.randrange)
            if state.round == 1:
                assert len(sampled.kept) == 22
            if state.round == 2:
                left = state.results[0].hand
                assert all(len(sampled.own[seat]) <= left[seat] for seat in (0, 1) if seat != viewer)
                gone = set(sampled.seen).union(*sampled.own)
                here = {card.flat() for hand in sampled.hands for card in hand}
                assert gone | here == set(DECKS[2])


@settings(max_examples=15, deadline=None)
@given(st.integers(2, 5), st.randoms(use_true_random=False), st.integers(1, 60))
def test_another_course_differs_in_what_is_secret(players: int, random: Random, limit: int) -> None:
    course = random_course(SCOUT, players, "", random, limit)
    for viewer in course.viewers:
        moves = SCOUT.redeal(course.moves, players, "", viewer, random.randrange)
        assert moves != course.moves
        other = replay(SCOUT, players, "", moves)
        if viewer is not None:
            own = [action for actor, action in course.moves if actor == viewer]
            assert [action for actor, action in moves if actor == viewer] == own
            assert [state.hands[viewer] for state in other.states] == [state.hands[viewer] for state in course.states]


def test_another_course_changes_every_secret() -> None:
    """Hands, kept cards, choices, gaps, ways up, places: each of them differs in some other course."""
    course = random_course(SCOUT, 2, "", Random(8))
    random = Random(9)
    changed: Counter[str] = Counter()
    for _ in range(30):
        moves = SCOUT.redeal(course.moves, 2, "", 0, random.randrange)
        for (_, action), (_, other) in zip(course.moves, moves, strict=True):
            for name in action.__dataclass_fields__:
                changed[f"{type(action).__name__}.{name}"] += getattr(action, name) != getattr(other, name)
    assert {name for name, count in changed.items() if count} >= {
        "Deal.hands",
        "Deal.kept",
        "Orient.turn",
        "Show.first",
        "Scout.turn",
        "Scout.gap",
    }
    assert changed["Deal.start"] == changed["Show.count"] == changed["Scout.right"] == 0


@pytest.mark.parametrize("players", [2, 3])
def test_nothing_yet_stays_nothing(players: int) -> None:
    assert SCOUT.redeal((), players, "", None, Random(1).randrange) == ()


def test_what_is_no_course_is_refused() -> None:
    deal = SCOUT.chance(SCOUT.initial(3), lambda n: 0)
    with pytest.raises(IllegalMove):
        SCOUT.redeal(((CHANCE, deal), (0, Show(0, 1))), 3, "", None, lambda n: 0)
    with pytest.raises(IllegalMove):
        SCOUT.redeal(((0, Show(0, 1)),), 3, "", None, lambda n: 0)


def test_where_no_other_course_is_found_the_given_one_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    moves = random_course(SCOUT, 2, "", Random(1)).moves
    monkeypatch.setattr("engine.scout.redeal.ATTEMPTS", 0)
    assert SCOUT.redeal(moves, 2, "", None, Random(1).randrange) == moves


def test_courses_that_would_end_otherwise_are_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A round of two players ends when somebody is stuck, and so tells something about a hand."""
    random = Random(10)
    monkeypatch.setattr("engine.scout.redeal.ATTEMPTS", 1)
    courses = [random_course(SCOUT, 2, "", random).moves for _ in range(20)]
    kept = [course for course in courses if SCOUT.redeal(course, 2, "", None, random.randrange) == course]
    assert kept
    monkeypatch.undo()
    assert all(SCOUT.redeal(course, 2, "", None, random.randrange) != course for course in kept)


def test_deals_stay_deals() -> None:
    course = random_course(SCOUT, 3, "", Random(4))
    moves = SCOUT.redeal(course.moves, 3, "", 1, Random(5).randrange)
    for (actor, action), (other_actor, other) in zip(course.moves, moves, strict=True):
        assert actor == other_actor
        assert type(action) is type(other)
        if isinstance(action, Deal) and isinstance(other, Deal):
            assert action.hands[1] == other.hands[1]
