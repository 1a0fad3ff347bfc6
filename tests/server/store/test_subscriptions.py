"""Who is told of what, and in which order."""

import asyncio

import pytest
from structlog.typing import EventDict

from server.store.base import PUBLIC, Store
from tests.server.store.backends import Backend
from tests.server.store.steps import Told, Writer, always, never


async def test_a_subscriber_gets_its_view_of_every_version(store: Store, backend: Backend) -> None:
    told = Told()
    await store.subscribe("table", "anna", told.on_view)
    writer = Writer(store)
    await writer.move(views=[("anna", always(b"1"))])
    await writer.move(views=[(PUBLIC, never), ("anna", always(b"2")), ("bert", never)])
    await backend.delivered(store)
    assert told.news == [("table", "anna", 1, b"1"), ("table", "anna", 2, b"2")]


async def test_entries_come_before_their_views_and_versions_ascend(store: Store, backend: Backend) -> None:
    told = Told()
    writer = Writer(store)
    await store.subscribe("table", PUBLIC, told.on_view)
    await store.subscribe("table", "anna", told.on_view)
    await store.follow("table", told.on_entry)
    heads = []
    for version in (1, 2):
        await writer.move(b"entry", views=[("anna", always(b"a")), (PUBLIC, always(b"p"))])
        heads.append(writer.head)
        await backend.delivered(store)
        assert told.news[-3:] == [
            ("table", writer.head, b"entry"),
            ("table", "anna", version, b"a"),
            ("table", PUBLIC, version, b"p"),
        ]
    assert len(told.news) == 6


async def test_the_news_are_out_when_the_commit_returns(store: Store, backend: Backend) -> None:
    if not backend.tells_before_it_answers:
        pytest.skip("the news come over another connection than the answer")
    told = Told()
    await store.subscribe("a", PUBLIC, told.on_view)

    async def move() -> int:
        await Writer(store, "a").move(views=[(PUBLIC, always(b"view"))])
        return len(told.news)

    count, missed = await asyncio.gather(move(), Writer(store, "b").move())
    assert count == 1
    assert missed is None


async def test_views_go_to_their_table_only(store: Store, backend: Backend) -> None:
    told = Told()
    await store.subscribe("table", PUBLIC, told.on_view)
    await store.follow("table", told.on_entry)
    await Writer(store, "other").move(views=[(PUBLIC, never)])
    await backend.delivered(store)
    assert told.news == []


async def test_a_commit_that_loses_tells_nobody(store: Store, backend: Backend) -> None:
    told = Told()
    await Writer(store).move()
    await store.subscribe("table", PUBLIC, told.on_view)
    await store.follow("table", told.on_entry)
    assert await Writer(store).move(views=[(PUBLIC, never)]) is not None
    await backend.delivered(store)
    assert told.news == []


async def test_a_second_subscription_replaces_the_first(store: Store, backend: Backend) -> None:
    first, second = Told(), Told()
    await store.subscribe("table", PUBLIC, first.on_view)
    await store.subscribe("table", PUBLIC, second.on_view)
    await Writer(store).move(views=[(PUBLIC, always(b"view"))])
    await backend.delivered(store)
    assert first.news == []
    assert second.news == [("table", PUBLIC, 1, b"view")]


async def test_nothing_comes_after_unsubscribing(store: Store, backend: Backend) -> None:
    told = Told()
    await store.subscribe("table", PUBLIC, told.on_view)
    await store.unsubscribe("table", PUBLIC)
    await store.unsubscribe("table", PUBLIC)
    await store.follow("table", told.on_entry)
    await store.unfollow("table")
    await store.unfollow("table")
    await Writer(store).move(views=[(PUBLIC, never)])
    await backend.delivered(store)
    assert told.news == []


async def test_a_listener_that_fails_harms_nobody(store: Store, backend: Backend, logged: list[EventDict]) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a bug")

    told = Told()
    await store.follow("table", broken)
    await store.subscribe("table", "anna", broken)
    await store.subscribe("table", "bert", told.on_view)
    await store.subscribe("table", PUBLIC, told.on_view)
    views = [("anna", always(b"view")), ("bert", never), (PUBLIC, always(b"view"))]
    assert await Writer(store).move(views=views) is None
    await backend.delivered(store)
    assert told.news == [("table", PUBLIC, 1, b"view")]
    assert [entry["fault"].split()[0] for entry in logged].count("RuntimeError") == 2
    assert len(logged) == 3


async def test_a_caller_that_goes_away_does_not_keep_news_from_the_others(store: Store, backend: Backend) -> None:
    """Unless it went before anything began, the commit is stored and told of as if it had stayed."""
    told = Told()
    await store.subscribe("table", PUBLIC, told.on_view)
    impatient = asyncio.create_task(Writer(store).move(b"entry", views=[(PUBLIC, always(b"view"))]))
    neighbour = asyncio.create_task(Writer(store, "other").move())
    await asyncio.sleep(0)  # Both have handed in their commits, in the same batch if there are batches.
    impatient.cancel()
    assert await neighbour is None
    await asyncio.wait([impatient])
    log = await store.load("table")
    assert log is not None
    assert log.entries == (b"entry",)
    await backend.delivered(store)
    assert told.news == [("table", PUBLIC, 1, b"view")]


async def test_nothing_is_a_gap_while_all_goes_well(store: Store, backend: Backend) -> None:
    gaps, told = list[int](), Told()
    store.on_gap(lambda: gaps.append(1))
    await store.follow("table", told.on_entry)
    await Writer(store).moves(b"1", b"2")
    await backend.delivered(store)
    assert len(told.news) == 2
    assert gaps == []
