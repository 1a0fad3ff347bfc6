"""What the tests of the Redis store share."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from server.store.base import StoreError
from server.store.redis import RedisStore


async def until(condition: Callable[[], bool], seconds: float = 8.0) -> None:
    """Wait for something to become true."""

    async def holds() -> bool:
        return condition()

    await eventually(holds, seconds)


async def eventually(condition: Callable[[], Awaitable[bool]], seconds: float = 8.0) -> None:
    """Wait for something to become true that has to be asked for."""
    async with asyncio.timeout(seconds):
        while True:
            if await condition():
                return
            await asyncio.sleep(0.005)


async def answers(store: RedisStore, seconds: float = 8.0) -> None:
    """Wait until the store works."""

    async def checks() -> bool:
        try:
            await store.check()
        except StoreError:
            return False
        return True

    await eventually(checks, seconds)


@asynccontextmanager
async def opened(url: str, **options: Any) -> AsyncIterator[RedisStore]:
    store = RedisStore(url, **options)
    await store.open()
    try:
        yield store
    finally:
        await store.close()
