"""Processes tell each other where their players sit down."""

import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack

import pytest

from server.store.base import Store
from server.store.memory import MemoryCore, MemoryStore
from server.store.redis import RedisStore
from tests.server.store.redis_server import shared_server
from tests.server.store.redis_steps import until

_prefixes = itertools.count(1)
Pair = tuple[Store, Store]


def _memory() -> Pair:
    core = MemoryCore()
    return MemoryStore(core=core, exclusive=False), MemoryStore(core=core, exclusive=False)


def _redis() -> Pair:
    prefix = f"seats{next(_prefixes)}"
    return RedisStore(shared_server().url, prefix=prefix), RedisStore(shared_server().url, prefix=prefix)


@pytest.fixture(params=[_memory, _redis])
async def pair(request: pytest.FixtureRequest) -> AsyncIterator[Pair]:
    make: Callable[[], Pair] = request.param
    here, there = make()
    async with AsyncExitStack() as stack:
        for store in (here, there):
            await store.open()
            stack.push_async_callback(store.close)
        yield here, there


async def test_what_others_note_is_told_and_what_oneself_notes_is_not(pair: Pair) -> None:
    here, there = pair
    told = list[tuple[str, str, str]]()
    await here.watch_seats("anna", lambda player, table: told.append(("here", player, table)))
    await there.watch_seats("anna", lambda player, table: told.append(("there", player, table)))
    await here.add_seat("anna", "07table")
    await here.add_seat("bert", "07table")
    await there.add_seat("anna", "09table")
    await until(lambda: len(told) == 2)
    assert sorted(told) == [("here", "anna", "09table"), ("there", "anna", "07table")]
    assert await here.seats_of("anna") == ["07table", "09table"]


async def test_nothing_is_told_any_more_to_who_has_enough(pair: Pair) -> None:
    here, there = pair
    told = list[str]()
    await here.watch_seats("anna", lambda _, table: told.append(table))
    await here.watch_seats("bert", lambda _, table: told.append(table))
    await here.unwatch_seats("anna")
    await here.unwatch_seats("cleo")
    await there.add_seat("anna", "07table")
    await there.add_seat("bert", "08table")
    await until(lambda: bool(told))
    assert told == ["08table"]


async def test_a_watcher_that_fails_harms_nobody(pair: Pair) -> None:
    here, there = pair
    told = list[str]()

    def fail(player: str, table: str) -> None:
        raise ZeroDivisionError

    await here.watch_seats("anna", fail)
    await here.watch_seats("bert", lambda _, table: told.append(table))
    await there.add_seat("anna", "07table")
    await there.add_seat("bert", "08table")
    await until(lambda: bool(told))
    assert told == ["08table"]
