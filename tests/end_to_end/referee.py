"""A referee who compares what players noted with the record.

The referee reads what the clients noted when their moves were acknowledged, and the record that the server gives out
at the end, and nothing else of the server's.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.record import Record
from server.table.verify import WrongRecord, verify
from tests.end_to_end.noting import Log

Move = tuple[int, int, str]
"""Seat, version and notation."""


class Faults(Exception):
    """What the referee found."""


@dataclass
class Findings:
    """What comparing the players' logs of a match with its record has shown.

    Attributes:
        moves: how many moves of players the record has.
        lost: moves that were acknowledged, but are not in the record.
        twice: moves that were acknowledged twice.
        unasked: moves in the record that nobody was told of, and that nobody is in doubt about.
        forked: what speaks for two histories: versions that were shown with two heads, or not with the record's.
        minded: how often a seat's time ran out.
    """

    moves: int = 0
    lost: list[Move] = field(default_factory=list)
    twice: list[Move] = field(default_factory=list)
    unasked: list[Move] = field(default_factory=list)
    forked: list[str] = field(default_factory=list)
    minded: int = 0

    @property
    def doubled(self) -> list[Move]:
        """Moves that count more often than they were made."""
        return self.twice + self.unasked


def compare(logs: Sequence[Log], record: Record) -> Findings:
    """Compare the moves of the players' logs with the record."""
    played, minded = set[Move](), 0
    for line in record.moves:
        if line.actor is not None and line.actor >= 0 and not _by_minder(line.comment):
            assert line.number is not None
            played.add((line.actor, line.number, line.move))
        minded += line.comment is not None and " minded " in line.comment
    acknowledged = [(move.seat, move.version, move.move) for log in logs for move in log.moves]
    doubts = Counter((doubt.seat, doubt.move) for log in logs for doubt in log.doubts)
    unasked = []
    for move in sorted(played.difference(acknowledged)):
        if doubts[move[0], move[2]] > 0:
            doubts[move[0], move[2]] -= 1
        else:
            unasked.append(move)
    return Findings(
        moves=len(played),
        lost=[move for move in acknowledged if move not in played],
        twice=[move for move, times in Counter(acknowledged).items() if times > 1],
        unasked=unasked,
        minded=minded,
    )


def _by_minder(comment: str | None) -> bool:
    return comment is not None and comment.endswith(" minder")


def judge(logs: Sequence[Log], text: str) -> int:
    """Compare the players' logs with the record. Returns the number of moves; raises `Faults` for any difference."""
    record = Record.parse(text)
    list(record.states())
    found = compare(logs, record)
    if found.lost:
        raise Faults(f"acknowledged, but not in the record: {found.lost[:3]}")
    if found.twice:
        raise Faults("a move was acknowledged twice")
    if found.unasked:
        raise Faults(f"in the record, but never acknowledged: {found.unasked[:3]}")
    return found.moves


def histories(logs: Sequence[Log]) -> tuple[dict[int, str], list[str]]:
    """The heads that players were shown by version, and what speaks for more than one history."""
    heads: dict[int, str] = {}
    forked = [f"version {version} was shown with two heads" for log in logs for version in log.forks]
    for log in logs:
        for version, head in log.heads.items():
            if heads.setdefault(version, head) != head:
                forked.append(f"two players were shown version {version} with different heads")
    return heads, forked


def judge_match(logs: Sequence[Log], text: str) -> Findings:
    """Compare the players' logs with the record of a finished match, the shown heads too, and check all of it."""
    heads, forked = histories(logs)
    found = compare(logs, Record.parse(text))
    found.forked = forked
    try:
        verify(text, heads)
    except WrongRecord as wrong:
        found.forked.append(str(wrong))
    return found
