"""Which cards are in play, and how chance deals them (scout.md, Cards and deals)."""

from collections.abc import Iterable
from typing import Final

from engine.game import Pick
from engine.scout.cards import Card

FULL: Final = tuple(Card(low, high) for low in range(1, 11) for high in range(low + 1, 11))
"""All 45 cards, the smaller half up, in ascending order."""

_WITHOUT_9_10: Final = tuple(card for card in FULL if card != (9, 10))

DECKS: Final[dict[int, tuple[Card, ...]]] = {
    2: _WITHOUT_9_10,
    3: tuple(card for card in FULL if card.down != 10),
    4: _WITHOUT_9_10,
    5: FULL,
}
"""The deck for each number of players, in the order in which a shuffle starts."""

HANDS: Final[dict[int, int]] = {2: 11, 3: 12, 4: 11, 5: 9}
"""How many cards each seat is dealt, for each number of players."""


def shuffled(cards: Iterable[Card], pick: Pick) -> list[Card]:
    """The `cards` in random order and orientation.

    The draws are, in this order: Fisher and Yates from the last index i down to 1 with ``pick(i + 1)`` as the index to
    exchange it with; then ``pick(2)`` for each card of the new order, 1 to turn it. `bigtop verify` depends on it.
    """
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        other = pick(last + 1)
        order[last], order[other] = order[other], order[last]
    return [card.turned() if pick(2) else card for card in order]
