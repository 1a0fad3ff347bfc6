"""Back from the lines of a record to the acts they tell of. What cannot be read raises `UnreadableLine`."""

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple, get_args, get_type_hints

from engine.game import CHANCE
from engine.record import RecordLine
from server.table import acts
from server.table.acts import AnyAct, Reserved


class UnreadableLine(Exception):
    """A line that is no line of a record."""


class ActLine(NamedTuple):
    """A line of an entry: the entry's number, the act, and when it happened, in milliseconds from the creation."""

    number: int
    act: AnyAct
    after_ms: int


_COMMENT = re.compile(r"\+([0-9]{1,15})(?: (.*))?")
_CREATED = re.compile(
    r"created (\S+) (\S+) ([0-9]{1,2}) (-|[0-9]{1,9}) (private )?(quick )?"
    r"by (\S+) commitment ([0-9a-f]{64})(?: kept (.+))?"
)
_KEPT = re.compile(r'- ?|([0-9a-z]+) ("(?:[^"\\]|\\.)*") ?')
_SAT = re.compile(r'sat ([0-9]) ([0-9a-z]+) (bot|person) (".*")')


def read_line(line: RecordLine, seed: bytes) -> ActLine:
    """The act that a line tells of. `seed` is the header's; a creation carries it."""
    match = _COMMENT.fullmatch(line.comment or "")
    if match is None or line.number is None:
        raise UnreadableLine("this is no line of an entry")
    rest: str | None = match[2]
    if line.actor is None:
        act = _table_act(rest or "", seed)
    elif line.actor == CHANCE and rest is None:
        act = acts.Chance(line.move)
    elif line.actor != CHANCE and rest in (None, "minder"):
        act = acts.Moved(line.actor, line.move, minder=rest == "minder")
    else:
        raise UnreadableLine("nothing like this can follow a move")
    return ActLine(line.number, act, int(match[1]))


def _table_act(text: str, seed: bytes) -> AnyAct:
    word, _, rest = text.partition(" ")
    try:
        if word == "created":
            return _created(text, seed)
        if word == "sat":
            return _sat(text)
        return _READ[word](*rest.split())
    except (KeyError, ValueError, TypeError, IndexError):
        raise UnreadableLine(f"nothing of a table is written like this: {text[:60]!r}") from None


def _created(text: str, seed: bytes) -> AnyAct:
    match = _CREATED.fullmatch(text)
    if match is None:
        raise ValueError(text)
    game, variant, seats, limit, private, quick, creator, commitment, kept = match.groups()
    return acts.Created(
        game=game,
        variant="" if variant == "-" else variant,
        seats=int(seats),
        private=private is not None,
        move_seconds=None if limit == "-" else int(limit),
        quick=quick is not None,
        seed=seed,
        commitment=bytes.fromhex(commitment),
        invite=None,
        creator=creator,
        reserved=tuple(
            Reserved(found[1], _name(found[2])) if found[1] else None for found in _KEPT.finditer(kept or "")
        ),
    )


def _sat(text: str) -> AnyAct:
    match = _SAT.fullmatch(text)
    if match is None:
        raise ValueError(text)
    seat, player, kind, name = match.groups()
    return acts.Sat(int(seat), player, _name(name), kind == "bot")


def _name(text: str) -> str:
    name = str(json.loads(text))
    if not name or not name.isprintable():
        raise ValueError(text)
    return name


def _data(text: str) -> bytes:
    if len(text) != 64:
        raise ValueError(text)
    return bytes.fromhex(text)


def _reason(act: type[Any], text: str) -> Any:
    if text not in get_args(get_type_hints(act)["reason"]):
        raise ValueError(text)
    return text


_READ: dict[str, Callable[..., AnyAct]] = {
    "stood": lambda seat, reason: acts.Stood(int(seat), _reason(acts.Stood, reason)),
    "bot_asked": lambda seat, level="": acts.BotAsked(int(seat), level),
    "bots_offered": acts.BotsOffered,
    "readied": lambda seat, commitment: acts.Readied(int(seat), None if commitment == "-" else _data(commitment)),
    "reveal_asked": acts.RevealAsked,
    "revealed": lambda seat, nonce: acts.Revealed(int(seat), _data(nonce)),
    "started": lambda *seats: acts.Started(tuple(map(int, seats))),
    "minded": lambda seat, reason: acts.Minded(int(seat), _reason(acts.Minded, reason)),
    "back": lambda seat: acts.Back(int(seat)),
    "said_next": lambda seat: acts.SaidNext(int(seat)),
    "voted": lambda seat, against: acts.Voted(int(seat), int(against)),
    "rematched": lambda seat, table: acts.Rematched(int(seat), table),
    "closed": lambda reason="": acts.Closed(reason),
}
