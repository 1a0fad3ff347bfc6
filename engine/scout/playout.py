"""Light playouts: quick, sensible and without chance, for bots that look at how rounds tend to go.

The longest, then strongest Show if there is one, else the Scout that fits best.
"""

from itertools import pairwise
from typing import Final

from engine.scout.core import KEEP, TURN, Position, apply, scores

_APART: Final = 99
"""A step between values that are no neighbours in any set."""

LIMIT: Final = 400
"""After so many moves a playout stops: a round with three players can go on for ever with singles."""


def playout(position: Position, limit: int = LIMIT) -> list[int]:
    """Play `position` to the end of the round, in place, and return the points of each seat.

    Where the round is not over after `limit` moves, the points are those of a round that ended as it lies.
    """
    for _ in range(limit):
        if position.over:
            break
        apply(position, light_move(position))
    return scores(position)


def light_move(position: Position) -> int:
    """The move that a light playout makes."""
    seat = position.turn
    hand = position.up[seat]
    if position.waiting:
        return TURN if _joins(position.down[seat]) > _joins(hand) else KEEP
    show, power = strongest(hand)
    if power > position.floor:
        return show
    return _fitting(position, hand)


def strongest(hand: list[int]) -> tuple[int, int]:
    """The strongest set of a hand, as ``first << 4 | count``, and its strength."""
    best = power = begin = 0
    last = step = _APART
    for place, value in enumerate(hand):
        here = value - last
        if here != step:
            if step != _APART:
                found = (place - begin) << 5 | (0 if step else 16) | (last if step < 0 else hand[begin])
                if found > power:
                    best, power = begin << 4 | (place - begin), found
            if -1 <= here <= 1:
                begin, step = place - 1, here
            else:
                step = _APART
        last = value
    if step != _APART:
        place = len(hand)
        found = (place - begin) << 5 | (0 if step else 16) | (last if step < 0 else hand[begin])
        if found > power:
            best, power = begin << 4 | (place - begin), found
    if not power:
        value = max(hand)
        return hand.index(value) << 4 | 1, 1 << 5 | 16 | value
    return best, power


def _joins(hand: list[int]) -> int:
    """How many neighbours could be part of a set together."""
    return sum([-1 <= a - b <= 1 for a, b in pairwise(hand)])


def _worth(left: int, right: int, value: int) -> int:
    """How well a `value` goes in between two cards: 3 joins both, 2 one, and 1 less where it parts a pair."""
    before, after = value - left, right - value
    if not (-1 <= before <= 1 or -1 <= after <= 1):
        return 0
    return (3 if before == after else 2) - (-1 <= right - left <= 1)


_WORTH: Final = tuple(
    bytes(_worth(left, right, value) for left in (-_APART, *range(1, 11)) for right in (_APART, *range(1, 11)))
    + bytes(256 - 11 * 11)
    for value in range(11)
)
"""For each value what it is worth between two cards, ``left * 11 + right``, where 0 stands for the end of the hand.

Each is a table for `bytes.translate`, so that all gaps of a hand are looked at in one call.
"""


def _fitting(position: Position, hand: list[int]) -> int:
    """The Scout whose card joins most, and parts least, where it goes in."""
    table, table_down = position.table_up, position.table_down
    gaps = bytes([left * 11 + right for left, right in pairwise([0, *hand, 0])])
    choices = [(256 << 10, gaps.translate(_WORTH[table[0]])), ((256 | 64) << 10, gaps.translate(_WORTH[table_down[0]]))]
    if len(table) > 1:
        choices.append(((256 | 128) << 10, gaps.translate(_WORTH[table[-1]])))
        choices.append(((256 | 192) << 10, gaps.translate(_WORTH[table_down[-1]])))
    for worth in (3, 2, 1):
        for scout, worths in choices:
            gap = worths.find(worth)
            if gap >= 0:
                return scout | gap << 10
    return choices[0][0]
