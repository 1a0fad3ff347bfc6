"""What the hub answers about one table: the log for one viewer, the legal moves, the record."""

import secrets
from itertools import islice

from protocol import errors
from protocol.commands import Events, Legal
from protocol.pushes import EventLog, LegalMoves
from protocol.pushes import Step as ToldStep
from server.table.fold import Step
from server.table.happened import happened
from server.table.record import record
from server.table.refusal import Refused
from server.table.state import Table


def event_log(command: Events, steps: list[Step], player: str) -> EventLog:
    """Every step after a version, as the player may know it: as the seat they have now, else as the public.

    A seat's view of steps before it sat down is the public one, since a seat belongs to whoever sat there then.
    """
    if command.since > len(steps):
        raise Refused(errors.VERSION_AHEAD)
    told = tuple(_told(step, player) for step in steps[command.since : command.since + command.limit])
    more = command.since + command.limit < len(steps)
    return EventLog(re=command.id, table=command.table, since=command.since, steps=told, more=more)


def _told(step: Step, player: str) -> ToldStep:
    viewer = step.table.seat_of(player)
    return ToldStep(
        version=step.table.version,
        head=step.table.head.hex(),
        by=step.entry.by,
        events=happened(step.transitions, viewer),
    )


def legal_moves(command: Legal, table: Table, player: str) -> LegalMoves:
    """The moves open to the player's seat."""
    seat = table.seat_of(player)
    if seat is None:
        raise Refused(errors.NOT_SEATED)
    decision: int | None = None
    moves: tuple[str, ...] = ()
    more = False
    if table.status == "running" and seat in table.game.actors and not table.seats[seat].left:
        rules = table.rules
        end = command.offset + command.limit
        found = list(islice(rules.legal_actions(table.game, seat), command.offset, end + 1))
        decision = table.seats[seat].decision
        more = len(found) > command.limit
        moves = tuple(rules.write(action) for action in found[: command.limit])
    return LegalMoves(re=command.id, table=table.id, decision=decision, moves=moves, more=more)


def readable_record(steps: list[Step], player: str | None, share: str | None) -> str | None:
    """The record of a finished match, for those who may read it: of a private one its seats, and who has its code."""
    table = steps[-1].table
    if table.status != "over":
        return None
    if table.options.private and table.seat_of(player) is None:
        shared = share is not None and table.share is not None and secrets.compare_digest(share, table.share)
        if not shared:
            return None
    return str(record(steps))


def share_code(table: Table, player: str | None) -> str | None:
    """The code that opens the record of a match to others: none is needed for a public one, else its seats get it."""
    if table.status != "over":
        return None
    if not table.options.private:
        return ""
    return table.share if table.seat_of(player) is not None else None
