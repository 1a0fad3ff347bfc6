"""What happens at a table when time passes: its limits, the minder, and the end of tables nobody wants."""

from collections.abc import Iterator

from protocol import values
from server.table import acts
from server.table.acts import AnyAct
from server.table.compose import begin, chance
from server.table.minder import minded_move
from server.table.state import Seat, Table

OFFER_MS = 20_000
"""How long somebody waits in quick match before bots are offered."""
UNREADY_MS = 10_000
"""How long a full table of quick match waits for those who are not ready."""
REVEAL_MS = 10_000
"""How long nonces may take."""
BREAK_MS = 20_000
"""How long a result is shown at most."""
MINDER_MS = 1_000
"""How long the minder waits before it plays."""
EMPTY_MS = 10 * 60_000
"""How long an empty table that has not started is kept."""
ABANDONED_MS = 60 * 60_000
"""How long a clocked match goes on with nobody connected."""


def limit_ms(table: Table, seat: Seat) -> int | None:
    """How long a seat may take for its decision, whoever plays it.

    Where players come by every few hours, the minder gives them the whole limit each turn; not those who left.
    """
    seconds = table.options.move_seconds
    if seat.left or (seat.minded and (seconds is None or seconds < values.CORRESPONDENCE_SECONDS)):
        return MINDER_MS
    return None if seconds is None else seconds * 1000


def deadline(table: Table) -> int | None:
    """When the table next wants to be looked at; `None` for never."""
    return min(_deadlines(table), default=None)


def shown_deadline(table: Table, viewer: int | None) -> int | None:
    """When the limit runs out that `viewer` sees: the own one for a seat that is asked, else the first to run out."""
    if table.status == "open":
        return _unready_due(table)
    if viewer is not None and table.status == "running" and viewer in table.to_act:
        return _turn_deadline(table, table.seats[viewer])
    return deadline(table)


def _deadlines(table: Table) -> Iterator[int]:
    match table.status:
        case "open":
            if table.quick and table.waiting is not None and not table.bots_offered:
                yield table.waiting + OFFER_MS
            unready = _unready_due(table)
            if unready is not None:
                yield unready
        case "revealing":
            yield table.since + REVEAL_MS
        case "break":
            yield table.since + BREAK_MS
        case "running":
            for index in table.to_act:
                at = _turn_deadline(table, table.seats[index])
                if at is not None:
                    yield at
        case _:
            pass


def _turn_deadline(table: Table, seat: Seat) -> int | None:
    limit = limit_ms(table, seat)
    return None if limit is None else seat.since + limit


def _unready_due(table: Table) -> int | None:
    return table.full + UNREADY_MS if table.quick and table.full is not None else None


def due(table: Table, now: int) -> tuple[AnyAct, ...]:
    """What happens because of the time; nothing when no limit has run out. The caller sees to the store's grace."""
    at = deadline(table)
    if at is None or now < at:
        return ()
    match table.status:
        case "open":
            return tuple(_open_due(table, now))
        case "revealing":
            return tuple(acts.Stood(index, "unrevealed") for index in table.to_act)
        case "break":
            return (chance(table),)
        case _:
            return tuple(_turn_due(table, now))


def _open_due(table: Table, now: int) -> Iterator[AnyAct]:
    if table.waiting is not None and not table.bots_offered and now >= table.waiting + OFFER_MS:
        yield acts.BotsOffered()
    unready = _unready_due(table)
    if unready is None or now < unready:
        return
    ready = tuple(index for index, seat in enumerate(table.seats) if seat.ready)
    for index, seat in enumerate(table.seats):
        if not seat.ready:
            yield acts.Stood(index, "unready")
    if len(ready) in table.rules.seats:
        yield begin(table, ready)


def _turn_due(table: Table, now: int) -> Iterator[AnyAct]:
    """The seats whose time is over: those that are minded move, the others are minded from now on.

    One minded move at a time: what the others may do can depend on it.
    """
    for index in table.to_act:
        seat = table.seats[index]
        at = _turn_deadline(table, seat)
        if at is None or now < at:
            continue
        if seat.minded:
            yield acts.Moved(index, minded_move(table, index), minder=True)
            return
        yield acts.Minded(index, "time")


def swept(table: Table, now: int, last_seen: int) -> tuple[AnyAct, ...]:
    """The end of a table nobody wants; `last_seen` is when anybody was last connected to it.

    A table for correspondence may wait for ever, once somebody sits there.
    """
    away = now - max(last_seen, table.created)
    kept = table.correspondence and any(not seat.free for seat in table.seats)
    if not table.begun and table.status != "closed" and away >= EMPTY_MS and not kept:
        return (acts.Closed("empty"),)
    if table.begun and not table.ended and not table.correspondence and away >= ABANDONED_MS:
        return (acts.Closed("abandoned"),)
    return ()
