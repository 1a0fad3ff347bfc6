"""What can happen at a table besides the moves of its game. None of it is secret, except where a field says so."""

from typing import Literal

from msgspec import Struct

from protocol.values import Hex32, Level, Name, Seat, TableId


class TableEvent(Struct, frozen=True, kw_only=True, tag_field="kind"):
    """What every event has: its kind."""


class Created(TableEvent, frozen=True, kw_only=True, tag="created"):
    """The table was created."""


class Sat(TableEvent, frozen=True, kw_only=True, tag="sat"):
    """A player took a seat.

    Attributes:
        seat: which.
        name: the player's name.
        bot: whether it is a program.
    """

    seat: Seat
    name: Name
    bot: bool


class Stood(TableEvent, frozen=True, kw_only=True, tag="stood"):
    """A seat was freed before the start.

    Attributes:
        seat: which.
        reason: the player stood up, was cleared by somebody who may, was not ready in time, or did not reveal in time.
    """

    seat: Seat
    reason: Literal["stood", "cleared", "unready", "unrevealed"]


class BotAsked(TableEvent, frozen=True, kw_only=True, tag="bot_asked"):
    """A bot was asked for.

    Attributes:
        seat: for which seat.
        level: which kind of bot; empty for any.
    """

    seat: Seat
    level: Level


class BotsOffered(TableEvent, frozen=True, kw_only=True, tag="bots_offered"):
    """Players have waited for 20 s: those who sit here may ask for bots, and a client should offer it."""


class Readied(TableEvent, frozen=True, kw_only=True, tag="readied"):
    """A seat is ready.

    Attributes:
        seat: which.
        commitment: what it committed to, if anything.
    """

    seat: Seat
    commitment: Hex32 | None


class RevealAsked(TableEvent, frozen=True, kw_only=True, tag="reveal_asked"):
    """All are ready: those who committed to a nonce have 10 s to tell it."""


class Revealed(TableEvent, frozen=True, kw_only=True, tag="revealed"):
    """A seat told its nonce. What it is stands in the record.

    Attributes:
        seat: which.
    """

    seat: Seat


class Started(TableEvent, frozen=True, kw_only=True, tag="started"):
    """The match started.

    Attributes:
        seats: the former numbers of the seats that play, in their new order.
    """

    seats: tuple[Seat, ...]


class Minded(TableEvent, frozen=True, kw_only=True, tag="minded"):
    """From now on the minder plays this seat.

    Attributes:
        seat: which.
        reason: its time ran out, its player left for good, or the others voted for it.
    """

    seat: Seat
    reason: Literal["time", "left", "voted"]


class Back(TableEvent, frozen=True, kw_only=True, tag="back"):
    """A player plays their minded seat themselves again.

    Attributes:
        seat: which.
    """

    seat: Seat


class SaidNext(TableEvent, frozen=True, kw_only=True, tag="said_next"):
    """A seat has seen the result of the round.

    Attributes:
        seat: which.
    """

    seat: Seat


class Voted(TableEvent, frozen=True, kw_only=True, tag="voted"):
    """A seat voted to have another one minded.

    Attributes:
        seat: who votes.
        against: whose player is away.
    """

    seat: Seat
    against: Seat


class RematchMade(TableEvent, frozen=True, kw_only=True, tag="rematch_made"):
    """There is a table for another match with the same seats.

    Attributes:
        seat: who asked first.
        table: the new table.
    """

    seat: Seat
    table: TableId


class TableClosed(TableEvent, frozen=True, kw_only=True, tag="table_closed"):
    """The table is closed for good.

    Attributes:
        reason: a stable word: `empty`, `abandoned`, `operator`, `store`.
    """

    reason: str


AnyTableEvent = (
    Created
    | Sat
    | Stood
    | BotAsked
    | BotsOffered
    | Readied
    | RevealAsked
    | Revealed
    | Started
    | Minded
    | Back
    | SaidNext
    | Voted
    | RematchMade
    | TableClosed
)
