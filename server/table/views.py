"""A table as each audience may see it: the one place where what leaves the server about a table is put together.

It is built up from nothing, field by field; a secret that is not named here cannot leave.
"""

from typing import NamedTuple

import msgspec

from protocol.options import TableOptions
from protocol.pushes import AnyEvent, LobbySeat, LobbyTable, MyTable, TableSeat, View
from protocol.scout import ScoutView
from protocol.values import By
from server.table.due import shown_deadline
from server.table.state import Seat, Table

_encode = msgspec.msgpack.Encoder().encode


class Own(NamedTuple):
    """What a viewer alone is told of a table; see `View`."""

    invite: str | None
    you: int | None
    decision: int | None
    deadline_ms: int | None


def view(
    table: Table, viewer: int | None, now: int, grace: int, by: By = "server", events: tuple[AnyEvent, ...] = ()
) -> View:
    """The whole table as `viewer` (a seat, or `None` for the public) may know it.

    Args:
        now: the store's time, for the time left.
        grace: no limit runs out before.
        by: who caused `events`.
        events: what just happened, as this viewer may know it.
    """
    game = None
    if table.begun:
        game = msgspec.convert(table.rules.observe(table.game, viewer), ScoutView, from_attributes=True)
    return whole(table, own(table, viewer, now, grace), game, by, events)


def own(table: Table, viewer: int | None, now: int, grace: int) -> Own:
    """What `viewer` alone is told; see `view`."""
    at = shown_deadline(table, viewer)
    left = max(0, max(at, grace) - now) if at is not None else None
    if viewer is None:
        return Own(invite=None, you=None, decision=None, deadline_ms=left)
    seat = table.seats[viewer]
    asked = table.status == "running" and viewer in table.to_act and not seat.left
    return Own(invite=table.invite, you=viewer, decision=seat.decision if asked else None, deadline_ms=left)


def whole(table: Table, own: Own, game: ScoutView | None, by: By, events: tuple[AnyEvent, ...]) -> View:
    """What everybody may know of a table, together with what one viewer is told."""
    return View(
        table=table.id,
        version=table.version,
        head=table.head.hex(),
        status=table.status,
        options=table.options,
        quick=table.quick,
        commitment=table.commitment.hex(),
        seed=table.seed.hex() if table.status == "over" else None,
        invite=own.invite,
        seats=tuple([_seat(table, each) for each in table.seats]),
        you=own.you,
        decision=own.decision,
        to_act=table.to_act,
        deadline_ms=own.deadline_ms,
        bots_offered=table.bots_offered and table.status == "open",
        rematch=table.rematch,
        closed=table.closed,
        game=game,
        by=by,
        events=events,
    )


def encoded_view(view: View) -> bytes:
    """The frame that carries a view."""
    return _encode(view)


def _seat(table: Table, seat: Seat) -> TableSeat:
    shown = table.begun and seat.nonce is not None
    return TableSeat(
        name=seat.name if not seat.free else None,
        player=seat.player,
        bot=seat.bot,
        asked=seat.asked,
        ready=seat.ready,
        commitment=seat.commitment.hex() if seat.commitment is not None else None,
        nonce=seat.nonce.hex() if shown and seat.nonce is not None else None,
        minded=seat.minded,
        left=seat.left,
        next=seat.next,
        votes=len(seat.votes),
        reserved=seat.kept.name if seat.kept is not None else None,
    )


class Listing(msgspec.Struct, frozen=True):
    """What the lobby needs of a public table."""

    status: str
    options: TableOptions
    quick: bool
    seats: tuple[tuple[str | None, bool, str | None], ...]
    created: int


def listing(table: Table) -> bytes | None:
    """What the lobby shows of a table; `None` for private and ended ones."""
    if table.options.private or table.ended:
        return None
    seats = tuple((seat.name if not seat.free else None, seat.bot, seat.player) for seat in table.seats)
    return _encode(Listing(table.status, table.options, table.quick, seats, table.created))


_listing = msgspec.msgpack.Decoder(Listing)


def read_listing(data: bytes) -> Listing:
    """The listing that `listing` made."""
    return _listing.decode(data)


def lobby_table(id: str, listed: Listing, spectators: int, now: int) -> LobbyTable:
    """One line of the lobby."""
    return LobbyTable(
        table=id,
        status=listed.status,  # type: ignore[arg-type]  # kept as it was written
        options=listed.options,
        seats=tuple(LobbySeat(name=name, bot=bot) for name, bot, _ in listed.seats),
        spectators=spectators,
        age_s=max(0, now - listed.created) // 1000,
    )


class Wants(msgspec.Struct, frozen=True):
    """Which seats of a table ask for a bot, and of which kind."""

    seats: tuple[tuple[int, str], ...]
    private: bool
    invite: str | None


def wants(table: Table) -> bytes | None:
    """What bots are told of a table; `None` where no seat asks for one."""
    if table.status != "open":
        return None
    asked = tuple((index, seat.asked) for index, seat in enumerate(table.seats) if seat.asked is not None)
    if not asked:
        return None
    return _encode(Wants(asked, table.options.private, table.invite))


_wants = msgspec.msgpack.Decoder(Wants)


def read_wants(data: bytes) -> Wants:
    """What `wants` made."""
    return _wants.decode(data)


def my_table(table: Table, seat: int) -> MyTable:
    """One of the tables at which a player sits."""
    to_act = seat in table.to_act and not table.seats[seat].left
    return MyTable(table=table.id, seat=seat, status=table.status, to_act=to_act)
