"""What follows from acts, and the entry that holds both.

A deal rides in the entry of the move, the `next` or the nonce that causes it: there is no half step to die in.
"""

from collections.abc import Iterator

from engine.game import CHANCE
from protocol.values import By
from server.table import acts
from server.table.acts import AnyAct, Cause, Entry
from server.table.draws import Draws
from server.table.fold import Step, Transition, change, finish
from server.table.state import Seat, Table
from server.table.text import entry_text


def compose(
    id: str,
    table: Table | None,
    made: tuple[AnyAct, ...],
    now: int,
    by: By,
    cause: Cause | None = None,
    present: frozenset[str] = frozenset(),
) -> Step:
    """The step in which `made` happens, with all that follows from it.

    Args:
        id: the table's id.
        table: the table before; `None` to create it, and then `made` begins with the creation.
        made: acts that `decide` or `due` allowed.
        now: the store's time; a log never goes back in time, even if that does.
        present: the players who are connected, of whom a break waits for the people.
    """
    transitions: list[Transition] = []
    every: list[AnyAct] = []
    pending = list(made)
    current = table
    at = now if table is None else max(now, table.changed)
    while True:
        for act in pending:
            before, current = current, change(id, current, act, at)
            transitions.append(Transition(before, act, current))
        assert current is not None
        every += pending
        pending = list(_consequences(current, present))
        if not pending:
            break
    entry = Entry(at=at, by=by, acts=tuple(every), cause=cause)
    current = finish(current, current.version + 1, entry_text(entry, current), at)
    return Step(entry, tuple(transitions), current)


def _consequences(table: Table, present: frozenset[str]) -> Iterator[AnyAct]:
    """What the table does by itself in this state, at once."""
    match table.status:
        case "open":
            if all(not seat.free and seat.ready for seat in table.seats):
                yield begin(table, tuple(range(len(table.seats))))
        case "revealing":
            if not table.to_act:
                yield acts.Started(tuple(index for index, seat in enumerate(table.seats) if not seat.free))
        case "running":
            if CHANCE in table.game.actors:
                yield chance(table)
        case "break":
            readers = awaited(table.seats, present)
            if readers and all(seat.next for seat in readers):
                yield chance(table)
        case _:
            pass


def begin(table: Table, ready: tuple[int, ...]) -> acts.RevealAsked | acts.Started:
    """What comes when these seats are ready: their nonces, if any committed to one, else the match."""
    if any(table.seats[index].commitment is not None for index in ready):
        return acts.RevealAsked()
    return acts.Started(ready)


def awaited(seats: tuple[Seat, ...], present: frozenset[str]) -> list[Seat]:
    """Whose `next` a break waits for: the present people or, where there are none, the bots.

    Nobody counts as present for a moment after an outage of the store. Then it is all of them.
    """
    own = [seat for seat in seats if not seat.minded and (not present or seat.player in present)]
    return [seat for seat in own if not seat.bot] or own


def chance(table: Table) -> acts.Chance:
    """The deal or shuffle that is due, drawn as anybody can check later."""
    rules = table.rules
    nonces = [seat.nonce for seat in table.seats]
    draws = Draws(table.seed, nonces, table.id, f"chance {table.chances + 1}")
    return acts.Chance(rules.write(rules.chance(table.game, draws.pick)))
