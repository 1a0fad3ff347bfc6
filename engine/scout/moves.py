"""What can happen in a game of SCOUT: the moves of the seats, and the deal."""

from dataclasses import dataclass

from engine.scout.cards import Card


@dataclass(frozen=True, slots=True)
class Orient:
    """Keep the dealt hand, or turn it as a whole (scout.md, A round, 1). Written ``keep`` or ``turn``."""

    turn: bool


@dataclass(frozen=True, slots=True)
class Show:
    """Lay down `count` neighbouring cards, the leftmost at index `first` (from 0).

    Written ``show 3-5``, counted from 1, and ``show 3`` for one card (``show 3-3`` is read as well).
    """

    first: int
    count: int


@dataclass(frozen=True, slots=True)
class Scout:
    """Take an end of the active set into the hand.

    Attributes:
        right: the right end; a set of one card has only a left end.
        turn: put it in with its other half up.
        gap: the index in the hand that the card will have (0 to the number of cards in the hand).

    Written ``scout left 4`` or ``scout right turned 1``: the last number is the place in the hand, from 1.
    """

    right: bool
    turn: bool
    gap: int


@dataclass(frozen=True, slots=True)
class ScoutShow:
    """A Scout and at once a Show, as one move. `show` counts in the hand after the Scout.

    Written ``scout left 4 show 3-5``.
    """

    scout: Scout
    show: Show


@dataclass(frozen=True, slots=True)
class Deal:
    """The deal of one round, made by chance.

    Attributes:
        start: the seat that begins.
        hands: each seat's cards from left to right, before the orientation choice.
        kept: the cards kept back for the second round of two players, its hands one after the other; else empty.

    Written ``deal A 7/2 3/4 … | 1/5 … |`` with one group for each hand, ``keeping 1/2 …`` at the end where cards are
    kept back.
    """

    start: int
    hands: tuple[tuple[Card, ...], ...]
    kept: tuple[Card, ...] = ()


Move = Orient | Show | Scout | ScoutShow
Action = Move | Deal
