"""What a table's log is made of: entries, each of one or more acts.

An entry is one step: all its acts happen together, or none does. Acts are facts, already checked; whatever followed
from a command (a deal, the start, the minder's move) rides in the entry of that command.
"""

from typing import Literal

import msgspec
from msgspec import Struct

from protocol.values import By

SCHEMA = 1
"""The version of the entries this code writes. A process refuses entries of a newer one."""


class Reserved(Struct, frozen=True, array_like=True):
    """Somebody a seat of a rematch is kept for."""

    player: str
    name: str


class Act(Struct, frozen=True, tag_field="act"):
    """What every act has: its name."""


class Created(Act, frozen=True, tag="created"):
    """The table was made. `seed` is secret until the end.

    Of a private table, `invite` opens it, and `share` its record; the seats may hand them on.
    """

    game: str
    variant: str
    seats: int
    private: bool
    move_seconds: int | None
    quick: bool
    seed: bytes
    commitment: bytes
    invite: str | None
    creator: str
    reserved: tuple[Reserved | None, ...] = ()
    share: str | None = None


class Sat(Act, frozen=True, tag="sat"):
    """A player took a seat."""

    seat: int
    player: str
    name: str
    bot: bool


class Stood(Act, frozen=True, tag="stood"):
    """A seat was freed: of its player, of a bot that was asked for it, or of whom it was kept for."""

    seat: int
    reason: Literal["stood", "cleared", "unready", "unrevealed"]


class BotAsked(Act, frozen=True, tag="bot_asked"):
    """A bot was asked for on a free seat."""

    seat: int
    level: str


class BotsOffered(Act, frozen=True, tag="bots_offered"):
    """Waiting has taken long enough to offer bots."""


class Readied(Act, frozen=True, tag="readied"):
    """A seat is ready, and committed to a nonce or not."""

    seat: int
    commitment: bytes | None


class RevealAsked(Act, frozen=True, tag="reveal_asked"):
    """All are ready, and somebody has committed to a nonce."""


class Revealed(Act, frozen=True, tag="revealed"):
    """A seat told its nonce."""

    seat: int
    nonce: bytes


class Started(Act, frozen=True, tag="started"):
    """The match started with these seats; from now on they are numbered in this order."""

    seats: tuple[int, ...]


class Chance(Act, frozen=True, tag="chance"):
    """A deal or a shuffle, in the game's notation."""

    move: str


class Moved(Act, frozen=True, tag="moved"):
    """A seat's move, in the game's notation."""

    seat: int
    move: str
    minder: bool


class Minded(Act, frozen=True, tag="minded"):
    """From now on the minder plays a seat; for good when its player left."""

    seat: int
    reason: Literal["time", "left", "voted"]


class Back(Act, frozen=True, tag="back"):
    """A player took their minded seat back."""

    seat: int


class SaidNext(Act, frozen=True, tag="said_next"):
    """A seat has read the result of the round."""

    seat: int


class Voted(Act, frozen=True, tag="voted"):
    """A seat wants another one minded, whose player is away."""

    seat: int
    against: int


class Rematched(Act, frozen=True, tag="rematched"):
    """There is a table for another match."""

    seat: int
    table: str


class Closed(Act, frozen=True, tag="closed"):
    """The table is closed for good."""

    reason: str


AnyAct = (
    Created
    | Sat
    | Stood
    | BotAsked
    | BotsOffered
    | Readied
    | RevealAsked
    | Revealed
    | Started
    | Chance
    | Moved
    | Minded
    | Back
    | SaidNext
    | Voted
    | Rematched
    | Closed
)


class Cause(Struct, frozen=True):
    """Which command made an entry: so that the log itself tells a repeat from something new.

    Attributes:
        player: whose command.
        id: the command's id.
        digest: of its body.
    """

    player: str
    id: str
    digest: bytes


class Entry(Struct, frozen=True):
    """One step of a table.

    Attributes:
        at: when, in the store's time, in milliseconds since 1970.
        by: who caused it.
        acts: what happened, in order.
        cause: the command, if one did.
        schema: the version of this form.
    """

    at: int
    by: By
    acts: tuple[AnyAct, ...]
    cause: Cause | None = None
    schema: int = SCHEMA


class NewerEntry(Exception):
    """An entry was written by a newer version of the server, which this one must not guess at."""


class _Schema(Struct, frozen=True):
    schema: int


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Entry)
_schema = msgspec.msgpack.Decoder(_Schema)


def encode_entry(entry: Entry) -> bytes:
    """The entry as the store keeps it."""
    return _encoder.encode(entry)


def decode_entry(data: bytes) -> Entry:
    """The entry from the store. Raises `NewerEntry` for one that a newer server wrote."""
    try:
        entry = _decoder.decode(data)
    except msgspec.ValidationError:
        if _schema.decode(data).schema > SCHEMA:
            raise NewerEntry("This table was changed by a newer version of the server.") from None
        raise
    if entry.schema > SCHEMA:
        raise NewerEntry("This table was changed by a newer version of the server.")
    return entry
