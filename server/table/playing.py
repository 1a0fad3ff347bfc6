"""What the acts from the start on do to a table: moves, deals, minders, the breaks between rounds, the end."""

from typing import Any

from msgspec.structs import replace

from engine.game import CHANCE
from server.table import acts
from server.table.impossible import need, seat_at, with_seat
from server.table.state import Table

_IN_MATCH = ("running", "break")


def _played(table: Table, actor: int, move: str) -> Any:
    rules = table.rules
    action = rules.read(move)
    need(rules.write(action) == move, "A log has one notation for each move.")
    return rules.apply(table.game, actor, action)


def dealt(table: Table, act: acts.Chance, at: int) -> Table:
    """A deal or a shuffle."""
    need(table.status in _IN_MATCH and CHANCE in table.game.actors, "No deal is due here.")
    game = _played(table, CHANCE, act.move)
    seats = tuple(replace(seat, next=False, votes=(), since=at) for seat in table.seats)
    return replace(table, game=game, seats=seats, status="running", since=at, chances=table.chances + 1)


def moved(table: Table, act: acts.Moved, at: int) -> Table:
    """A move of a player or of the minder. Raises the engine's `MoveError` for a wrong one."""
    need(table.status == "running", "No round is being played.")
    need(seat_at(table, act.seat).minded == act.minder, "The minder plays for minded seats, and for no others.")
    game = _played(table, act.seat, act.move)
    asked = game.actors - table.game.actors
    seats = tuple(
        replace(seat, decision=seat.decision + 1, since=at, votes=(), resumed=False)
        if index == act.seat
        else (replace(seat, since=at) if index in asked else seat)
        for index, seat in enumerate(table.seats)
    )
    status = table.status
    if not game.actors:
        status = "over"
    elif CHANCE in game.actors and table.rules.pauses(game):
        status = "break"
    since = table.since if status == table.status else at
    return replace(table, game=game, seats=seats, status=status, since=since)


def minded(table: Table, act: acts.Minded, at: int) -> Table:
    """The minder takes over: after its usual pause, or at once where a limit of hours has already passed."""
    seat = seat_at(table, act.seat)
    need(table.status in _IN_MATCH, "Only a match has minders.")
    need(not seat.left and (act.reason == "left" or not seat.minded), "The minder plays there already.")
    since = seat.since if act.reason == "time" and table.correspondence else at
    seats = with_seat(table, act.seat, minded=True, left=act.reason == "left", since=since, votes=())
    return replace(table, seats=seats)


def back(table: Table, act: acts.Back, at: int) -> Table:
    """A player plays again, with the whole limit."""
    seat = seat_at(table, act.seat)
    need(table.status in _IN_MATCH and seat.minded and not seat.left, "Only a minded seat can be taken back.")
    resumed = table.status == "running" and act.seat in table.game.actors
    return replace(table, seats=with_seat(table, act.seat, minded=False, since=at, resumed=resumed))


def said_next(table: Table, act: acts.SaidNext, at: int) -> Table:
    """A result was read."""
    need(table.status == "break" and not seat_at(table, act.seat).next, "No result is waiting to be read.")
    return replace(table, seats=with_seat(table, act.seat, next=True))


def voted(table: Table, act: acts.Voted, at: int) -> Table:
    """One more wants a seat minded."""
    votes = seat_at(table, act.against).votes
    seat_at(table, act.seat)
    need(table.status in _IN_MATCH and act.seat not in (act.against, *votes), "This vote does not count.")
    return replace(table, seats=with_seat(table, act.against, votes=(*votes, act.seat)))


def rematched(table: Table, act: acts.Rematched, at: int) -> Table:
    """There is another table."""
    seat_at(table, act.seat)
    need(table.status == "over" and table.rematch is None, "One rematch comes after the match.")
    return replace(table, rematch=act.table)


def closed(table: Table, act: acts.Closed, at: int) -> Table:
    """Nothing more happens."""
    return replace(table, status="closed", closed=act.reason, since=at, waiting=None, full=None)
