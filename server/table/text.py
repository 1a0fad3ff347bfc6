"""The text of a log: one line for each act, as it stands in the record and as the chain binds it.

    12. B show 3-5 ; +15220          a move, 15.22 s after the creation
    13. C scout left 1 ; +76220 minder
    14. ; +76300 sat 2 k3… bot "House bot"

Lines of an entry share its number. What follows the semicolon is a comment to the engine, which replays the moves.
`read_line` gives every act back, so that a record alone is enough to check a match.
"""

import json
from collections.abc import Callable
from typing import Any

from engine.game import CHANCE
from engine.record import RecordLine
from server.table import acts
from server.table.acts import AnyAct, Entry
from server.table.state import Table


def entry_lines(entry: Entry, table: Table) -> list[RecordLine]:
    """An entry as its record shows it; `table` is the table after its acts, before it was counted."""
    return [act_line(table.version + 1, act, entry.at - table.created) for act in entry.acts]


def entry_text(entry: Entry, table: Table) -> str:
    """The same as text: what the chain binds."""
    return "\n".join(map(str, entry_lines(entry, table)))


def act_line(number: int, act: AnyAct, after_ms: int) -> RecordLine:
    """One act as a line of the record."""
    if isinstance(act, acts.Moved):
        return RecordLine(number, act.seat, act.move, f"+{after_ms} minder" if act.minder else f"+{after_ms}")
    if isinstance(act, acts.Chance):
        return RecordLine(number, CHANCE, act.move, f"+{after_ms}")
    return RecordLine(number, comment=f"+{after_ms} {_WRITE[type(act)](act)}")


def _optional(data: bytes | None) -> str:
    return data.hex() if data is not None else "-"


def _created(act: acts.Created) -> str:
    kept = "".join(f" {who.player} {_quote(who.name)}" if who else " -" for who in act.reserved)
    limit = "-" if act.move_seconds is None else str(act.move_seconds)
    flags = ("private " if act.private else "") + ("quick " if act.quick else "")
    return (
        f"created {act.game} {act.variant or '-'} {act.seats} {limit} {flags}by {act.creator} "
        f"commitment {act.commitment.hex()}{' kept' + kept if kept else ''}"
    )


def _quote(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


_WRITE: dict[type[Any], Callable[[Any], str]] = {
    acts.Created: _created,
    acts.Sat: lambda act: f"sat {act.seat} {act.player} {'bot' if act.bot else 'person'} {_quote(act.name)}",
    acts.Stood: lambda act: f"stood {act.seat} {act.reason}",
    acts.BotAsked: lambda act: f"bot_asked {act.seat} {act.level}".rstrip(),
    acts.BotsOffered: lambda act: "bots_offered",
    acts.Readied: lambda act: f"readied {act.seat} {_optional(act.commitment)}",
    acts.RevealAsked: lambda act: "reveal_asked",
    acts.Revealed: lambda act: f"revealed {act.seat} {act.nonce.hex()}",
    acts.Started: lambda act: "started " + " ".join(map(str, act.seats)),
    acts.Minded: lambda act: f"minded {act.seat} {act.reason}",
    acts.Back: lambda act: f"back {act.seat}",
    acts.SaidNext: lambda act: f"said_next {act.seat}",
    acts.Voted: lambda act: f"voted {act.seat} {act.against}",
    acts.Rematched: lambda act: f"rematched {act.seat} {act.table}",
    acts.Closed: lambda act: f"closed {act.reason}".rstrip(),
}
