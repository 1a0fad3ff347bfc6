"""The log: commits, conflicts, loading and deleting."""

import asyncio
from dataclasses import replace

import pytest

from server.store.base import BEGINNING, Head, Log, Store, StoreError
from tests.server.store.backends import Backend
from tests.server.store.steps import Writer, step


async def test_a_table_that_was_never_made_has_no_log(store: Store) -> None:
    assert await store.load("table") is None


async def test_a_stored_entry_can_be_loaded(store: Store) -> None:
    writer = Writer(store)
    assert await writer.move(b"made") is None
    assert await writer.move(b"moved") is None
    assert writer.head is not None
    assert await store.load("table") == Log(writer.head, (b"made", b"moved"))


async def test_loading_from_a_head_on(store: Store) -> None:
    writer = Writer(store)
    heads = [BEGINNING]
    for entry in (b"1", b"2", b"3"):
        await writer.moves(entry)
        assert writer.head is not None
        heads.append(writer.head)
    whole = (b"1", b"2", b"3")
    for head in heads:
        log = await store.load("table", head)
        assert log == Log(heads[-1], whole[head.version :])
        assert log.since == head.version


@pytest.mark.parametrize("since", [Head(2, b"another"), Head(3, b"another"), Head(9, b"lost")])
async def test_loading_from_a_head_that_is_not_there_gives_all(store: Store, since: Head) -> None:
    writer = Writer(store)
    await writer.moves(b"1", b"2", b"3")
    assert writer.head is not None
    assert await store.load("table", since) == Log(writer.head, (b"1", b"2", b"3"))
    assert await store.load("never", since) is None


@pytest.mark.parametrize("entry", [b"", b"\0\xff,;'", bytes(range(256)) * 40])
async def test_entries_are_opaque(store: Store, entry: bytes) -> None:
    await Writer(store).move(entry)
    log = await store.load("table")
    assert log is not None
    assert log.entries == (entry,)


async def test_tables_do_not_mix(store: Store) -> None:
    ours, theirs = Writer(store, "ours"), Writer(store, "theirs")
    await ours.moves(b"a", b"b")
    await theirs.moves(b"c")
    await ours.moves(b"d")
    log = await store.load("ours")
    assert log is not None
    assert log.entries == (b"a", b"b", b"d")


async def test_who_comes_late_gets_what_they_missed(store: Store) -> None:
    first = Writer(store)
    await first.moves(b"1", b"2")
    late = Writer(store, head=first.head)
    await first.moves(b"3", b"4")
    assert first.head is not None
    assert await late.move(b"never stored") == Log(first.head, (b"3", b"4"))
    assert await store.load("table") == Log(first.head, (b"1", b"2", b"3", b"4"))


async def test_another_history_of_the_same_length_is_a_conflict_from_the_start(store: Store) -> None:
    writer = Writer(store)
    await writer.moves(b"1", b"2")
    assert writer.head is not None
    other = Writer(store, head=Head(2, b"another"))
    assert await other.move() == Log(writer.head, (b"1", b"2"))


async def test_another_history_that_is_shorter_is_a_conflict_from_the_start(store: Store) -> None:
    writer = Writer(store)
    await writer.moves(b"1", b"2")
    assert writer.head is not None
    assert await Writer(store, head=Head(1, b"another")).move() == Log(writer.head, (b"1", b"2"))


@pytest.mark.parametrize("believed", [Head(9, b"lost"), Head(0, b"")])
async def test_a_head_that_the_log_never_had_is_a_conflict_from_the_start(store: Store, believed: Head) -> None:
    writer = Writer(store)
    await writer.moves(b"1", b"2")
    assert writer.head is not None
    assert await Writer(store, head=believed).move() == Log(writer.head, (b"1", b"2"))


async def test_a_table_is_made_once(store: Store) -> None:
    writer = Writer(store)
    await writer.moves(b"1", b"2")
    assert writer.head is not None
    assert await Writer(store).move() == Log(writer.head, (b"1", b"2"))


async def test_a_move_at_no_table_gets_an_empty_log(store: Store) -> None:
    assert await Writer(store, head=Head(3, b"lost")).move() == Log(Head(0, b""), ())
    assert await store.load("table") is None
    assert await store.unfinished() == []


async def test_a_commit_that_would_leave_a_hole_is_refused(store: Store) -> None:
    commit = step("table", None)
    with pytest.raises(ValueError, match="does not follow"):
        await store.commit(replace(commit, head=Head(2, b"id")))
    assert await store.load("table") is None


async def test_of_concurrent_commits_exactly_one_wins(store: Store) -> None:
    opening = Writer(store)
    await opening.moves(b"made")
    for _ in range(5):
        rivals = [Writer(store, head=opening.head) for _ in range(8)]
        results = await asyncio.gather(*(rival.move(str(n).encode()) for n, rival in enumerate(rivals)))
        [winner] = [rival for rival, missed in zip(rivals, results, strict=True) if missed is None]
        log = await store.load("table")
        assert log is not None
        assert log.head == winner.head
        for missed in results:
            assert missed is None or (missed.head == winner.head and missed.entries == log.entries[-1:])
        opening.head = winner.head


async def test_one_turn_can_hold_a_whole_chain(store: Store) -> None:
    made = step("table", None, b"1")
    moved = step("table", made.head, b"2")
    too_late = step("table", made.head, b"3")
    ended = step("table", moved.head, b"4", finished=True)
    results = await asyncio.gather(*map(store.commit, (made, moved, too_late, ended)))
    assert [results[index] for index in (0, 1, 3)] == [None] * 3
    assert results[2] is not None
    assert results[2].entries[0] == b"2"
    assert await store.load("table") == Log(ended.head, (b"1", b"2", b"4"))


async def test_the_heads_of_many_tables(store: Store) -> None:
    writers = [Writer(store, f"{number:02d}table") for number in range(70)]
    for writer in writers:
        await writer.moves(b"1")
    await writers[0].moves(b"2" * 300)
    heads = await store.heads([*(writer.table for writer in writers), "00never", "never"])
    assert heads == {writer.table: writer.head for writer in writers}
    assert await store.heads([]) == {}


async def test_a_deleted_table_leaves_nothing(store: Store, backend: Backend) -> None:
    writer = Writer(store)
    await store.add_seat("player", "table")
    await store.add_seat("player", "other")
    await store.beat("table", "connection", "player")
    await writer.move(deadline=backend.now, listing=b"listing", wants=b"wants")
    await writer.move(deadline=backend.now, listing=b"listing", wants=b"wants", finished=True)
    await store.delete("table")
    assert await store.load("table") is None
    assert await store.due(9) == []
    assert await store.next_due() is None
    assert await store.listed() == []
    assert await store.wanting() == []
    assert await store.unfinished() == []
    assert await store.finished_before(backend.now + 1, 9) == []
    assert await store.seats_of("player") == ["other"]
    assert (await store.present("table")).last_seen is None


async def test_deleting_a_table_leaves_the_others(store: Store) -> None:
    other = Writer(store, "other")
    await Writer(store).moves(b"1")
    await other.moves(b"2")
    await store.delete("table")
    assert other.head is not None
    assert await store.load("other") == Log(other.head, (b"2",))
    assert await store.unfinished() == ["other"]


async def test_deleting_what_does_not_exist_does_nothing(store: Store) -> None:
    await store.delete("table")


async def test_a_move_at_a_deleted_table_is_not_stored(store: Store) -> None:
    writer = Writer(store)
    await writer.moves(b"1")
    await store.delete("table")
    assert await writer.move() == Log(Head(0, b""), ())


async def test_a_deleted_id_can_be_used_again_even_in_one_turn(store: Store) -> None:
    await Writer(store).moves(b"old")
    made = step("table", None, b"new")
    deleted, missed = await asyncio.gather(store.delete("table"), store.commit(made))
    assert deleted is None
    assert missed is None
    assert await store.load("table") == Log(made.head, (b"new",))
    assert await store.unfinished() == ["table"]


async def test_a_table_deleted_in_the_turn_of_its_moves_is_gone(store: Store) -> None:
    made = step("table", None, b"1")
    moved = step("table", made.head, b"2", deadline=1, finished=True)
    await asyncio.gather(store.commit(made), store.commit(moved), store.delete("table"))
    assert await store.load("table") is None
    assert await store.next_due() is None
    again = step("table", None, b"3")
    assert await store.commit(again) is None
    assert await store.load("table") == Log(again.head, (b"3",))


async def test_everything_is_there_after_a_restart(store: Store, backend: Backend) -> None:
    writer = Writer(store)
    await writer.moves(b"1", b"2")
    assert writer.head is not None
    await store.close()
    again = backend.store()
    await again.open()
    try:
        assert await again.load("table") == Log(writer.head, (b"1", b"2"))
        assert await Writer(again, head=writer.head).move() is None
        assert await Writer(again, "another").move() is None
    finally:
        await again.close()


async def test_a_working_store_checks_well(store: Store) -> None:
    await store.check()
    await store.check()


async def test_a_closed_store_says_so(store: Store) -> None:
    await store.close()
    with pytest.raises(StoreError, match="not open"):
        await Writer(store).move()
    with pytest.raises(StoreError, match="not open"):
        await store.load("table")
    with pytest.raises(StoreError, match="not open"):
        await store.due(1)


async def test_closing_twice_is_harmless(store: Store) -> None:
    await asyncio.gather(store.close(), store.close())
    await store.close()


async def test_opening_twice_is_refused(store: Store) -> None:
    with pytest.raises(StoreError, match="open already"):
        await store.open()


async def test_a_closed_store_can_be_opened_again(store: Store, backend: Backend) -> None:
    writer = Writer(store)
    await writer.moves(b"1")
    await store.close()
    other = backend.store()
    await other.open()
    await other.delete("table")
    await other.close()
    await store.open()
    assert await store.unfinished() == []
    assert await Writer(store).move() is None
