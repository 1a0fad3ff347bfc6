"""The cards of SCOUT (scout.md, Cards and deals)."""

from itertools import permutations, starmap
from typing import Final, NamedTuple


class Card(NamedTuple):
    """A card as it lies: `up` is the value that counts, `down` the other half; both from 1 to 10, never equal."""

    up: int
    down: int

    def turned(self) -> "Card":
        """The same card with its other half up."""
        return Card(self.down, self.up)

    def flat(self) -> "Card":
        """The same card with the smaller half up: which card it is, and nothing about how it lies."""
        return self if self.up < self.down else Card(self.down, self.up)

    def __str__(self) -> str:
        """As in records: up, a slash, down."""
        return f"{self.up}/{self.down}"


FLAT: Final = {card: card.flat() for card in starmap(Card, permutations(range(1, 11), 2))}
"""Every card, whichever way it lies, with the smaller half up."""
