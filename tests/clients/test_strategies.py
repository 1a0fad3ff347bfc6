"""Strategies alone: always legal, and what they are known for. No server, no connection."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clients.bots.strategies import BUILT_IN, NoStrategy, Strategy, check_level, load
from clients.bots.strategies.greedy import choose, strongest, worth
from clients.scout import engine_view, is_legal, legal_moves, write
from engine.game import CHANCE
from engine.scout import SCOUT, Card, Move, Orient, Scout, ScoutShow, ScoutView, Show, State
from engine.scout.sets import strength
from tests.clients.views import HAND, scout_seat, scout_view
from tests.engine.positions import circling


def positions(players: int, seed: int, strategy: Strategy, limit: int = 400) -> list[tuple[State, int, Move]]:
    """The decisions of a match that one strategy plays against itself, with what it chose."""
    rng, state = Random(seed), SCOUT.initial(players)
    course: list[tuple[State, int, Move]] = []
    while state.actors and len(course) < limit:
        if CHANCE in state.actors:
            state = SCOUT.apply(state, CHANCE, SCOUT.chance(state, rng.randrange))
            continue
        seat = min(state.actors)
        move = strategy(SCOUT.observe(state, seat), rng)
        assert not isinstance(move, str)
        course.append((state, seat, move))
        state = SCOUT.apply(state, seat, move)  # raises for a move that is not legal
    return course


@pytest.mark.parametrize("name", BUILT_IN)
@settings(max_examples=25, deadline=None)
@given(players=st.integers(2, 5), seed=st.integers(0, 2**32))
def test_every_move_is_legal(name: str, players: int, seed: int) -> None:
    for state, seat, move in positions(players, seed, load(name)):
        assert move in SCOUT.legal_actions(state, seat)


@settings(max_examples=10, deadline=None)
@given(players=st.integers(2, 5), seed=st.integers(0, 2**32))
def test_the_legal_moves_of_a_view_are_those_of_the_game(players: int, seed: int) -> None:
    for state, seat, move in positions(players, seed, load("random"), limit=60)[::7]:
        view = SCOUT.observe(state, seat)
        assert set(legal_moves(view)) == set(SCOUT.legal_actions(state, seat))
        assert is_legal(view, move)
        others = set(range(players)) - state.actors
        assert all(legal_moves(SCOUT.observe(state, other)) == [] for other in others)


def test_levels_that_somebody_may_offer() -> None:
    for level in ("", *BUILT_IN, "my.module:choose"):
        check_level(level)
    with pytest.raises(NoStrategy, match="no bots of level 'smart': name one of random, greedy"):
        check_level("smart")


def test_a_spectator_has_no_moves() -> None:
    view = SCOUT.observe(SCOUT.initial(3), None)
    assert legal_moves(view) == []
    assert not is_legal(view, Orient(True))


def test_a_sent_view_becomes_the_engines() -> None:
    view = engine_view(scout_view(viewer=0, hand=HAND, active=((5, 1),), owner=2))
    assert isinstance(view, ScoutView)
    assert view.hand == tuple(Card(*card) for card in HAND)
    assert view.game == "scout"


@given(st.integers(3, 5), st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_greedy_shows_the_longest_then_strongest_set_it_can(players: int, seed: int) -> None:
    for state, seat, move in positions(players, seed, choose):
        if state.phase != "play":
            continue
        hand = [card.up for card in state.hands[seat]]
        shows = [other for other in SCOUT.legal_actions(state, seat) if isinstance(other, Show)]
        if shows:
            assert isinstance(move, Show)
            best = max(strength(hand[show.first : show.first + show.count]) for show in shows)
            assert strength(hand[move.first : move.first + move.count]) == best
        else:
            assert isinstance(move, Scout | ScoutShow)


def test_greedy_turns_a_hand_that_hangs_together_better_turned() -> None:
    view = engine_view(scout_view(phase="orient", viewer=0, hand=((1, 4), (7, 5), (3, 6)), turn=None))
    assert choose(view, Random(1)) == Orient(True)


def test_greedy_scouts_a_card_that_fits() -> None:
    seats = tuple(scout_seat(scout_show=False) for _ in range(3))
    view = scout_view(viewer=0, hand=((1, 9), (4, 8), (5, 2)), active=((10, 3), (10, 6)), owner=1, seats=seats)
    assert write(choose(engine_view(view), Random(1))) == "scout left turned 2"  # 1 3 4 5


def test_greedy_takes_a_scout_and_show_where_it_can_show_nothing() -> None:
    view = scout_view(viewer=0, hand=((1, 9), (4, 8), (5, 2)), active=((10, 3), (10, 6)), owner=1)
    assert write(choose(engine_view(view), Random(1))) == "scout right turned 4 show 2-4"  # 4 5 6


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ([], 0),
        ([4], 0),
        ([4, 9], 0),
        ([5, 5], 4),
        ([5, 6, 7], 9),
        ([7, 6, 5], 9),
        ([5, 5, 6, 7], 13),
        ([1, 2, 9, 9, 9], 13),
    ],
)
def test_worth_counts_what_hangs_together(hand: list[int], expected: int) -> None:
    assert worth(hand) == expected


def test_strongest() -> None:
    assert strongest([3, 4, 8, 8], 0) == Show(2, 2)
    assert strongest([3, 4], strength([9, 9])) is None


class TestLoading:
    def test_a_dotted_path(self) -> None:
        assert load("clients.bots.strategies.greedy:choose") is choose

    def test_a_class_is_made(self) -> None:
        strategy = load("tests.clients.test_strategies:Keeper")
        assert strategy(engine_view(scout_view()), Random(1)) == "keep"

    @pytest.mark.parametrize(
        ("name", "sentence"),
        [
            ("clever", "no strategy 'clever'"),
            ("no.such.module:choose", "cannot be loaded"),
            ("clients.bots.strategies.greedy:nothing", "has no strategy 'nothing'"),
            ("clients.bots.strategies:BUILT_IN", "has no strategy 'BUILT_IN'"),
            ("clients.bots.strategies:", "no strategy"),
        ],
    )
    def test_what_cannot_be_loaded(self, name: str, sentence: str) -> None:
        with pytest.raises(NoStrategy, match=sentence):
            load(name)


class Keeper:
    """A strategy with a memory would look like this."""

    def __call__(self, view: ScoutView, rng: Random) -> str:
        return "keep"


def test_a_round_of_greedy_bots_that_goes_in_circles_comes_to_an_end() -> None:
    rng, state, moves = Random(1), circling(), 0
    while state.phase == "play" and state.turn is not None:
        state = SCOUT.apply(state, state.turn, choose(SCOUT.observe(state, state.turn), rng))
        moves += 1
        assert moves < 2000
    assert moves > 60, "the circle was none"
