"""From what clients noted and the final records to figures."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor

import msgspec

from tests.end_to_end.noting import Log
from tests.end_to_end.referee import Findings, histories, judge_match
from tests.faults.inject import Fault
from tests.faults.notebook import Drop, Match, Note, Refusals

QUIET = "none"
"""What a pause is told under that no fault explains."""
FORGETTING = frozenset({"redis_empty", "redis_older"})
"""Faults that take stored moves away: what they concern has to be closed."""
AFTERWARDS_SECONDS = 1.0
"""How long after a fault a pause still counts as its own."""
JUDGES = 2


class Figures(msgspec.Struct):
    """What came out.

    Attributes:
        moves: acknowledged moves that the records hold.
        moves_at_closed_tables: acknowledged moves at tables that were closed with a reason, so that there is no record.
        forgotten: matches whose records were in a store that has lost them since.
        faults: how many there were of each kind.
        lost: acknowledged moves that the record lacks.
        doubled: moves that were acknowledged twice, or that the record has though nobody was told.
        forked: what speaks for two histories of a table that was not closed.
        unfinished: tables that were neither closed nor played to their end.
        untimely: limits that ran out at another time than players had been told.
        closed: how many tables were closed, by the reason.
        longest_pause: in seconds, from the acknowledgement of the last move to the next player's view of it and from
            sending the next move to its acknowledgement, by kind of fault.
        longest_recovery: the same, where Redis was away, without the time for which it was.
        longest_away: in seconds from losing a connection to being known again, by kind of fault.
        longest_hesitation: in seconds from losing a connection to the first try, by kind of fault.
        hesitation: the median of it.
        close_codes: how often connections ended with which close code, by kind of fault.
        refusals: how often servers answered with which error.
    """

    moves: int = 0
    moves_at_closed_tables: int = 0
    forgotten: int = 0
    faults: dict[str, int] = {}
    lost: list[str] = []
    doubled: list[str] = []
    forked: list[str] = []
    unfinished: list[str] = []
    untimely: list[str] = []
    closed: dict[str, int] = {}
    longest_pause: dict[str, float] = {}
    longest_recovery: dict[str, float] = {}
    longest_away: dict[str, float] = {}
    longest_hesitation: dict[str, float] = {}
    hesitation: float = 0.0
    close_codes: dict[str, dict[str, int]] = {}
    refusals: dict[str, int] = {}


class Windows:
    """When which fault was; faults of one site follow each other."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self._faults = sorted(faults, key=lambda fault: fault.began)
        self._ends = [fault.ended + AFTERWARDS_SECONDS for fault in self._faults]

    def kind(self, began: float, ended: float) -> str:
        """The kind of the fault that a span of time mostly lies in."""
        fault = self.fault(began, ended)
        return fault.kind if fault else QUIET

    def fault(self, began: float, ended: float) -> Fault | None:
        """The fault that a span of time mostly lies in."""
        longest, found = 0.0, None
        for at in range(bisect_left(self._ends, began), len(self._faults)):
            fault = self._faults[at]
            if fault.began > ended:
                break
            common = min(ended, self._ends[at]) - max(began, fault.began)
            if common > longest:
                longest, found = common, fault
        return found


def figures(notes: Iterable[Note], faults: Sequence[Fault], records: Mapping[str, str]) -> Figures:
    """The figures of one site.

    Args:
        notes: what its clients noted.
        faults: what it suffered.
        records: of all matches that came to their end, by table.
    """
    found = Figures(faults=dict(Counter(fault.kind for fault in faults)))
    windows = Windows(faults)
    hesitations: list[float] = []
    finished: list[Match] = []
    for note in notes:
        match note:
            case Match():
                if _look_at(note, found):
                    finished.append(note)
                for began, ended, seconds in pauses(note.logs):
                    fault = windows.fault(began, ended)
                    _longest(found.longest_pause, fault.kind if fault else QUIET, seconds)
                    if fault and fault.down:
                        _longest(found.longest_recovery, fault.kind, max(0.0, seconds - fault.down))
            case Drop():
                _count_drop(note, windows, found, hesitations)
            case Refusals():
                found.refusals = dict(Counter(found.refusals) + Counter(note.codes))
    found.hesitation = round(sorted(hesitations)[len(hesitations) // 2], 3) if hesitations else 0.0
    _judge([match for match in finished if match.table in records], records, found)
    forgetting = max((fault.ended for fault in faults if fault.kind in FORGETTING), default=0.0)
    for match in finished:
        if match.table not in records:
            if _last_move(match.logs) < forgetting:
                found.forgotten += 1
            else:
                found.lost.append(f"{match.table}: no record")
    return found


def _last_move(logs: Sequence[Log]) -> float:
    return max(move.acknowledged for log in logs for move in log.moves)


def _look_at(match: Match, found: Figures) -> bool:
    """Whether a match came to its end, so that its record can be judged; else why not."""
    reasons = {log.closed for log in match.logs if log.closed}
    if reasons and match.failure is None and all(log.over or log.closed for log in match.logs):
        # A table that is closed may have been shown with two histories before: that is why it was closed.
        found.moves_at_closed_tables += sum(len(log.moves) for log in match.logs)
        reason = " or ".join(sorted(reasons))
        found.closed[reason] = found.closed.get(reason, 0) + 1
        return False
    if match.failure is None and all(log.over for log in match.logs):
        return True
    found.unfinished.append(f"{match.table}: {match.failure or 'not all were shown its end'}")
    found.forked += [f"{match.table}: {sentence}" for sentence in histories(match.logs)[1]]
    return False


def _judge(matches: Sequence[Match], records: Mapping[str, str], found: Figures) -> None:
    with ProcessPoolExecutor(JUDGES) as judges:
        texts = (records[match.table] for match in matches)
        all_findings = judges.map(judge_match, (match.logs for match in matches), texts, chunksize=8)
        for match, findings in zip(matches, all_findings, strict=True):
            add_findings(match.table, findings, found)


def add_findings(table: str, findings: Findings, found: Figures) -> None:
    """Count what the referee found at one table."""
    found.moves += findings.moves - len(findings.unasked)
    for words, into in ((findings.lost, found.lost), (findings.doubled, found.doubled)):
        into += [f"{table}: seat {seat}, version {version}, {move}" for seat, version, move in words]
    found.forked += [f"{table}: {sentence}" for sentence in findings.forked]


def pauses(logs: Sequence[Log]) -> Iterator[tuple[float, float, float]]:
    """For each move from when to when something had to be waited for besides the players, and for how many seconds.

    That is until the view of the move before came, and until the own move was acknowledged; not the time of thinking.
    """
    known = {move.version: move.acknowledged for log in logs for move in log.moves}
    for log in logs:
        for move in log.moves:
            answer = move.acknowledged - move.asked
            before = known.get(move.version - 1, move.shown)
            news = max(0.0, move.shown - before)
            yield (before if news else move.asked), move.acknowledged, news + answer


def _count_drop(drop: Drop, windows: Windows, found: Figures, hesitations: list[float]) -> None:
    kind = windows.kind(drop.at, drop.back or drop.at)
    codes = found.close_codes.setdefault(kind, {})
    code = str(drop.code)
    codes[code] = codes.get(code, 0) + 1
    if drop.tried is not None:
        hesitations.append(drop.tried - drop.at)
        _longest(found.longest_hesitation, kind, drop.tried - drop.at)
    if drop.back is not None:
        _longest(found.longest_away, kind, drop.back - drop.at)


def _longest(seconds: dict[str, float], kind: str, value: float) -> None:
    seconds[kind] = max(seconds.get(kind, 0.0), round(value, 3))


def together(all_figures: Iterable[Figures]) -> Figures:
    """The figures of several sites as one."""
    whole = Figures()
    for one in all_figures:
        whole.moves += one.moves
        whole.moves_at_closed_tables += one.moves_at_closed_tables
        whole.forgotten += one.forgotten
        for name in ("lost", "doubled", "forked", "unfinished", "untimely"):
            getattr(whole, name).extend(getattr(one, name))
        for name in ("faults", "closed", "refusals"):
            setattr(whole, name, dict(Counter(getattr(whole, name)) + Counter(getattr(one, name))))
        for name in ("longest_pause", "longest_recovery", "longest_away", "longest_hesitation"):
            for kind, seconds in getattr(one, name).items():
                _longest(getattr(whole, name), kind, seconds)
        for kind, codes in one.close_codes.items():
            whole.close_codes[kind] = dict(Counter(whole.close_codes.get(kind, {})) + Counter(codes))
        whole.hesitation = max(whole.hesitation, one.hesitation)
    return whole
