"""The strategy `greedy`: the longest, then strongest Show; else a Scout that fits.

It looks at nothing but its own hand and the active set. Where it can show nothing, it takes a Scout & Show if that
shows at least two cards. A Scout fits where the hand hangs together best afterwards, and so does an orientation.

Three who play like this can go in circles with single cards for ever, so it now and then does something else once many
tokens have been paid.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from random import Random
from typing import Final, TypeVar

from engine.scout import SCOUT, Card, Deal, Move, Orient, Scout, ScoutShow, ScoutView, Show
from engine.scout.sets import shows, strength

T = TypeVar("T")
PATIENCE: Final = 60
"""With so many tokens in play a round may be going in circles."""


def choose(view: ScoutView, rng: Random) -> Move:
    """The move."""
    assert view.viewer is not None
    hand = view.hand or ()
    if view.phase == "orient":
        kept, turned = worth(_ups(hand)), worth([card.down for card in hand])
        return Orient(turned > kept or (turned == kept and rng.random() < 0.5))
    if sum(seat.tokens for seat in view.seats) > PATIENCE and rng.random() < 0.25:
        state = SCOUT.sample(view, lambda n: 0)
        return rng.choice([move for move in SCOUT.legal_actions(state, view.viewer) if not isinstance(move, Deal)])
    table = _ups(view.active)
    show = strongest(_ups(hand), strength(table))
    if show is not None:
        return show
    both = _scout_and_show(view) if view.seats[view.viewer].scout_show else None
    return both or _best((worth(after), scout) for scout, after, _ in _scouts(hand, view.active))[1]


def strongest(hand: Sequence[int], floor: int) -> Show | None:
    """The longest, then strongest set in a hand that is stronger than `floor`."""
    found = (Show(code >> 4, code & 15) for code in shows(hand, floor))
    return max(found, key=lambda show: _strength(hand, show), default=None)


def worth(hand: Sequence[int]) -> int:
    """How well a hand hangs together: each longest set counts the square of its length."""
    total = length = step = 0
    for left, right in pairwise(hand):
        gap = right - left
        if length > 1 and gap == step:
            length += 1
            continue
        total += length * length
        length, step = (2, gap) if -1 <= gap <= 1 else (0, 0)
    return total + length * length


def _scout_and_show(view: ScoutView) -> ScoutShow | None:
    offers = []
    for scout, after, left in _scouts(view.hand or (), view.active):
        show = strongest(after, strength(left))
        if show is not None and show.count > 1:
            offers.append((_strength(after, show), ScoutShow(scout, show)))
    return _best(offers)[1] if offers else None


def _scouts(hand: Sequence[Card], active: Sequence[Card]) -> Iterable[tuple[Scout, list[int], list[int]]]:
    """Every Scout with the values of the hand and of the table after it."""
    table = _ups(active)
    ends = ((False, active[0], table[1:]), (True, active[-1], table[:-1]))
    for right, card, left in ends[: len(active)]:
        for turn in (False, True):
            value = card.down if turn else card.up
            for gap in range(len(hand) + 1):
                after = _ups(hand)
                after.insert(gap, value)
                yield Scout(right, turn, gap), after, left


def _best(offers: Iterable[tuple[int, T]]) -> tuple[int, T]:
    return max(offers, key=lambda offer: offer[0])


def _strength(hand: Sequence[int], show: Show) -> int:
    return strength(hand[show.first : show.first + show.count])


def _ups(cards: Iterable[Card]) -> list[int]:
    return [card.up for card in cards]
