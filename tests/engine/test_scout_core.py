"""The fast core equals the public rules, and plays out rounds that make sense."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import CHANCE
from engine.scout import SCOUT, State
from engine.scout import core as fast
from engine.scout.bridge import to_action, to_move, to_position, to_state
from engine.scout.decks import FULL
from engine.scout.playout import LIMIT, light_move, playout, strongest
from engine.scout.sets import MAX_HAND, set_strength, shows, strength
from tests.engine.positions import position


@st.composite
def hand_values(draw: st.DrawFn) -> list[int]:
    """The values of a hand of any size; drawn cards are put next to what they fit, for sets are what matters."""
    cards = draw(st.lists(st.sampled_from(FULL), min_size=1, max_size=MAX_HAND, unique=True))
    values: list[int] = []
    for card in cards:
        value = card[draw(st.integers(0, 1))]
        near = [place for place, other in enumerate(values) if abs(other - value) <= 1]
        place = near[0] + draw(st.integers(0, 1)) if near else draw(st.integers(0, len(values)))
        values.insert(place, value)
    return values


HANDS = hand_values()


def dealt(players: int, random: Random) -> State:
    state = SCOUT.initial(players)
    return SCOUT.apply(state, CHANCE, SCOUT.chance(state, random.randrange))


@settings(max_examples=12, deadline=None)
@given(st.integers(2, 5), st.randoms(use_true_random=False))
def test_core_and_rules_agree_along_random_games(players: int, random: Random) -> None:
    state = SCOUT.initial(players)
    while state.actors:
        state = SCOUT.apply(state, CHANCE, SCOUT.chance(state, random.randrange))
        begin, core = state, to_position(state)
        while not core.over:
            seat = min(state.actors)
            assert core.turn == seat
            listed = fast.moves(core)
            actions = {to_action(move) for move in listed}
            assert len(actions) == len(listed)
            assert actions == set(SCOUT.legal_actions(state, seat))
            move = random.choice(listed)
            assert to_move(to_action(move)) == move
            fast.apply(core, move)
            state = SCOUT.apply(state, seat, to_action(move))
            assert to_state(core, begin) == state
            assert same(core, to_position(state))
        assert tuple(fast.scores(core)) == state.results[-1].scores
        assert fast.moves(core) == []


def same(one: fast.Position, two: fast.Position) -> bool:
    """Whether two positions are equal; whose turn it is says nothing once the round is over."""
    names = [name for name in fast.Position.__slots__ if name != "turn" or not one.over]
    return all(getattr(one, name) == getattr(two, name) for name in names)


def brute_force(values: list[int], floor: int) -> set[int]:
    return {
        first << 4 | count
        for first in range(len(values))
        for count in range(1, min(10, len(values) - first) + 1)
        if strength(values[first : first + count]) > floor
    }


@settings(deadline=None)
@given(HANDS, st.lists(st.integers(1, 10), max_size=4))
def test_one_pass_finds_every_set_and_nothing_else(values: list[int], table: list[int]) -> None:
    found = shows(values, strength(table))
    assert len(found) == len(set(found))
    assert set(found) == brute_force(values, strength(table))


@settings(deadline=None)
@given(HANDS)
def test_the_strongest_set_is_the_strongest(values: list[int]) -> None:
    code, power = strongest(values)
    assert power == max(strength(values[found >> 4 : (found >> 4) + (found & 15)]) for found in shows(values, 0))
    assert strength(values[code >> 4 : (code >> 4) + (code & 15)]) == power


def test_no_cards_have_no_strength() -> None:
    assert strength([]) == set_strength([]) == 0
    assert shows([], 0) == []


@pytest.mark.parametrize("table", ["9", "5-6", "4-4-4"])
def test_a_hand_can_be_nearly_the_whole_deck(table: str) -> None:
    hand = " ".join(f"{low}/{high}" for low, high in FULL[: 45 - len(table.split("-")) - 1])
    state = position("1/2", hand, table=table, tokens=(3, 3))
    several = position("1/2", hand, "3/4", table=table)
    for made in (state, several):
        actions = set(SCOUT.legal_actions(made, 1))
        assert actions == {to_action(move) for move in fast.moves(to_position(made))}
        assert all(SCOUT.read(SCOUT.write(action)) == action for action in actions)
        for action in actions:
            SCOUT.check(made, 1, action)


@pytest.mark.parametrize("table", ["", "5"])
def test_a_hand_can_be_the_whole_deck(table: str) -> None:
    """With a set on the table this cannot happen, but nothing breaks."""
    state = position("1/2", " ".join(map(str, FULL)), "3/4", table=table)
    actions = set(SCOUT.legal_actions(state, 1))
    assert actions == {to_action(move) for move in fast.moves(to_position(state))}
    for action in actions:
        SCOUT.check(state, 1, action)


def test_there_is_no_position_before_the_first_deal() -> None:
    with pytest.raises(ValueError, match="dealt"):
        to_position(SCOUT.initial(3))


def test_a_copy_is_independent() -> None:
    core = to_position(dealt(4, Random(1)))
    twin = core.copy()
    assert same(core, twin)
    playout(twin)
    assert twin.over
    assert same(core, to_position(dealt(4, Random(1))))


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 5), st.randoms(use_true_random=False))
def test_light_playouts_make_legal_moves(players: int, random: Random) -> None:
    core = to_position(dealt(players, random))
    moves = 0
    while not core.over and moves < LIMIT:
        move = light_move(core)
        assert move in fast.moves(core)
        fast.apply(core, move)
        moves += 1


def test_light_playouts_show_the_longest_set_and_scout_what_fits() -> None:
    show = position("1 1", "1 3 4 5 9 9", "1", table="8")
    assert SCOUT.write(to_action(light_move(to_position(show)))) == "show 2-4"
    scout = position("1 1", "1 3 5 8", "1", table="4/9-4/7")
    assert SCOUT.write(to_action(light_move(to_position(scout)))) == "scout left 3"


def test_a_playout_stops_at_its_limit() -> None:
    core = to_position(dealt(4, Random(2)))
    assert playout(core, limit=3) == fast.scores(core)
    assert not core.over
