"""Where each table stands besides its log: its deadline, its place in the lobby, its wish for bots, its end.

Every commit replaces all of it. A store that is alone keeps it in memory and needs no disk to answer.
"""

import heapq
from collections.abc import Callable

from server.store.base import Commit, Head


def next_version(expected: Head | None) -> int:
    return 1 if expected is None else expected.version + 1


def check_step(commit: Commit) -> None:
    """Refuse what would leave a hole in a log."""
    if commit.head.version != next_version(commit.expected):
        raise ValueError(f"version {commit.head.version} does not follow {commit.expected}")


def missed_since(expected: Head | None, id_at: Callable[[int], bytes | None]) -> int:
    """From which version on a writer that lost the race needs the log.

    A head that is no part of the log tells that the writer's whole history is another one.
    """
    if expected is not None and id_at(expected.version) == expected.id:
        return expected.version
    return 0


class Deadlines:
    """The tables by deadline.

    Nearly every move sets another deadline and few of them ever pass, so the heap keeps the replaced ones until they
    come up or are more than half of it.
    """

    def __init__(self) -> None:
        self._at: dict[str, int] = {}
        self._heap: list[tuple[int, str]] = []

    def set(self, table: str, deadline: int | None) -> None:
        if deadline is None:
            self._at.pop(table, None)
        elif self._at.get(table) != deadline:
            self._at[table] = deadline
            heapq.heappush(self._heap, (deadline, table))
            if len(self._heap) > 2 * len(self._at) + 64:
                self._heap = [(at, name) for name, at in self._at.items()]
                heapq.heapify(self._heap)

    def first(self) -> int | None:
        while self._heap and not self._holds(self._heap[0]):
            heapq.heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def passed(self, now: int, limit: int) -> list[str]:
        due: list[tuple[int, str]] = []
        while len(due) < limit and (first := self.first()) is not None and first <= now:
            item = heapq.heappop(self._heap)
            # The same deadline can be in the heap twice: set, changed and set again.
            if not due or item != due[-1]:
                due.append(item)
        for item in due:
            heapq.heappush(self._heap, item)
        return [table for _, table in due]

    def _holds(self, item: tuple[int, str]) -> bool:
        return self._at.get(item[1]) == item[0]


class Standing:
    """Where all tables stand. A table that has ended stays ended."""

    def __init__(self) -> None:
        self.deadlines = Deadlines()
        self.listings: dict[str, bytes] = {}
        self.wants: dict[str, bytes] = {}
        self.unfinished: dict[str, None] = {}

    def apply(self, commit: Commit) -> None:
        """Take over a commit that was stored."""
        ended = commit.finished or (commit.expected is not None and commit.table not in self.unfinished)
        self.set(commit.table, commit.deadline, commit.listing, commit.wants, ended=ended)

    def set(self, table: str, deadline: int | None, listing: bytes | None, wants: bytes | None, *, ended: bool) -> None:
        self.deadlines.set(table, deadline)
        for kept, value in ((self.listings, listing), (self.wants, wants)):
            if value is None:
                kept.pop(table, None)
            else:
                kept[table] = value
        if ended:
            self.unfinished.pop(table, None)
        else:
            self.unfinished[table] = None

    def forget(self, table: str) -> None:
        self.set(table, None, None, None, ended=True)

    def due(self, now: int, grace_until: int, limit: int) -> list[str]:
        return self.deadlines.passed(now, limit) if now >= grace_until else []

    def next_due(self, grace_until: int) -> int | None:
        first = self.deadlines.first()
        return None if first is None else max(first, grace_until)
