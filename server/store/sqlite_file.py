"""The database file of `SqliteStore`: its lock, its schema and its connections."""

import contextlib
import fcntl
import os
import sqlite3
import time
from dataclasses import dataclass
from pathlib import Path

from server.store.base import StoreError

APPLICATION_ID = 0x42494754
"""Marks the file as a store of Bigtop, so that nobody else's database is ever written to."""

MIGRATIONS = (
    # Tables are keyed by a counter besides their id: the running ones lie close together in every index, so that a
    # transaction with a hundred of them touches few pages. For the same reason entries are appended in the order of
    # their arrival and found by an index, instead of lying sorted by table.
    """
    CREATE TABLE tables (
        key INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        version INTEGER NOT NULL,
        head BLOB NOT NULL,
        deadline INTEGER,
        listing BLOB,
        wants BLOB,
        finished INTEGER
    );
    CREATE INDEX tables_by_end ON tables (finished);
    CREATE INDEX tables_ended_yet_standing ON tables (key)
        WHERE finished NOT NULL AND (deadline NOT NULL OR listing NOT NULL OR wants NOT NULL);
    CREATE TABLE entries (
        table_key INTEGER NOT NULL,
        version INTEGER NOT NULL,
        head BLOB NOT NULL,
        entry BLOB NOT NULL
    );
    CREATE UNIQUE INDEX entries_by_table ON entries (table_key, version);
    CREATE TABLE players (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        bot INTEGER NOT NULL,
        token_hash BLOB NOT NULL UNIQUE
    );
    CREATE TABLE seats (noted INTEGER PRIMARY KEY, player TEXT NOT NULL, table_id TEXT NOT NULL);
    CREATE UNIQUE INDEX seats_by_player ON seats (player, table_id);
    CREATE INDEX seats_by_table ON seats (table_id);
    CREATE TABLE intents (
        player TEXT NOT NULL,
        command TEXT NOT NULL,
        intent BLOB NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (player, command)
    );
    CREATE INDEX intents_by_time ON intents (at);
    CREATE TABLE checks (id INTEGER PRIMARY KEY, at INTEGER NOT NULL);
    """,
)
"""Each takes the schema from the version that is its place to the next one. Released ones never change."""


CHECK_S = 1.0
"""How often at least all files of a store that is written to are looked at."""

Identity = tuple[int, int]
"""The device and the number of a file."""


class StoreInUse(StoreError):
    """Another process has the store open."""


class StoreLost(StoreError):
    """What is written goes into a file that no longer is the store."""


class Place:
    """Whether the files of an open store still are where they were opened.

    What is written to a file without a name is gone when it is closed, and a lock without a name locks nobody out.

    Args:
        path: the store.
        opened: the file of the store, and that of its lock, as they were opened.
    """

    def __init__(self, path: Path, opened: os.stat_result, lock: os.stat_result) -> None:
        self._path = path
        self._store = _identity(opened)
        self._others = {f"{path}-lock": _identity(lock), f"{path}-wal": _identity_at(f"{path}-wal")}
        self._lost = False
        self._checked = 0.0
        self.check()

    def check(self) -> None:
        """Raise `StoreLost` if anything was removed or replaced, then and ever after."""
        self._require(self._path, self._store)
        for path, identity in self._others.items():
            self._require(path, identity)
        self._checked = time.monotonic()

    def glance(self) -> None:
        """Check the file of the store itself, and the others if that was not done for `CHECK_S`.

        Each look lets go of the interpreter lock, and a busy event loop takes its time to give it back.
        """
        if time.monotonic() - self._checked >= CHECK_S:
            self.check()
        else:
            self._require(self._path, self._store)

    def _require(self, path: str | Path, identity: Identity | None) -> None:
        # Never again: another server may have written to the store in the meantime.
        self._lost = self._lost or _identity_at(path) != identity
        if self._lost:
            raise StoreLost(
                f"the store's file was removed or replaced; nothing more is written to {self._path},"
                " stop the server, put the file back and start it again"
            )


def _identity(found: os.stat_result) -> Identity:
    return found.st_dev, found.st_ino


def _identity_at(path: str | Path) -> Identity | None:
    try:
        return _identity(os.stat(path))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(f"cannot look at {path}: {error.strerror}") from error


@dataclass(frozen=True, slots=True)
class StoreFile:
    """An open store.

    Attributes:
        lock: the descriptor that holds the lock.
        writing: the connection of the thread that writes.
        reading: the connection of the thread that reads; what it sees is durable.
        existed: whether there was a store before.
        place: whether it is still there.
    """

    lock: int
    writing: sqlite3.Connection
    reading: sqlite3.Connection
    existed: bool
    place: Place

    def close(self) -> None:
        # SQLite leaves the write-ahead log alone if the store is not where it was opened: it may be another server's.
        self.reading.close()
        self.writing.close()
        # The file of the lock stays: a process that waits to open it must never get a lock on a file without a name.
        os.close(self.lock)


def open_file(path: Path) -> StoreFile:
    """Open a store, or create it.

    Raises:
        StoreInUse: if another process has it open.
        StoreError: if it is no store, cannot be written, or was written by a newer Bigtop.
    """
    with contextlib.ExitStack() as undo:
        try:
            lock = _lock(path)
            undo.callback(os.close, lock)
            # SQLite would create it readable for everybody, and it holds seeds and hidden cards. Its -wal and -shm
            # files get the same mode.
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
            opened = os.fstat(descriptor)
            os.close(descriptor)
        except OSError as error:
            raise StoreError(f"cannot open {path}: {error.strerror}") from error
        try:
            writing = _connect(path)
            undo.callback(writing.close)
            existed = _migrate(path, writing)
            reading = _connect(path)
            undo.callback(reading.close)
            place = Place(path, opened, os.fstat(lock))
        except sqlite3.Error as error:
            raise StoreError(f"cannot use {path} as a store: {error}") from error
        undo.pop_all()
        return StoreFile(lock, writing, reading, existed, place)


def _lock(path: Path) -> int:
    # Not the database itself: closing any descriptor of it would drop the locks SQLite has on it in this process.
    lock = os.open(f"{path}-lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(lock)
        raise StoreInUse(f"{path} is in use by another process") from error
    return lock


def _connect(path: Path) -> sqlite3.Connection:
    # Transactions are begun by hand; each connection is used by one thread after another, never by two at once.
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    # In WAL mode nothing less than FULL is durable when a commit returns.
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def _migrate(path: Path, connection: sqlite3.Connection) -> bool:
    [[schema]] = connection.execute("PRAGMA user_version")
    [[application]] = connection.execute("PRAGMA application_id")
    [[objects]] = connection.execute("SELECT count(*) FROM sqlite_schema")
    if application != APPLICATION_ID and (schema or objects):
        raise StoreError(f"{path} is a database, but no store of Bigtop")
    if schema > len(MIGRATIONS):
        raise StoreError(f"{path} was written by a newer Bigtop: schema {schema}, this one knows {len(MIGRATIONS)}")
    [[mode]] = connection.execute("PRAGMA journal_mode = WAL")
    if mode != "wal":
        raise StoreError(f"{path} lies on a file system without write-ahead logs; journal mode is {mode}")
    for number in range(schema, len(MIGRATIONS)):
        connection.executescript(
            f"BEGIN IMMEDIATE; PRAGMA application_id = {APPLICATION_ID}; "
            f"{MIGRATIONS[number]}; PRAGMA user_version = {number + 1}; COMMIT"
        )
    return bool(schema)
