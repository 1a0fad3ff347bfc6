"""The notation of moves, as the docstrings of `engine.scout.moves` describe it.

`write` has one spelling for each move. `read` also takes upper case, extra spaces and ``show 3-3`` for ``show 3``, and
refuses everything else.
"""

import re
from functools import lru_cache
from typing import Final

from engine.errors import InvalidMove
from engine.scout.cards import Card
from engine.scout.codes import INVALID
from engine.scout.decks import HANDS
from engine.scout.moves import Action, Deal, Orient, Scout, ScoutShow, Show
from engine.scout.sets import MAX_HAND

LONGEST: Final = 1000
"""No text with more characters than this is read; the longest deal has about 250."""

SEATS: Final = "ABCDE"
"""The letters of the seats."""

_PLACE: Final = re.compile(r"[1-9][0-9]?")
_PLACES: Final = re.compile(r"([1-9][0-9]?)(?:-([1-9][0-9]?))?")
_CARD: Final = re.compile(r"([1-9]|10)/([1-9]|10)")


def write(action: Action) -> str:
    """The notation of `action`."""
    if isinstance(action, Orient):
        return "turn" if action.turn else "keep"
    if isinstance(action, Show):
        first, last = action.first + 1, action.first + action.count
        return f"show {first}" if first == last else f"show {first}-{last}"
    if isinstance(action, Scout):
        return f"scout {'right' if action.right else 'left'} {'turned ' if action.turn else ''}{action.gap + 1}"
    if isinstance(action, ScoutShow):
        return f"{write(action.scout)} {write(action.show)}"
    words = ["deal", SEATS[action.start]]
    for hand in action.hands:
        words += [*map(str, hand), "|"]
    if action.kept:
        words += ["keeping", *map(str, action.kept)]
    return " ".join(words)


@lru_cache(maxsize=4096)  # there are few moves, and each is read again whenever it is applied or described
def read(text: str) -> Action:
    """The action that `text` denotes. Raises `InvalidMove` with one of the codes in `engine.scout.codes.INVALID`."""
    if len(text) > LONGEST:
        raise _invalid("too_long")
    if not (text.isascii() and text.replace(" ", "a").isprintable()):
        raise _invalid("bad_character")
    words = text.lower().split()
    match words:
        case ["keep"]:
            return Orient(False)
        case ["turn"]:
            return Orient(True)
        case ["show", *rest]:
            return _show(rest)
        case ["scout", *rest] if "show" in rest:
            cut = rest.index("show")
            return ScoutShow(_scout(rest[:cut]), _show(rest[cut + 1 :]))
        case ["scout", *rest]:
            return _scout(rest)
        case ["deal", start, *rest] if start.upper() in SEATS and len(start) == 1:
            return _deal(SEATS.index(start.upper()), rest)
        case ["deal", *_]:
            raise _invalid("bad_deal")
    raise _invalid("unknown_move")


def card(text: str) -> Card | None:
    """The card that `text` denotes, as ``7/2``, or `None`."""
    halves = _CARD.fullmatch(text)
    if halves is None or halves[1] == halves[2]:
        return None
    return Card(int(halves[1]), int(halves[2]))


def _show(words: list[str]) -> Show:
    places = _PLACES.fullmatch(words[0]) if len(words) == 1 else None
    if places is None:
        raise _invalid("bad_show")
    first, last = int(places[1]), int(places[2] or places[1])
    if not first <= last <= MAX_HAND:
        raise _invalid("bad_show")
    return Show(first - 1, last - first + 1)


def _scout(words: list[str]) -> Scout:
    match words:
        case ["left" | "right" as end, place]:
            turn = False
        case ["left" | "right" as end, "turned", place]:
            turn = True
        case _:
            raise _invalid("bad_scout")
    if not _PLACE.fullmatch(place) or int(place) > MAX_HAND:
        raise _invalid("bad_scout")
    return Scout(end == "right", turn, int(place) - 1)


def _deal(start: int, words: list[str]) -> Deal:
    groups: list[tuple[Card, ...]] = [()]
    keeping = False
    for word in words:
        if word == "|" and not keeping:
            groups.append(())
        elif word == "keeping" and not keeping and not groups[-1]:
            keeping = True
        else:
            groups[-1] += (_card(word),)
    *hands, kept = groups
    if len(hands) not in HANDS or bool(kept) != keeping:
        raise _invalid("bad_deal")
    return Deal(start, tuple(hands), kept)


def _card(word: str) -> Card:
    found = card(word)
    if found is None:
        raise _invalid("bad_deal")
    return found


def _invalid(code: str) -> InvalidMove:
    return InvalidMove(code, INVALID[code])
