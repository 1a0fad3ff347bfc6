"""From a log to a table: the only place where a table's state changes."""

from collections.abc import Callable
from typing import Any, NamedTuple

from msgspec.structs import replace

from server.table import acts, playing, seating
from server.table.acts import AnyAct, Entry
from server.table.chain import next_head
from server.table.impossible import Impossible, need
from server.table.state import Table
from server.table.text import entry_text

__all__ = ["Impossible", "Step", "Transition", "change", "finish", "fold"]


class Transition(NamedTuple):
    """One act, with the table before and after it. `before` is `None` for the creation."""

    before: Table | None
    act: AnyAct
    after: Table


class Step(NamedTuple):
    """One entry, with all that it changed."""

    entry: Entry
    transitions: tuple[Transition, ...]
    table: Table


def change(id: str, table: Table | None, act: AnyAct, at: int) -> Table:
    """The table after one more act. Raises `Impossible`, or the engine's `MoveError` for a wrong move."""
    if table is None:
        if not isinstance(act, acts.Created):
            raise Impossible("A log begins with a creation.")
        return seating.create(id, act, at)
    if isinstance(act, acts.Created):
        raise Impossible("A table is created once.")
    need(table.status != "closed", "Nothing happens at a closed table.")
    return _APPLY[type(act)](table, act, at)


def finish(table: Table, version: int, text: str, at: int) -> Table:
    """Close an entry: count it, chain it and note when it happened."""
    head = next_head(table.head, table.seed, version, text)
    return replace(table, version=version, head=head, changed=at)


def fold(table: Table | None, entry: Entry, id: str) -> Step:
    """The step that an entry of table `id` is. Raises `Impossible` or `MoveError` where it cannot follow."""
    transitions = []
    before = table
    for act in entry.acts:
        after = change(id, before, act, entry.at)
        transitions.append(Transition(before, act, after))
        before = after
    if before is None or not transitions:
        raise Impossible("An entry has at least one act.")
    after = finish(before, before.version + 1, entry_text(entry, before), entry.at)
    return Step(entry, tuple(transitions), after)


_APPLY: dict[type[Any], Callable[[Table, Any, int], Table]] = {
    acts.Sat: seating.sat,
    acts.Stood: seating.stood,
    acts.BotAsked: seating.bot_asked,
    acts.BotsOffered: seating.bots_offered,
    acts.Readied: seating.readied,
    acts.RevealAsked: seating.reveal_asked,
    acts.Revealed: seating.revealed,
    acts.Started: seating.started,
    acts.Chance: playing.dealt,
    acts.Moved: playing.moved,
    acts.Minded: playing.minded,
    acts.Back: playing.back,
    acts.SaidNext: playing.said_next,
    acts.Voted: playing.voted,
    acts.Rematched: playing.rematched,
    acts.Closed: playing.closed,
}
