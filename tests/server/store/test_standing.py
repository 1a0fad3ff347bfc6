"""What rides with the log: deadlines, the lobby, wishes for bots, the end."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from server.store.base import GRACE_MS, Store
from server.store.standing import Deadlines
from tests.server.store.backends import Backend
from tests.server.store.steps import Writer


async def test_a_deadline_is_due_when_it_has_passed(store: Store, backend: Backend) -> None:
    await Writer(store).move(deadline=backend.now + 100)
    assert await store.next_due() == backend.now + 100
    backend.now += 99
    assert await store.due(9) == []
    backend.now += 1
    assert await store.due(9) == ["table"]
    assert await store.due(9) == ["table"], "until a commit changes it"


async def test_the_longest_overdue_come_first(store: Store, backend: Backend) -> None:
    for table, late in (("a", 2), ("b", 3), ("c", -1), ("d", 1)):
        await Writer(store, table).move(deadline=backend.now - late)
    assert await store.due(9) == ["b", "a", "d"]
    assert await store.due(2) == ["b", "a"]
    assert await store.due(0) == []
    assert await store.next_due() == backend.now - 3


async def test_each_commit_replaces_the_deadline(store: Store, backend: Backend) -> None:
    writer = Writer(store)
    await writer.move(deadline=backend.now - 5)
    await writer.move(deadline=backend.now + 5)
    assert await store.due(9) == []
    await writer.move(deadline=backend.now - 5)
    assert await store.due(9) == ["table"]
    await writer.move()
    assert await store.due(9) == []
    assert await store.next_due() is None


async def test_each_commit_replaces_what_the_lobby_and_the_bots_see(store: Store) -> None:
    writer, other = Writer(store), Writer(store, "other")
    await writer.move(listing=b"one free", wants=b"a bot")
    await other.move(listing=b"two free")
    assert sorted(await store.listed()) == [("other", b"two free"), ("table", b"one free")]
    assert await store.wanting() == [("table", b"a bot")]
    await writer.move(wants=b"two bots")
    assert await store.listed() == [("other", b"two free")]
    assert await store.wanting() == [("table", b"two bots")]


async def test_a_commit_that_loses_changes_nothing(store: Store, backend: Backend) -> None:
    writer = Writer(store)
    await writer.move(deadline=backend.now + 1, listing=b"listing", wants=b"wants")
    assert await Writer(store).move(deadline=backend.now - 1, finished=True) is not None
    assert await store.next_due() == backend.now + 1
    assert await store.listed() == [("table", b"listing")]
    assert await store.wanting() == [("table", b"wants")]
    assert await store.unfinished() == ["table"]
    assert await store.finished_before(backend.now + 1, 9) == []


async def test_unfinished_tables(store: Store) -> None:
    first, second = Writer(store, "first"), Writer(store, "second")
    await first.moves(b"1")
    await second.moves(b"1")
    assert sorted(await store.unfinished()) == ["first", "second"]
    await first.move(finished=True)
    assert await store.unfinished() == ["second"]


async def test_an_end_is_for_good(store: Store, backend: Backend) -> None:
    writer = Writer(store)
    await writer.move(finished=True)
    backend.now += 10
    await writer.move()
    await writer.move(finished=True)
    assert await store.unfinished() == []
    assert await store.finished_before(backend.now - 9, 9) == ["table"]


async def test_an_ended_table_may_still_want_something(store: Store, backend: Backend) -> None:
    await Writer(store).move(finished=True, deadline=backend.now, listing=b"over")
    assert await store.due(9) == ["table"]
    assert await store.listed() == [("table", b"over")]


async def test_ended_tables_by_age(store: Store, backend: Backend) -> None:
    start = backend.now
    for table in ("c", "a", "b"):
        backend.now += 10
        await Writer(store, table).move(finished=True)
    await Writer(store, "running").move()
    assert await store.finished_before(start + 31, 9) == ["c", "a", "b"]
    assert await store.finished_before(start + 30, 9) == ["c", "a"]
    assert await store.finished_before(start + 31, 1) == ["c"]
    assert await store.finished_before(start, 9) == []


async def test_a_new_store_gives_no_grace(store: Store, backend: Backend) -> None:
    assert store.grace_until() == 0
    assert store.now() == backend.now


async def test_all_of_it_is_there_after_a_restart(store: Store, backend: Backend) -> None:
    await Writer(store, "running").move(deadline=backend.now - 7, listing=b"listing", wants=b"wants")
    await Writer(store, "over").move(finished=True, deadline=backend.now - 8)
    await Writer(store, "quiet").move(finished=True)
    await store.close()
    backend.now += 1000
    again = backend.store()
    await again.open()
    try:
        grace = backend.now + GRACE_MS if backend.outage_on_restart else 0
        assert again.grace_until() == grace
        assert await again.next_due() == max(grace, backend.now - 1008)
        assert await again.due(9) == ([] if grace else ["over", "running"])
        backend.now += GRACE_MS
        assert await again.due(9) == ["over", "running"]
        assert await again.listed() == [("running", b"listing")]
        assert await again.wanting() == [("running", b"wants")]
        assert await again.unfinished() == ["running"]
        assert await again.finished_before(backend.now, 9) == ["over", "quiet"]
    finally:
        await again.close()


async def test_grace_spares_deadlines_that_come_later(store: Store, backend: Backend) -> None:
    await Writer(store).move(deadline=backend.now + 10 * GRACE_MS)
    deadline = await store.next_due()
    await store.close()
    again = backend.store()
    await again.open()
    try:
        assert await again.next_due() == deadline
    finally:
        await again.close()


async def test_many_commits_of_one_turn_leave_the_last_standing(store: Store, backend: Backend) -> None:
    writers = [Writer(store, f"table {number}") for number in range(70)]
    await asyncio.gather(*(writer.move(deadline=backend.now + n) for n, writer in enumerate(writers)))
    assert await store.next_due() == backend.now
    assert len(await store.unfinished()) == 70


@given(st.lists(st.tuples(st.sampled_from("abc"), st.none() | st.integers(0, 9)), max_size=200), st.integers(0, 9))
def test_deadlines_equal_a_sorted_dict(changes: list[tuple[str, int | None]], now: int) -> None:
    deadlines, expected = Deadlines(), dict[str, int]()
    for table, at in changes:
        deadlines.set(table, at)
        expected.pop(table, None)
        if at is not None:
            expected[table] = at
    order = sorted((at, table) for table, at in expected.items())
    passed = [table for at, table in order if at <= now]
    assert deadlines.first() == (order[0][0] if order else None)
    for limit in (0, 1, 2, 9):
        assert deadlines.passed(now, limit) == passed[:limit]


def test_replaced_deadlines_do_not_pile_up() -> None:
    deadlines = Deadlines()
    for at in range(10_000):
        deadlines.set("table", at)
    assert deadlines.first() == 9_999
    assert len(deadlines._heap) < 100
