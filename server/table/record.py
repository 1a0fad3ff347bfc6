"""The record of a finished match: everything that happened, in text, with the seed that opens it.

    [Game "scout"]                     the header, as in PGN
    …
    [Seed "…"]

    1. ; +0 created scout - 2 60 …     what happened, a line for each act
    ; head 1 4f2a…                     the head of the chain, as it was shown in every view of that version
    …
    = 12 9                             the totals

The engine replays it as it is; `server.table.verify` checks all of it.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from engine.game import Outcome
from engine.record import Record, RecordLine
from server.table.fold import Step
from server.table.state import Table
from server.table.text import act_line

SEAT_LETTERS = "ABCDE"
_EPOCH = datetime.fromtimestamp(0, UTC)
_MS = timedelta(milliseconds=1)


def record(steps: Sequence[Step]) -> Record:
    """The record of a whole log of a finished match, from the creation on."""
    table = steps[-1].table
    lines = [line for step in steps for line in step_lines(step)]
    return whole(table, lines)


def whole(table: Table, lines: Iterable[RecordLine]) -> Record:
    """The record with these lines: the header and the totals follow from the table at the end."""
    outcome = outcome_of(table)
    return Record(
        table.options.game, len(table.seats), table.variant, tuple(tags(table, outcome)), tuple(lines), outcome.scores
    )


def outcome_of(table: Table) -> Outcome:
    """How the match of a table ended that is over."""
    outcome = table.rules.outcome(table.game)
    assert outcome is not None
    return outcome


def step_lines(step: Step) -> Iterable[RecordLine]:
    """The lines of one entry, and the head after it."""
    version = step.table.version
    for act in step.entry.acts:
        yield act_line(version, act, step.entry.at - step.table.created)
    yield head_line(version, step.table.head)


def head_line(version: int, head: bytes) -> RecordLine:
    """The line that shows the head after an entry."""
    return RecordLine(comment=f"head {version} {head.hex()}")


def tags(table: Table, outcome: Outcome) -> Iterable[tuple[str, str]]:
    """The header after game, players and variant."""
    yield "Table", table.id
    yield "Created", written_time(table.created)
    for letter, seat in zip(SEAT_LETTERS, table.seats, strict=False):
        yield f"Seat{letter}", seat.name
    yield "Winners", " ".join(SEAT_LETTERS[seat] for seat in outcome.winners)
    yield "Commitment", table.commitment.hex()
    yield "Seed", table.seed.hex()


def written_time(at: int) -> str:
    """A time, in milliseconds since 1970, as the header shows it."""
    return (_EPOCH + at * _MS).isoformat(timespec="milliseconds")


def read_time(text: str) -> int:
    """The time that `written_time` wrote. Raises `ValueError`."""
    at = datetime.fromisoformat(text)
    if at.tzinfo is None or at < _EPOCH:
        raise ValueError("this is no time since 1970")
    ms = (at - _EPOCH) // _MS
    if written_time(ms) != text:
        raise ValueError("times are not written like this")
    return ms
