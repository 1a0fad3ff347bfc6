"""What only the store in a file has: batches, failures of the disk, and its file."""

import asyncio
import sqlite3
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, contextmanager

import pytest
import pytest_asyncio

from server.store.base import PUBLIC, Commit, StoreError
from server.store.sqlite import KEEP_INTENTS_MS, SqliteStore
from tests.server.store.backends import SqliteBackend
from tests.server.store.steps import Told, Writer, always, step


@pytest_asyncio.fixture
async def store(sqlite_backend: SqliteBackend) -> AsyncIterator[SqliteStore]:
    store = sqlite_backend.store()
    await store.open()
    yield store
    await store.close()


def made(count: int) -> list[Commit]:
    return [step(f"table {number}", None, b"made", views=[(PUBLIC, always(b"view"))]) for number in range(count)]


async def test_the_commits_of_one_turn_share_a_transaction(store: SqliteStore) -> None:
    commits = made(300)
    assert await asyncio.gather(*map(store.commit, commits)) == [None] * 300
    assert store.transactions == 1
    for commit in commits:
        log = await store.load(commit.table)
        assert log is not None
        assert log.head == commit.head


@contextmanager
def another_writer(backend: SqliteBackend) -> Iterator[sqlite3.Connection]:
    """Somebody who holds up every transaction of the store: a backup tool, or an operator with a shell."""
    with closing(sqlite3.connect(backend.path, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield connection
        connection.execute("ROLLBACK")


async def test_commits_that_come_during_a_transaction_share_the_next(
    store: SqliteStore, sqlite_backend: SqliteBackend
) -> None:
    with another_writer(sqlite_backend):
        first = asyncio.create_task(Writer(store, "first").move())
        # Answered by the other thread: by then the first batch has been handed over.
        assert await store.load("first") is None
        later = [asyncio.create_task(Writer(store, f"later {number}").move()) for number in range(20)]
        assert await store.load("later 0") is None
        assert not first.done()
    assert await asyncio.gather(first, *later) == [None] * 21
    assert store.transactions == 2


async def test_other_writes_ride_along(store: SqliteStore) -> None:
    await asyncio.gather(
        store.add_seat("p", "table"), Writer(store).move(), store.intend("p", "c", b"intent"), store.check()
    )
    assert store.transactions == 1


async def test_closing_finishes_what_is_under_way(store: SqliteStore, sqlite_backend: SqliteBackend) -> None:
    commits = [asyncio.create_task(store.commit(commit)) for commit in made(3)]
    closing_ = asyncio.create_task(store.close())
    too_late = asyncio.create_task(Writer(store, "late").move())
    with pytest.raises(StoreError, match="closed"):
        await too_late
    await closing_
    assert await asyncio.gather(*commits) == [None] * 3
    again = sqlite_backend.store()
    await again.open()
    assert len(await again.unfinished()) == 3
    await again.close()


async def test_a_busy_loop_does_not_starve_the_writer(store: SqliteStore) -> None:
    assert sys.getswitchinterval() <= 0.0001


def break_disk(store: SqliteStore, how: str) -> None:
    assert store._opened is not None
    store._opened.file.writing.execute(how)


FULL, ROOM = "PRAGMA max_page_count = 1", "PRAGMA max_page_count = 1000000"
READ_ONLY, WRITABLE = "PRAGMA query_only = 1", "PRAGMA query_only = 0"
AT_THE_END = "CREATE TEMP TRIGGER broken BEFORE INSERT ON main.entries BEGIN SELECT RAISE(FAIL, 'broken'); END"
MENDED = "DROP TRIGGER broken"


@pytest.mark.parametrize(
    ("broken", "mended", "message"),
    [(FULL, ROOM, "full"), (READ_ONLY, WRITABLE, "readonly"), (AT_THE_END, MENDED, "broken")],
)
async def test_a_transaction_that_fails_fails_for_all_and_tells_nobody(
    store: SqliteStore, broken: str, mended: str, message: str
) -> None:
    running = Writer(store, "running")
    await running.move(deadline=1)
    told = Told()
    for number in range(20):
        await store.subscribe(f"table {number}", PUBLIC, told.on_view)
    await store.follow("running", told.on_entry)
    break_disk(store, broken)
    large = [step(f"table {n}", None, bytes(4096), views=[(PUBLIC, always(b"v"))], deadline=2) for n in range(20)]
    results = await asyncio.gather(
        *map(store.commit, large), running.move(deadline=3), store.delete("running"), return_exceptions=True
    )
    assert len(results) == 22
    for result in results:
        assert isinstance(result, StoreError)
        assert message in str(result)
    assert told.news == []
    assert await store.next_due() == 1
    assert await store.unfinished() == ["running"]
    assert await store.load("table 0") is None

    break_disk(store, mended)
    await store.check()
    assert await running.move(deadline=4) is None
    assert await store.commit(large[0]) is None
    assert await store.next_due() == 2
    assert told.news == [("running", running.head, b"entry"), ("table 0", PUBLIC, 1, b"v")]


async def test_a_check_writes(store: SqliteStore) -> None:
    break_disk(store, READ_ONLY)
    with pytest.raises(StoreError, match="readonly"):
        await store.check()


async def test_a_disk_that_cannot_be_read_is_a_store_error(store: SqliteStore) -> None:
    assert store._opened is not None
    store._opened.file.reading.close()
    with pytest.raises(StoreError, match="cannot read"):
        await store.load("table")


async def test_callers_that_went_away_do_not_hear_of_a_failure(store: SqliteStore) -> None:
    break_disk(store, READ_ONLY)
    impatient = asyncio.create_task(Writer(store).move())
    neighbour = asyncio.create_task(Writer(store, "other").move())
    await asyncio.sleep(0)  # Both have handed in their commits.
    impatient.cancel()
    with pytest.raises(StoreError):
        await neighbour
    await asyncio.wait([impatient])
    assert impatient.cancelled()


async def test_old_intents_go_when_the_store_is_opened(store: SqliteStore, sqlite_backend: SqliteBackend) -> None:
    await store.intend("p", "old", b"first")
    sqlite_backend.now += 1
    await store.intend("p", "recent", b"first")
    await store.close()
    sqlite_backend.now += KEEP_INTENTS_MS
    again = sqlite_backend.store()
    await again.open()
    assert await again.intend("p", "recent", b"second") == b"first"
    assert await again.intend("p", "old", b"second") == b"second"
    await again.close()
