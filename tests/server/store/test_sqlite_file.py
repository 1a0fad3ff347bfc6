"""Which files are opened, and which are refused with a sentence for the operator."""

import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from server.store import sqlite_file
from server.store.base import StoreError
from server.store.sqlite import SqliteStore, StoreInUse
from server.store.sqlite_writer import STANDING
from tests.server.store.backends import SqliteBackend
from tests.server.store.steps import Writer


async def refused(path: Path, match: str) -> None:
    with pytest.raises(StoreError, match=match):
        await SqliteStore(path).open()


async def make_store(path: Path) -> None:
    store = SqliteStore(path)
    await store.open()
    await Writer(store).moves(*[b"entry"] * 50)
    await store.close()


def run_sql(path: Path, script: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


async def test_only_the_owner_may_read_what_is_created(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        store = SqliteStore(tmp_path / "store.db")
        await store.open()
        await Writer(store).moves(b"secret")
        modes = {name: stat.S_IMODE(os.stat(tmp_path / name).st_mode) for name in os.listdir(tmp_path)}
        await store.close()
    finally:
        os.umask(before)
    assert modes == {f"store.db{suffix}": 0o600 for suffix in ("", "-wal", "-shm", "-lock")}


async def test_a_store_has_one_opener(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    store = SqliteStore(path)
    await store.open()
    (tmp_path / "alias.db").symlink_to(path)
    for name in (path, tmp_path / "alias.db"):
        with pytest.raises(StoreInUse, match="in use by another process"):
            await SqliteStore(name).open()
    child = [sys.executable, "-m", "tests.server.store.committing_child", str(path)]
    done = subprocess.run(child, capture_output=True, text=True, check=False)  # noqa: ASYNC221 - nothing else runs
    assert done.returncode == 1
    assert "StoreInUse" in done.stderr
    assert await Writer(store).move() is None, "the refused openers broke nothing"
    await store.close()
    again = SqliteStore(tmp_path / "alias.db")
    await again.open()
    assert await again.unfinished() == ["table"]
    await again.close()


async def silenced(store: SqliteStore, *writers: Writer) -> None:
    for _ in range(2):
        for writer in writers:
            with pytest.raises(StoreError, match=r"^the store's file was removed or replaced; "):
                await writer.move()
        with pytest.raises(StoreError, match=r"^the store's file was removed or replaced; "):
            await store.check()


@pytest.mark.parametrize("suffix", ["", "-wal", "-lock"])
@pytest.mark.parametrize("replaced", [False, True])
async def test_nothing_is_acknowledged_once_a_file_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, replaced: bool
) -> None:
    if suffix:
        monkeypatch.setattr(sqlite_file, "CHECK_S", 0)
    store = SqliteStore(tmp_path / "store.db")
    await store.open()
    writer = Writer(store)
    assert await writer.move() is None
    await store.check()
    path = tmp_path / f"store.db{suffix}"
    away = tmp_path / "away"
    path.rename(away)
    if replaced:
        path.write_bytes(away.read_bytes())
    await silenced(store, writer)
    path.unlink(missing_ok=True)
    away.rename(path)
    await silenced(store, writer)
    await store.close()


@pytest.mark.parametrize("suffix", ["", "-wal", "-lock"])
async def test_a_check_looks_at_every_file(tmp_path: Path, suffix: str) -> None:
    store = SqliteStore(tmp_path / "store.db")
    await store.open()
    assert await Writer(store).move() is None
    (tmp_path / f"store.db{suffix}").unlink()
    await silenced(store)
    await store.close()


async def test_a_file_removed_during_a_transaction_is_noticed_before_anybody_is_told(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    store = SqliteStore(path)
    await store.open()

    def remove(_: sqlite3.Connection) -> None:
        path.unlink()

    with pytest.raises(StoreError, match="removed or replaced"):
        await store._submit(remove)
    await silenced(store, Writer(store))
    await store.close()


async def test_a_server_without_its_file_leaves_the_next_one_alone(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    store = SqliteStore(path)
    await store.open()
    lost = Writer(store)
    await lost.move()
    for name in os.listdir(tmp_path):
        (tmp_path / name).unlink()
    following = SqliteStore(path)
    await following.open()
    writer = Writer(following)
    await writer.move()
    await silenced(store, lost)
    await store.close()
    await following.check()
    assert await writer.move() is None
    await following.close()


async def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    path.write_text("Dear diary, " * 1000)
    await refused(path, "not a database")
    assert path.read_text().startswith("Dear diary")


async def test_somebody_elses_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    run_sql(path, "CREATE TABLE songs (title TEXT)")
    before = path.read_bytes()
    await refused(path, "no store of Bigtop")
    assert path.read_bytes() == before


async def test_a_newer_schema_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    await make_store(path)
    run_sql(path, "PRAGMA user_version = 99")
    await refused(path, "newer Bigtop: schema 99, this one knows 1")


async def test_a_corrupt_store_is_refused_and_its_lock_released(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    await make_store(path)
    sound = path.read_bytes()
    path.write_bytes(sound[:4096] + b"\xff" * (len(sound) - 4096))
    await refused(path, "malformed")
    path.write_bytes(sound)
    store = SqliteStore(path)
    await store.open()
    assert await store.unfinished() == ["table"]
    await store.close()


async def test_a_path_that_cannot_be_a_file_is_refused(tmp_path: Path) -> None:
    await refused(tmp_path, "Is a directory")
    await refused(tmp_path / "missing" / "store.db", "No such file")


async def test_a_store_of_a_past_version_is_migrated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "store.db"
    await make_store(path)
    addition = "CREATE TABLE addition (id INTEGER)"
    monkeypatch.setattr(sqlite_file, "MIGRATIONS", (*sqlite_file.MIGRATIONS, addition, "nonsense"))
    await refused(path, "syntax error")
    monkeypatch.setattr(sqlite_file, "MIGRATIONS", sqlite_file.MIGRATIONS[:2])
    store = SqliteStore(path)
    await store.open()
    assert await store.unfinished() == ["table"]
    await store.close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)
        assert connection.execute("SELECT count(*) FROM addition").fetchone() == (0,)


async def test_opening_reads_no_more_than_what_is_alive(sqlite_backend: SqliteBackend) -> None:
    store = sqlite_backend.store()
    await store.open()
    await store.close()
    with closing(sqlite3.connect(sqlite_backend.path)) as connection:
        plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {STANDING}")]
    assert any("tables_by_end" in line for line in plan)
    assert any("tables_ended_yet_standing" in line for line in plan)
