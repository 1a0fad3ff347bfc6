"""Several processes on one memory store, and what tests can do to them."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from server.store.base import PUBLIC, StoreError
from server.store.memory import Delivery, MemoryCore, MemoryStore
from tests.server.store.steps import Told, Writer, always


@pytest.fixture
def core() -> MemoryCore:
    return MemoryCore()


@pytest_asyncio.fixture
async def here(core: MemoryCore) -> AsyncIterator[MemoryStore]:
    store = MemoryStore(core=core, exclusive=False)
    await store.open()
    yield store
    await store.close()


@pytest_asyncio.fixture
async def there(core: MemoryCore) -> AsyncIterator[MemoryStore]:
    store = MemoryStore(core=core, exclusive=False)
    await store.open()
    yield store
    await store.close()


def test_a_store_is_alone_unless_told_otherwise(here: MemoryStore) -> None:
    assert MemoryStore().exclusive
    assert not here.exclusive


async def test_every_process_is_told_and_the_view_is_made_once(here: MemoryStore, there: MemoryStore) -> None:
    made = []

    def make() -> bytes:
        made.append(1)
        return b"view"

    told_here, told_there = Told(), Told()
    await here.subscribe("table", PUBLIC, told_here.on_view)
    await there.subscribe("table", PUBLIC, told_there.on_view)
    await there.follow("table", told_there.on_entry)
    writer = Writer(here)
    await writer.move(b"entry", views=[(PUBLIC, make)])
    assert told_here.news == [("table", PUBLIC, 1, b"view")]
    assert told_there.news == [("table", writer.head, b"entry"), ("table", PUBLIC, 1, b"view")]
    assert len(made) == 1


async def test_processes_share_everything_else(here: MemoryStore, there: MemoryStore) -> None:
    writer = Writer(here)
    await writer.moves(b"1")
    late = Writer(there, head=writer.head)
    await writer.moves(b"2")
    missed = await late.move()
    assert missed is not None
    assert missed.entries == (b"2",)
    await here.beat("table", "connection", "anna")
    assert (await there.present("table")).here == {"anna"}


async def test_a_process_that_went_away_is_not_told(here: MemoryStore, there: MemoryStore) -> None:
    told = Told()
    await there.follow("table", told.on_entry)
    await there.close()
    await Writer(here).moves(b"1")
    await there.open()
    await Writer(here, "other").moves(b"1")
    assert told.news == []


async def test_deliveries_can_be_delayed_and_dropped(core: MemoryCore, here: MemoryStore, there: MemoryStore) -> None:
    under_way: list[Delivery] = []
    core.deliver = under_way.append
    told = Told()
    await here.follow("table", told.on_entry)
    await there.follow("table", told.on_entry)
    await there.subscribe("table", "anna", told.on_view)
    await Writer(here).move(b"entry", views=[("anna", always(b"view"))])
    assert told.news == []
    assert [(it.store, it.table, it.audience, it.version) for it in under_way] == [
        (here, "table", None, 1),
        (there, "table", None, 1),
        (there, "table", "anna", 1),
    ]
    under_way[2].hand_over()
    assert told.news == [("table", "anna", 1, b"view")]


async def test_a_message_that_arrives_after_unsubscribing_is_dropped(core: MemoryCore, here: MemoryStore) -> None:
    under_way: list[Delivery] = []
    core.deliver = under_way.append
    told = Told()
    await here.subscribe("table", "anna", told.on_view)
    await Writer(here).move(views=[("anna", always(b"view"))])
    await here.unsubscribe("table", "anna")
    under_way[0].hand_over()
    assert told.news == []


async def test_a_broken_store_fails_everywhere_and_recovers(core: MemoryCore, here: MemoryStore) -> None:
    core.failure = "the disk is on fire"
    for attempt in (here.check, here.unfinished, Writer(here).move):
        with pytest.raises(StoreError, match="on fire"):
            await attempt()
    core.failure = None
    core.grace_until = 5
    await here.check()
    assert await here.load("table") is None
    assert here.grace_until() == 5
