"""A whole state in one line of text, for tests, bug reports and golden records.

The line is ``scout`` and then one ``name=value`` for each field of `State`, in its order. Cards are written as in
records and joined with commas, seats are letters, ``-`` is nothing, and groups are divided by semicolons.
"""

import re
from collections.abc import Callable, Iterable
from typing import Final, Literal, TypeVar, get_args

from engine.errors import EngineError
from engine.scout.cards import Card
from engine.scout.decks import HANDS
from engine.scout.notation import SEATS, card
from engine.scout.scoring import result_of
from engine.scout.state import State
from engine.scout.view import Phase, RoundResult

LONGEST: Final = 4000
"""No text with more characters than this is read; real ones have under 1500."""

_FIELDS: Final = tuple(State.__dataclass_fields__)
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,3}")
_CHOICES: Final = {None: "-", False: "keep", True: "turn"}
_RIGHTS: Final = {False: "used", True: "open"}
_REASONS: Final[tuple[Literal["emptied", "unbeaten"], ...]] = ("emptied", "unbeaten")

T = TypeVar("T")


def write_text(state: State) -> str:
    """`state` in one line, secrets included."""
    values = (
        str(state.players),
        str(state.round),
        state.phase,
        _seat(state.start),
        _seat(state.turn),
        ";".join(map(_cards, state.hands)),
        ",".join(_CHOICES[choice] for choice in state.turned),
        _cards(state.kept),
        _cards(state.active),
        _seat(state.owner),
        str(state.scouts),
        _numbers(state.captured),
        _numbers(state.tokens),
        ",".join(_RIGHTS[right] for right in state.scout_show),
        _cards(sorted(state.seen)),
        ";".join(_cards(sorted(cards)) for cards in state.own),
        ";".join(map(_result, state.results)) or "-",
    )
    return " ".join(["scout", *(f"{name}={value}" for name, value in zip(_FIELDS, values, strict=True))])


def parse_text(text: str) -> State:
    """The state that `write_text` wrote as `text`.

    Only spelling and shape are checked, so that positions can be made up: nobody counts the cards. Raises
    `EngineError`.
    """
    if len(text) > LONGEST:
        raise EngineError("the text is too long for a state")
    head, *words = text.split(" ")
    pairs = [word.partition("=") for word in words]
    if head != "scout" or tuple(name for name, _, _ in pairs) != _FIELDS:
        raise EngineError(f"a state is written: scout {' '.join(f'{name}=…' for name in _FIELDS)}")
    value = {name: rest for name, _, rest in pairs}
    try:
        state = _state(value)
    except (KeyError, ValueError) as error:
        raise EngineError(f"this is no state: {error}") from error
    if write_text(state) != text:
        raise EngineError("this is no state: it is not written the way states are written")
    return state


def _state(value: dict[str, str]) -> State:
    players = int(value["players"])
    if players not in HANDS:
        raise ValueError("the players are too few or too many")

    def each(name: str, mark: str, read: Callable[[str], T]) -> tuple[T, ...]:
        parts = tuple(map(read, value[name].split(mark)))
        if len(parts) != players:
            raise ValueError(f"{name} needs one entry for each seat")
        return parts

    def seat(name: str) -> int | None:
        return None if value[name] == "-" else _read_seat(value[name], players)

    phases: dict[str, Phase] = {phase: phase for phase in get_args(Phase)}
    phase, turn = phases[value["phase"]], seat("turn")
    if (phase == "play") != (turn is not None):
        raise ValueError("somebody is on turn in phase play, and only there")
    results = value["results"]
    return State(
        players=players,
        round=_number(value["round"]),
        phase=phase,
        start=seat("start"),
        turn=turn,
        hands=each("hands", ";", _read_cards),
        turned=each("turned", ",", {mark: choice for choice, mark in _CHOICES.items()}.__getitem__),
        kept=_read_cards(value["kept"]),
        active=_read_cards(value["active"]),
        owner=seat("owner"),
        scouts=_number(value["scouts"]),
        captured=each("captured", ",", _number),
        tokens=each("tokens", ",", _number),
        scout_show=each("scout_show", ",", {mark: right for right, mark in _RIGHTS.items()}.__getitem__),
        seen=frozenset(_read_cards(value["seen"])),
        own=each("own", ";", lambda part: frozenset(_read_cards(part))),
        results=() if results == "-" else tuple(_read_result(part, players) for part in results.split(";")),
    )


def _seat(seat: int | None) -> str:
    return "-" if seat is None else SEATS[seat]


def _read_seat(text: str, players: int) -> int:
    return dict(zip(SEATS[:players], range(players), strict=True))[text]


def _cards(cards: Iterable[Card]) -> str:
    return ",".join(map(str, cards)) or "-"


def _read_cards(text: str) -> tuple[Card, ...]:
    return () if text == "-" else tuple(map(_read_card, text.split(",")))


def _read_card(text: str) -> Card:
    found = card(text)
    if found is None:
        raise ValueError(f"{text[:20]!r} is no card")
    return found


def _numbers(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"{text[:20]!r} is no number")
    return int(text)


def _result(result: RoundResult) -> str:
    counts = map(_numbers, (result.captured, result.tokens, result.hand))
    return "/".join([str(result.round), result.reason, _seat(result.ender), *counts])


def _read_result(text: str, players: int) -> RoundResult:
    number, reason, ender, *rest = text.split("/")
    counts = [tuple(map(_number, part.split(","))) for part in rest]
    if len(counts) != 3 or any(len(part) != players for part in counts):
        raise ValueError("a result has captured cards, tokens and cards in hand for each seat")
    captured, tokens, hand = counts
    reasons: dict[str, Literal["emptied", "unbeaten"]] = {known: known for known in _REASONS}
    return result_of(_number(number), reasons[reason], _read_seat(ender, players), captured, tokens, hand)
