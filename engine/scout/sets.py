"""Sets and their strength (scout.md, A round, 2, Show).

A strength is one integer, so that a set beats another exactly if its strength is greater:
``count << 5 | match << 4 | smallest``. Nothing at all has strength 0, and so has what is no set. A single counts as a
match, so that singles compare by number alone.

A Show is one integer, too, where many of them are listed: ``first << 4 | count``.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

MAX_HAND: Final = 45
"""No hand can be longer than the deck."""

_APART: Final = 99
"""A step between values that are no neighbours in any set."""

_END: Final = 199
"""Stands behind the last value of a hand, and is no neighbour of any."""

_SINGLES: Final = tuple(tuple(first << 4 | 1 for first in range(size)) for size in range(MAX_HAND + 2))


def strength(values: Sequence[int]) -> int:
    """The strength of `values` from left to right; 0 if they are no set."""
    if not values:
        return 0
    if len(values) > 1:
        step = values[1] - values[0]
        if not -1 <= step <= 1 or any(b - a != step for a, b in pairwise(values)):
            return 0
    return set_strength(values)


def set_strength(values: Sequence[int]) -> int:
    """The strength of `values` that are known to be a set, or of none."""
    if not values:
        return 0
    first, last = values[0], values[-1]
    if first == last:
        return len(values) << 5 | 16 | first
    return len(values) << 5 | (first if first < last else last)


def shows(values: Sequence[int], floor: int) -> list[int]:
    """All sets of neighbours in a hand of `values` that are stronger than `floor`, each as ``first << 4 | count``.

    One pass: every set of two or more lies in exactly one longest stretch of neighbours with a constant step of -1, 0
    or 1, and every part of such a stretch is a set.
    """
    size = len(values)
    least = floor >> 5
    if not floor:
        found = list(_SINGLES[size])
    elif least == 1:
        limit = floor & 15
        found = [first << 4 | 1 for first, value in enumerate(values) if value > limit]
    else:
        found = []
    begin, last, step = 0, _APART, _APART
    for place, value in enumerate((*values, _END)):
        here = value - last
        last = value
        if here == step:
            continue
        if step != _APART:
            count = place - begin
            if count == 2 and least < 2:  # by far the most frequent
                found.append(begin << 4 | 2)
            elif count >= least:
                _parts(values, begin, place, step, floor, found)
        if -1 <= here <= 1:
            begin, step = place - 1, here
        else:
            step = _APART
    return found


def _parts(values: Sequence[int], begin: int, end: int, step: int, floor: int, found: list[int]) -> None:
    """Append the parts of one stretch that are stronger than `floor`; singles are dealt with elsewhere."""
    least = floor >> 5
    if least < 2:
        least = 1
    else:
        match = 0 if step else 16
        rest = floor & 31
        across = (1 - least) if step < 0 else 0  # from the first value to the smallest
        found += [
            first << 4 | least for first in range(begin, end - least + 1) if match | (values[first] + across) > rest
        ]
    for count in range(least + 1, end - begin + 1):
        found += range(begin << 4 | count, ((end - count) << 4 | count) + 1, 16)
