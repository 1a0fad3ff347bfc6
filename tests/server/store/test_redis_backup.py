"""A copy of Redis's files that is made while it works, as docs/operations.md says: what was stored by then is in it."""

import asyncio
import shutil
from pathlib import Path

import pytest

from server.store.redis import RedisStore
from tests.server.store.redis_server import DURABLE, RedisServer
from tests.server.store.redis_steps import opened, until
from tests.server.store.steps import Writer

pytestmark = pytest.mark.slow

TABLES = 20


async def test_a_copy_has_all_that_was_stored_when_it_was_made(tmp_path: Path) -> None:
    running = RedisServer(tmp_path / "running", *DURABLE).start()
    try:
        async with opened(f"{running.url}/1") as store:
            writers = [Writer(store, f"{number:02d}table") for number in range(TABLES)]
            enough = asyncio.Event()
            writing = [asyncio.create_task(_write(writer, enough)) for writer in writers]
            await asyncio.gather(*(_reaches(writer, 50) for writer in writers))
            _, threshold = running.command("CONFIG", "GET", "auto-aof-rewrite-percentage")
            running.command("CONFIG", "SET", "auto-aof-rewrite-percentage", "0")
            running.wait_until(lambda: b"aof_rewrite_in_progress:0" in running.command("INFO", "persistence"))
            stored = [_version(writer) for writer in writers]
            await asyncio.to_thread(shutil.copytree, running.folder, tmp_path / "copy")
            running.command("CONFIG", "SET", "auto-aof-rewrite-percentage", threshold)
            await asyncio.gather(*(_reaches(writer, _version(writer) + 10) for writer in writers))
            enough.set()
            await asyncio.gather(*writing)
            logs = await _logs(store)
    finally:
        running.stop()
    restored = RedisServer(tmp_path / "copy", *DURABLE).start()
    try:
        async with opened(f"{restored.url}/1") as store:
            found = await _logs(store)
            for here, there, least in zip(found, logs, stored, strict=True):
                assert least <= len(here) < len(there)
                assert here == there[: len(here)]
            assert await Writer(store, "new").move() is None
    finally:
        restored.stop()


async def _write(writer: Writer, enough: asyncio.Event) -> None:
    while not enough.is_set():
        await writer.moves(f"{writer.table} {_version(writer)}".encode() * 10)


async def _reaches(writer: Writer, version: int) -> None:
    await until(lambda: _version(writer) >= version, 30)


def _version(writer: Writer) -> int:
    return 0 if writer.head is None else writer.head.version


async def _logs(store: RedisStore) -> list[tuple[bytes, ...]]:
    logs = [await store.load(f"{number:02d}table") for number in range(TABLES)]
    return [log.entries for log in logs if log is not None]
