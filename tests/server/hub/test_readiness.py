"""Whether the store does its work is asked seldom, and answered soon."""

import asyncio

import pytest
from structlog.typing import EventDict

from server.hub.readiness import ANSWER_SECONDS, FRESH_SECONDS, Readiness
from server.store.base import Store, StoreError
from server.store.memory import MemoryCore, MemoryStore
from tests.server.hub.house import House
from tests.server.hub.meddling import at
from tests.server.hub.virtual import clock, pass_time, virtual


class Asked(MemoryStore):
    """Counts how often it was asked, and answers when it may, or fails."""

    def __init__(self) -> None:
        super().__init__(core=MemoryCore(clock))
        self.times = 0
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self.wrong: Exception | None = None

    async def check(self) -> None:
        self.times += 1
        await self.may_answer.wait()
        if self.wrong is not None:
            raise self.wrong


def readiness(store: Store) -> Readiness:
    return Readiness(store)


def now() -> float:
    return asyncio.get_running_loop().time()


@virtual
async def test_an_answer_counts_for_a_moment() -> None:
    store = Asked()
    ready = readiness(store)
    for _ in range(100):
        assert await ready.why_not() is None
    assert store.times == 1
    store.wrong = StoreError("the disk is full")
    await pass_time(FRESH_SECONDS + 0.01)
    assert [await ready.why_not() for _ in range(100)] == ["the disk is full"] * 100
    assert store.times == 2


@virtual
async def test_many_at_once_are_one_question() -> None:
    store = Asked()
    ready = readiness(store)
    store.may_answer.clear()
    asking = [asyncio.create_task(ready.why_not()) for _ in range(100)]
    await pass_time(0.1)
    assert store.times == 1
    store.may_answer.set()
    assert await asyncio.gather(*asking) == [None] * 100


@virtual
async def test_a_store_that_hangs_is_not_waited_for() -> None:
    store = Asked()
    ready = readiness(store)
    store.may_answer.clear()
    began = now()
    assert await ready.why_not() == "the store does not answer"
    assert now() - began == pytest.approx(ANSWER_SECONDS)
    began = now()
    assert [await ready.why_not() for _ in range(100)] == ["the store does not answer"] * 100
    assert now() == began, "whoever asks later does not wait again"
    await pass_time(60)
    assert store.times == 1, "and the store is not asked again while it thinks"
    store.may_answer.set()
    await pass_time(0)
    assert await ready.why_not() is None


@virtual
async def test_who_goes_away_does_not_take_the_answer_from_the_others() -> None:
    store = Asked()
    ready = readiness(store)
    store.may_answer.clear()
    impatient, patient = asyncio.create_task(ready.why_not()), asyncio.create_task(ready.why_not())
    await pass_time(0.1)
    impatient.cancel()
    store.may_answer.set()
    assert await patient is None


@virtual
async def test_a_mistake_is_told_without_its_message(logged: list[EventDict]) -> None:
    store = Asked()
    store.wrong = ValueError("a secret")
    assert await readiness(store).why_not() == "the server made a mistake"
    assert [entry["fault"].split()[0] for entry in logged] == ["ValueError"]
    assert "a secret" not in repr(logged)


@virtual
async def test_a_hub_that_stops_leaves_no_question_behind() -> None:
    async with House() as house:

        async def hang(name: str) -> None:
            await asyncio.Event().wait()

        house.store.before = at("check", hang)
        assert await house.hub.check() == "the store does not answer"
        before = asyncio.all_tasks()
    assert len(before - asyncio.all_tasks()) > 0
    assert not [task for task in asyncio.all_tasks() if "_ask" in repr(task.get_coro())]
