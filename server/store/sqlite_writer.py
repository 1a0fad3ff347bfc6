"""Transactions of many steps: what the writing thread of `SqliteStore` does."""

import contextlib
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from server.store.base import BEGINNING, Commit, Head, Log
from server.store.standing import missed_since

Job = Callable[[sqlite3.Connection], object]
"""Any other write. It runs in the transaction of the commits around it."""


@dataclass(frozen=True, slots=True)
class Delete:
    """Attributes: `table`, which is to be forgotten."""

    table: str


Step = Commit | Delete | Job


class Row(NamedTuple):
    """A row of `tables`, as in the schema."""

    key: int
    id: str
    version: int
    head: bytes
    deadline: int | None
    listing: bytes | None
    wants: bytes | None
    finished: int | None


_COLUMNS = ", ".join(Row._fields)
_TABLES = f"INSERT INTO tables ({_COLUMNS}) VALUES"
_REPLACE = (
    " ON CONFLICT (key) DO UPDATE SET version = excluded.version, head = excluded.head, deadline = excluded.deadline,"
    " listing = excluded.listing, wants = excluded.wants, finished = excluded.finished"
)
_ENTRIES = "INSERT INTO entries (table_key, version, head, entry) VALUES"

# After each statement the thread has to win the interpreter lock back from the event loop. So many rows go into few
# statements; their sizes are few too, so that all of them stay prepared. A busy server writes a third more this way.
_SIZES = (256, 128, 64, 32, 16, 8, 4, 2, 1)


@cache
def _statement(insert: str, width: int, rows: int, tail: str) -> str:
    row = "(" + ", ".join("?" * width) + ")"
    return f"{insert} {', '.join([row] * rows)}{tail}"


def insert_rows(
    connection: sqlite3.Connection, insert: str, rows: Sequence[tuple[object, ...]], tail: str = ""
) -> None:
    done = 0
    for size in _SIZES:
        while len(rows) - done >= size:
            part = rows[done : done + size]
            values = [value for row in part for value in row]
            connection.execute(_statement(insert, len(part[0]), size, tail), values)
            done += size


def _read_log(connection: sqlite3.Connection, table: str, since: int) -> Log | None:
    # One query, so that head and entries are of one moment.
    query = """
        SELECT tables.version, tables.head, entry FROM tables
        LEFT JOIN entries ON table_key = key AND entries.version > ?
        WHERE id = ? ORDER BY entries.version
    """
    rows = connection.execute(query, (since, table)).fetchall()
    if not rows:
        return None
    version, head, _ = rows[0]
    return Log(Head(version, head), tuple(entry for _, _, entry in rows if entry is not None))


def read_log_from(connection: sqlite3.Connection, table: str, head: Head | None) -> Log | None:
    """The log from a head on, or all of it."""

    def id_at(version: int) -> bytes | None:
        query = """
            SELECT entries.head FROM tables JOIN entries ON table_key = key
            WHERE id = ? AND entries.version = ?
        """
        found = connection.execute(query, (table, version)).fetchone()
        return None if found is None else bytes(found[0])

    return _read_log(connection, table, missed_since(head, id_at))


def read_heads(connection: sqlite3.Connection, tables: Sequence[str]) -> dict[str, Head]:
    query = "SELECT version, head FROM tables WHERE id = ?"
    found = {table: connection.execute(query, (table,)).fetchone() for table in tables}
    return {table: Head._make(row) for table, row in found.items() if row is not None}


STANDING = f"""
    SELECT {_COLUMNS} FROM tables WHERE finished IS NULL
    UNION ALL
    SELECT {_COLUMNS} FROM tables INDEXED BY tables_ended_yet_standing
    WHERE finished NOT NULL AND (deadline NOT NULL OR listing NOT NULL OR wants NOT NULL)
"""
"""The tables that have not ended, and those that still want something afterwards."""


def standing_rows(connection: sqlite3.Connection) -> list[Row]:
    return [Row._make(row) for row in connection.execute(STANDING)]


class Writer:
    """Writes transactions. Used by one thread.

    Args:
        connection: where to.
        rows: those that are likely to be written to.
    """

    def __init__(self, connection: sqlite3.Connection, rows: Iterable[Row]) -> None:
        self._connection = connection
        # Saves looking up the head of every table at every commit. Tables that have ended are looked up.
        self._rows = {row.id: row for row in rows}
        [[self._last_key]] = connection.execute("SELECT coalesce(max(key), 0) FROM tables")

    def run(self, steps: Sequence[Step], now: int) -> list[object]:
        """Do all steps, in order, in one durable transaction.

        Returns:
            For each step what it results in; for a commit `None`, or the log that its writer missed.

        Raises:
            Exception: whatever went wrong; nothing was changed.
        """
        transaction = _Transaction(self._connection, self._rows, self._last_key, now)
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            results = [transaction.step(step) for step in steps]
            transaction.flush()
            for index, commit in transaction.conflicts:
                results[index] = _missed(self._connection, commit)
            self._connection.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            raise
        self._last_key = transaction.last_key
        for table, row in transaction.changed.items():
            if row is None or row.finished is not None:
                self._rows.pop(table, None)
            else:
                self._rows[table] = row
        return results


class _Transaction:
    """The changes of one transaction, gathered so that few statements write them."""

    def __init__(self, connection: sqlite3.Connection, rows: dict[str, Row], last_key: int, now: int) -> None:
        self._connection = connection
        self._rows = rows
        self._now = now
        self._entries: list[tuple[object, ...]] = []
        self._unwritten: dict[str, Row] = {}
        self._steps = 0
        self.last_key = last_key
        self.changed: dict[str, Row | None] = {}
        self.conflicts: list[tuple[int, Commit]] = []

    def step(self, step: Step) -> object:
        self._steps += 1
        if isinstance(step, Commit):
            if not self._append(step):
                self.conflicts.append((self._steps - 1, step))
            return None
        if isinstance(step, Delete):
            self._delete(step.table)
            return None
        return step(self._connection)

    def flush(self) -> None:
        insert_rows(self._connection, _TABLES, list(self._unwritten.values()), _REPLACE)
        insert_rows(self._connection, _ENTRIES, self._entries)
        self._unwritten.clear()
        self._entries.clear()

    def _append(self, commit: Commit) -> bool:
        row = self._row(commit.table)
        if commit.expected != (None if row is None else (row.version, row.head)):
            return False
        if row is None:
            self.last_key += 1
            key, finished = self.last_key, None
        else:
            key, finished = row.key, row.finished
        if finished is None and commit.finished:
            finished = self._now
        version, head = commit.head
        row = Row(key, commit.table, version, head, commit.deadline, commit.listing, commit.wants, finished)
        self.changed[commit.table] = self._unwritten[commit.table] = row
        self._entries.append((key, version, head, commit.entry))
        return True

    def _row(self, table: str) -> Row | None:
        if table in self.changed:
            return self.changed[table]
        row = self._rows.get(table)
        if row is None:
            found = self._connection.execute(f"SELECT {_COLUMNS} FROM tables WHERE id = ?", (table,)).fetchone()
            row = None if found is None else Row._make(found)
        return row

    def _delete(self, table: str) -> None:
        # What is gathered may be of this table.
        self.flush()
        entries = "DELETE FROM entries WHERE table_key = (SELECT key FROM tables WHERE id = ?)"
        for statement in (entries, "DELETE FROM tables WHERE id = ?", "DELETE FROM seats WHERE table_id = ?"):
            self._connection.execute(statement, (table,))
        self.changed[table] = None


def _missed(connection: sqlite3.Connection, commit: Commit) -> Log:
    return read_log_from(connection, commit.table, commit.expected) or Log(BEGINNING, ())
