"""Which messages there are: every kind of command and message with its type."""

from typing import get_args

from msgspec import Struct

from protocol.commands import AnyCommand
from protocol.pushes import AnyEvent, AnyMessage


def _by_kind(union: object) -> dict[str, type[Struct]]:
    return {str(message.__struct_config__.tag): message for message in get_args(union)}


COMMANDS: dict[str, type[Struct]] = _by_kind(AnyCommand)
"""Every command by its kind."""
MESSAGES: dict[str, type[Struct]] = _by_kind(AnyMessage)
"""Every message of the server by its kind."""
EVENTS: dict[str, type[Struct]] = _by_kind(AnyEvent)
"""Every event by its kind."""
