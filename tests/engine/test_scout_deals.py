"""Deals: the exact order of the draws, and which deals are accepted (scout.md, Cards and deals)."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from engine.errors import IllegalMove
from engine.game import CHANCE
from engine.scout import SCOUT, Card, Deal, State
from engine.scout.decks import DECKS, HANDS, shuffled
from engine.scout.scoring import finish_round


def scripted(answer: Callable[[int, int], int]) -> tuple[Callable[[int], int], list[int]]:
    """A `pick` that gives ``answer(index of the draw, n)``, and the list of what it was asked for."""
    asked: list[int] = []

    def pick(n: int) -> int:
        asked.append(n)
        return answer(len(asked) - 1, n)

    return pick, asked


def ended_round(state: State) -> State:
    """The state in which the round that was just dealt has ended."""
    return finish_round(replace(state, phase="play", turn=0, turned=(False,) * state.players), "emptied", 0)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_draws_are_a_shuffle_then_orientations_then_the_start(players: int) -> None:
    size = len(DECKS[players])
    pick, asked = scripted(lambda index, n: n - 1)
    deal = SCOUT.chance(SCOUT.initial(players), pick)
    assert asked == [*range(size, 1, -1), *[2] * size, players]
    # Each exchange was of a card with itself, and each card was turned.
    assert [card.turned() for hand in (*deal.hands, deal.kept) for card in hand] == list(DECKS[players])
    assert deal.start == players - 1
    assert [len(hand) for hand in deal.hands] == [HANDS[players]] * players


def test_the_draws_of_a_small_deck_by_hand() -> None:
    deck = [Card(1, 2), Card(1, 3), Card(1, 4), Card(1, 5)]
    draws = iter([0, 2, 1, 1, 0, 0, 1])
    # 3 with 0: 5 3 4 2; 2 with 2; 1 with 1; then the first and the last are turned.
    assert shuffled(deck, lambda n: next(draws)) == [Card(5, 1), Card(1, 3), Card(1, 4), Card(2, 1)]


def test_later_rounds_start_one_seat_further_without_a_draw() -> None:
    state = SCOUT.initial(3)
    state = ended_round(SCOUT.apply(state, CHANCE, SCOUT.chance(state, lambda n: n - 1)))
    pick, asked = scripted(lambda index, n: 0)
    deal = SCOUT.chance(state, pick)
    assert deal.start == 0
    assert len(asked) == 35 + 36


def test_the_second_round_of_two_players_draws_nothing() -> None:
    state = SCOUT.initial(2)
    first = SCOUT.chance(state, lambda n: 0)
    state = ended_round(SCOUT.apply(state, CHANCE, first))
    pick, asked = scripted(lambda index, n: 0)
    second = SCOUT.chance(state, pick)
    assert asked == []
    assert second == Deal(1 - first.start, (first.kept[:11], first.kept[11:]))
    for forged in (
        Deal(second.start, second.hands[::-1]),
        Deal(second.start, first.hands),
        Deal(second.start, second.hands, first.kept),
        Deal(second.start, (tuple(card.turned() for card in second.hands[0]), second.hands[1])),
    ):
        assert refusal(state, forged) == "wrong_cards"
    assert refusal(state, Deal(first.start, second.hands)) == "wrong_start"


def refusal(state: State, deal: Deal) -> str:
    with pytest.raises(IllegalMove) as refused:
        SCOUT.apply(state, CHANCE, deal)
    return refused.value.code


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_forged_deals_are_refused(players: int) -> None:
    state = SCOUT.initial(players)
    deal = SCOUT.chance(state, lambda n: 0)
    first, second, *rest = deal.hands
    forgeries = {
        "a card twice": ((*first[:-1], second[0]), second, *rest),
        "a card too few": (first[:-1], second, *rest),
        "a card moved": (first[:-1], (*second, first[-1]), *rest),
        "a card that there is not": ((*first[:-1], Card(11, 0)), second, *rest),
        "a card with equal halves": ((*first[:-1], Card(3, 3)), second, *rest),
        "a hand too few": deal.hands[:-1],
        "a hand too many": (*deal.hands, ()),
    }
    for name, hands in forgeries.items():
        assert refusal(state, replace(deal, hands=hands)) == "wrong_cards", name
    assert refusal(state, replace(deal, kept=(*deal.kept, Card(1, 2)))) == "wrong_cards"
    for start in (-1, players):
        assert refusal(state, replace(deal, start=start)) == "wrong_start"
    for start in range(players):
        assert SCOUT.apply(state, CHANCE, replace(deal, start=start)).start == start


def test_a_later_round_must_be_started_by_the_next_seat() -> None:
    state = SCOUT.initial(4)
    state = ended_round(SCOUT.apply(state, CHANCE, SCOUT.chance(state, lambda n: n - 1)))
    deal = SCOUT.chance(state, lambda n: 0)
    assert deal.start == 0
    assert refusal(state, replace(deal, start=1)) == "wrong_start"


@pytest.mark.parametrize(("players", "variant"), [(1, ""), (6, ""), (3, "teams")])
def test_only_offered_tables_begin(players: int, variant: str) -> None:
    with pytest.raises(ValueError, match="SCOUT"):
        SCOUT.initial(players, variant)
