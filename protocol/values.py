"""The small values that messages are made of, with their limits."""

from typing import Annotated, Literal

from msgspec import Meta

SUBPROTOCOL_MSGPACK = "bigtop.v1.msgpack"
SUBPROTOCOL_JSON = "bigtop.v1.json"

MAX_FRAME_BYTES = 16 * 1024
"""The largest frame a server reads."""
MAX_DEPTH = 8
"""The deepest nesting a server reads."""
MAX_INTEGER = 2**53 - 1
"""The largest number a client may send: every language, JavaScript and Lua among them, holds it exactly."""
MAX_SEATS = 5
MAX_MOVE_CHARS = 64
MAX_LEGAL_MOVES = 2000
"""The most moves in one answer to `legal`."""
MAX_EVENT_STEPS = 200
"""The most steps in one answer to `events`."""
MAX_LOBBY_TABLES = 100
DEFAULT_MOVE_SECONDS = 60
CORRESPONDENCE_SECONDS = 3600
"""From this limit per move on (or without any), a table is played by correspondence."""

CommandId = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[!-~]+$(?!\n)")]
"""Made by the client, new for each command; the same id again means the same command again."""
TableId = Annotated[str, Meta(min_length=12, max_length=12, pattern=r"^[0-9a-z]+$(?!\n)")]
"""Public: knowing it gives no right."""
PlayerId = Annotated[str, Meta(min_length=16, max_length=16, pattern=r"^[0-9a-z]+$(?!\n)")]
"""Public: knowing it gives no right."""
Invite = Annotated[str, Meta(min_length=8, max_length=32, pattern=r"^[0-9a-z-]+$(?!\n)")]
"""Opens a private table to whoever has it."""
Token = Annotated[str, Meta(min_length=32, max_length=64, pattern=r"^[0-9A-Za-z_-]+$(?!\n)")]
"""Secret: whoever has it is the player."""
Name = Annotated[str, Meta(min_length=1, max_length=24)]
Hex32 = Annotated[str, Meta(min_length=64, max_length=64, pattern=r"^[0-9a-f]+$(?!\n)")]
"""32 bytes in hexadecimal."""
Seat = Annotated[int, Meta(ge=0, lt=MAX_SEATS)]
"""From 0, in the order of play."""
Version = Annotated[int, Meta(ge=0, le=MAX_INTEGER)]
"""How many entries the table's log has."""
Decision = Annotated[int, Meta(ge=1, le=MAX_INTEGER)]
"""Numbers what one seat is asked in one match, from 1."""
Level = Annotated[str, Meta(max_length=32, pattern=r"^[0-9A-Za-z_.:-]*$(?!\n)")]
"""Which kind of bot; empty for any."""
GameName = Literal["scout"]
Card = tuple[Annotated[int, Meta(ge=1, le=10)], Annotated[int, Meta(ge=1, le=10)]]
"""A card as it lies: the upper value, then the other half."""
Status = Literal["open", "revealing", "running", "break", "over", "closed"]
"""Waiting for players; waiting for nonces; a round is played; between two rounds; finished; gone."""
By = Literal["player", "minder", "server"]
"""Who caused a step: a player, the minder of a seat, or the server (a limit that ran out)."""
