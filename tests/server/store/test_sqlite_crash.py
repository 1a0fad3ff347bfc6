"""Acknowledged means stored, even when the server is killed."""

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from tests.server.store.backends import SqliteBackend
from tests.server.store.committing_child import TABLES, entry


@pytest.mark.slow
def test_what_was_acknowledged_survives_a_kill(sqlite_backend: SqliteBackend) -> None:
    child = [sys.executable, "-m", "tests.server.store.committing_child", str(sqlite_backend.path)]
    acknowledged: dict[str, tuple[int, str]] = {}
    for kill_after in (1, 40, 211, 500, 1003, 1004):
        with subprocess.Popen(child, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for count, line in enumerate(process.stdout):
                # After the kill the rest of the pipe is read: that was acknowledged too.
                if count == kill_after:
                    process.kill()
                if line.endswith("\n"):
                    table, version, head_id = line.split()
                    acknowledged[table] = (int(version), head_id)
        asyncio.run(_check(sqlite_backend, acknowledged))
    assert len(acknowledged) == TABLES
    assert all(version > 100 for version, _ in acknowledged.values())


async def _check(backend: SqliteBackend, acknowledged: dict[str, tuple[int, str]]) -> None:
    store = backend.store()
    await store.open()
    deadlines = []
    for table, (version, _) in acknowledged.items():
        log = await store.load(table)
        assert log is not None
        assert log.head.version >= version
        assert log.entries == tuple(entry(number) for number in range(1, log.head.version + 1))
        deadlines.append(log.head.version)
    backend.now = store.grace_until()
    assert len(await store.due(99)) >= len(acknowledged)
    assert await store.next_due() == store.grace_until()
    await store.close()
    with closing(sqlite3.connect(backend.path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        ids = (
            "SELECT hex(entries.head) FROM entries JOIN tables ON key = table_key WHERE id = ? AND entries.version = ?"
        )
        for table, (version, head_id) in acknowledged.items():
            assert connection.execute(ids, (table, version)).fetchone() == (head_id.upper(),)
        # Deadline and log changed together: each child sets the version as the deadline.
        assert connection.execute("SELECT count(*) FROM tables WHERE deadline != version").fetchone() == (0,)
