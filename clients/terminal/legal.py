"""The legal moves in few lines: there can be over a thousand."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from rich.cells import cell_len

WIDTH: Final = 78
SOME: Final = 12
"""So many ways to Scout & Show are listed."""
_SHOW: Final = re.compile(r"show (\d+)(?:-(\d+))?")
_SCOUT: Final = re.compile(r"(scout (?:left|right)(?: turned)?) (\d+)")


def legal_lines(moves: Sequence[str], hand: Sequence[tuple[int, int]]) -> list[str]:
    """Shows with their cards, Scouts by the places for the card, then how many moves of each sort there are."""
    shows = [(move, found) for move in moves if (found := _SHOW.fullmatch(move))]
    scouts: dict[str, list[int]] = {}
    for move in moves:
        if found := _SCOUT.fullmatch(move):
            scouts.setdefault(found[1], []).append(int(found[2]))
    both = [move for move in moves if " show " in move]
    plain = sum(map(len, scouts.values()))
    others = [move for move in moves if not _SHOW.match(move) and not move.startswith("scout ")]
    lines = columns(others)
    lines += columns(f"{move} ({_cards(found, hand)})" for move, found in shows)
    lines += columns(f"{scout} {_places(places)}" for scout, places in scouts.items())
    if len(both) <= SOME:
        lines += columns(both)
    else:
        lines.append(f"  {both[0]}, and the like: a Scout and a Show at once")
    if shows or plain or both:
        lines.append(f"  Shows: {len(shows)}; Scouts: {plain}; Scout & Shows: {len(both)}.")
    return lines


def columns(words: Iterable[str]) -> list[str]:
    """Words side by side in columns of one width, row by row."""
    words = list(words)
    if not words:
        return []
    cell = max(map(cell_len, words)) + 2
    many = max(1, WIDTH // cell)
    rows = [words[at : at + many] for at in range(0, len(words), many)]
    return ["  " + "".join(word.ljust(cell) for word in row).rstrip() for row in rows]


def _cards(found: re.Match[str], hand: Sequence[tuple[int, int]]) -> str:
    first, last = int(found[1]), int(found[2] or found[1])
    return "-".join(str(up) for up, _ in hand[first - 1 : last])


def _places(places: Sequence[int]) -> str:
    """`1`, or `1 to 13` if all between are there, too."""
    if len(places) == 1:
        return str(places[0])
    if len(places) == max(places) - min(places) + 1:
        return f"{min(places)} to {max(places)}"
    return ", ".join(map(str, places))
