"""The embedded store: one SQLite file, one process, no service to run.

The event loop never waits for the disk. Steps that arrive while a transaction is being written, or within the same turn
of the loop, share the next one; each is acknowledged, and its views go out, when that one is durable. So the busier the
tables are, the less each of them pays.
"""

import asyncio
import os
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar, cast

from server.store.base import BEGINNING, GRACE_MS, Commit, Head, Log, Player, StoreError
from server.store.ephemeral import Clock, Presence, wall_clock
from server.store.group_commit import GroupCommit
from server.store.local import LocalStore
from server.store.sqlite_file import StoreFile, StoreInUse, open_file
from server.store.sqlite_writer import Delete, Step, Writer, read_heads, read_log_from, standing_rows
from server.store.standing import Standing, check_step

__all__ = ["KEEP_INTENTS_MS", "SqliteStore", "StoreInUse"]

T = TypeVar("T")

KEEP_INTENTS_MS = 7 * 24 * 3600 * 1000
"""How long intents are kept at least. Older ones go when the store is opened."""


@dataclass(frozen=True, slots=True)
class _Opened:
    file: StoreFile
    group: GroupCommit
    reader: ThreadPoolExecutor


class SqliteStore(LocalStore):
    """A store in a file.

    Args:
        path: the file. It is created, readable for its owner only; its folder is not.
        clock: the store's time.
    """

    def __init__(self, path: str | os.PathLike[str], *, clock: Clock = wall_clock) -> None:
        super().__init__(clock, Standing(), Presence(clock))
        self.exclusive = True
        # One file must have one lock, by whatever name it is opened.
        self._path = Path(path).resolve()
        self._grace_until = 0
        self._opened: _Opened | None = None

    @property
    def transactions(self) -> int:
        """How many have been written since it was opened."""
        return self._ready().group.transactions

    def grace_until(self) -> int:
        return self._grace_until

    async def open(self) -> None:
        if self._opened is not None:
            raise StoreError("the store is open already")
        # Without a thread: nothing is served yet that could wait for this.
        file = open_file(self._path)
        try:
            file.writing.execute("DELETE FROM intents WHERE at < ?", (self._clock() - KEEP_INTENTS_MS,))
            rows = standing_rows(file.writing)
            writer = Writer(file.writing, rows)
        except sqlite3.Error as error:
            file.close()
            raise StoreError(f"cannot use {self._path} as a store: {error}") from error
        self._standing = Standing()
        for row in rows:
            self._standing.set(row.id, row.deadline, row.listing, row.wants, ended=row.finished is not None)
        # While the only server was down nobody could move: its absence was an outage for every limit.
        self._grace_until = self._clock() + GRACE_MS if file.existed else 0

        def write(steps: Sequence[Step]) -> list[object]:
            file.place.glance()
            results = writer.run(steps, self._clock())
            # Before anybody is told that it was stored.
            file.place.glance()
            return results

        group = GroupCommit(write, self._stored)
        self._opened = _Opened(file, group, ThreadPoolExecutor(1, "store-read"))

    async def close(self) -> None:
        if (opened := self._opened) is None:
            return
        await opened.group.close()
        if self._opened is opened:
            self._opened = None
            self._subscriptions.clear()
            opened.reader.shutdown()
            opened.file.close()

    async def check(self) -> None:
        place, at = self._ready().file.place, self._clock()

        def job(connection: sqlite3.Connection) -> None:
            place.check()
            connection.execute("INSERT OR REPLACE INTO checks VALUES (1, ?)", (at,))

        await self._submit(job)

    async def commit(self, commit: Commit) -> Log | None:
        check_step(commit)
        return cast(Log | None, await self._submit(commit))

    async def load(self, table: str, since: Head = BEGINNING) -> Log | None:
        return await self._read(lambda connection: read_log_from(connection, table, since))

    async def heads(self, tables: Sequence[str]) -> dict[str, Head]:
        return await self._read(lambda connection: read_heads(connection, tables))

    async def delete(self, table: str) -> None:
        await self._submit(Delete(table))

    async def finished_before(self, at: int, limit: int) -> list[str]:
        query = "SELECT id FROM tables WHERE finished < ? ORDER BY finished, key LIMIT ?"
        return await self._read(lambda connection: _column(connection, query, at, limit))

    async def add_player(self, player: Player, token_hash: bytes) -> None:
        statement = "INSERT OR REPLACE INTO players (id, name, bot, token_hash) VALUES (?, ?, ?, ?)"
        await self._write(statement, player.id, player.name, player.bot, token_hash)

    async def player_by_token(self, token_hash: bytes) -> Player | None:
        query = "SELECT id, name, bot FROM players WHERE token_hash = ?"
        row = await self._read(lambda connection: connection.execute(query, (token_hash,)).fetchone())
        return None if row is None else Player(row[0], row[1], bool(row[2]))

    async def update_player(self, player: Player) -> None:
        await self._write("UPDATE players SET name = ?, bot = ? WHERE id = ?", player.name, player.bot, player.id)

    async def add_seat(self, player: str, table: str) -> None:
        await self._write("INSERT OR IGNORE INTO seats (player, table_id) VALUES (?, ?)", player, table)

    async def drop_seat(self, player: str, table: str) -> None:
        await self._write("DELETE FROM seats WHERE player = ? AND table_id = ?", player, table)

    async def seats_of(self, player: str) -> list[str]:
        query = "SELECT table_id FROM seats WHERE player = ? ORDER BY noted"
        return await self._read(lambda connection: _column(connection, query, player))

    async def intent(self, player: str, command: str) -> bytes | None:
        query = "SELECT intent FROM intents WHERE player = ? AND command = ?"
        row = await self._read(lambda connection: connection.execute(query, (player, command)).fetchone())
        return None if row is None else bytes(row[0])

    async def intend(self, player: str, command: str, intent: bytes) -> bytes:
        return await self._keep_intent(player, command, "NOTHING", intent)

    async def replace_intent(self, player: str, command: str, old: bytes, new: bytes) -> bytes:
        return await self._keep_intent(
            player, command, "UPDATE SET intent = excluded.intent WHERE intent = ?", new, old
        )

    async def _keep_intent(self, player: str, command: str, on_conflict: str, intent: bytes, *old: bytes) -> bytes:
        keep = f"INSERT INTO intents (player, command, intent, at) VALUES (?, ?, ?, ?) ON CONFLICT DO {on_conflict}"
        kept = "SELECT intent FROM intents WHERE player = ? AND command = ?"
        at = self._clock()

        def job(connection: sqlite3.Connection) -> bytes:
            connection.execute(keep, (player, command, intent, at, *old))
            return bytes(connection.execute(kept, (player, command)).fetchone()[0])

        return cast(bytes, await self._submit(job))

    async def _write(self, statement: str, *values: object) -> None:
        def job(connection: sqlite3.Connection) -> None:
            connection.execute(statement, values)

        await self._submit(job)

    async def _submit(self, step: Step) -> object:
        return await self._ready().group.submit(step)

    async def _read(self, read: Callable[[sqlite3.Connection], T]) -> T:
        opened = self._ready()
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(opened.reader, read, opened.file.reading)
        except sqlite3.Error as error:
            raise StoreError(f"cannot read {self._path}: {error}") from error

    def _ready(self) -> _Opened:
        if self._opened is None:
            raise StoreError("the store is not open")
        return self._opened

    def _stored(self, step: Step, result: object) -> None:
        if isinstance(step, Commit):
            if result is None:
                self._standing.apply(step)
                self._subscriptions.publish(step)
        elif isinstance(step, Delete):
            self._standing.forget(step.table)
            self._presence.forget(step.table)


def _column(connection: sqlite3.Connection, query: str, *values: object) -> list[str]:
    return [value for (value,) in connection.execute(query, values)]
