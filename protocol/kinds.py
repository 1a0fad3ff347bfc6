"""Which messages there are: every kind of command, message and event with its type, and what answers what."""

from typing import get_args

from msgspec import Struct

from protocol.commands import AnyCommand
from protocol.pushes import AnyEvent, AnyMessage, AnyPush, Done, EventLog, LegalMoves, LobbyPage, Pong, Session


def _by_kind(union: object) -> dict[str, type[Struct]]:
    return {str(message.__struct_config__.tag): message for message in get_args(union)}


COMMANDS: dict[str, type[Struct]] = _by_kind(AnyCommand)
"""Every command by its kind."""
MESSAGES: dict[str, type[Struct]] = _by_kind(AnyMessage)
"""Every message of the server by its kind."""
PUSHES: dict[str, type[Struct]] = _by_kind(AnyPush)
"""Every message that a server sends unasked, by its kind."""
EVENTS: dict[str, type[Struct]] = _by_kind(AnyEvent)
"""Every event by its kind."""

_ANSWERS: dict[str, type[Struct]] = {
    "hello": Session,
    "ping": Pong,
    "lobby": LobbyPage,
    "events": EventLog,
    "legal": LegalMoves,
}
ANSWERS: dict[str, type[Struct]] = {kind: _ANSWERS.get(kind, Done) for kind in COMMANDS}
"""What answers a command of each kind, unless it is refused with `Error`."""
