"""One Redis server, connected to as long as it can be."""

import asyncio
import contextlib
import logging
import random
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import structlog

from server.store.base import StoreError
from server.store.redis_wire import CONNECT_SECONDS, Link, Wire

log = structlog.get_logger()

FIRST_DELAY = 0.02
LONGEST_DELAY = 0.5
PATIENCE = 0.5
"""For how many seconds after a loss a command waits for a new connection; later it fails at once."""
LOOK_SECONDS = 0.2
"""How often a connection is looked at."""


def delays() -> Iterator[float]:
    """How long to wait before each new try, in seconds. Not all processes come back in the same moment."""
    delay = FIRST_DELAY
    while True:
        yield delay * random.uniform(0.5, 1)
        delay = min(2 * delay, LONGEST_DELAY)


class Keeper:
    """Keeps something connected.

    Args:
        name: what the log calls it.
        connect: makes a connection that is ready for use, or raises.
        look: called every now and then; aborts the connection if it does not live any more.
        level: of what is logged of losses.
    """

    def __init__(
        self,
        name: str,
        connect: Callable[[], Awaitable[Wire]],
        look: Callable[[], None],
        level: int = logging.WARNING,
    ) -> None:
        self._name = name
        self._level = level
        self._connect = connect
        self._look = look
        self._task: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._lost_at = self._loop.time()
        self.failure = "there was no time to connect"
        self.wire: Wire | None = None

    @property
    def alive(self) -> bool:
        return self.wire is not None and not self.wire.closed.done()

    @property
    def away(self) -> float:
        """For how many seconds there has been no connection."""
        return self._loop.time() - self._lost_at if self.wire is None else 0.0

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        task, self._task = self._task, None
        while task is not None and not task.done():
            task.cancel()
            await asyncio.wait([task], timeout=LOOK_SECONDS)  # what asks sentinels can lose a cancellation
        if self.wire is not None:
            self.wire.abort()
            self.wire = None
        self._changed.set()

    async def connected(self, seconds: float) -> None:
        """Wait for a connection. Raises `StoreError` when it takes longer."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not self.alive and self._task is not None:
                    self._changed.clear()
                    await self._changed.wait()
        if not self.alive:
            raise StoreError(f"the store cannot be reached: {self.failure}")

    async def _run(self) -> None:
        pause = delays()
        lost = False
        while True:
            try:
                async with asyncio.timeout(CONNECT_SECONDS):
                    self.wire = await self._connect()
            except Exception as error:
                # Whatever it is, another try may help; who asks meanwhile is told.
                failure = _sentence(error)
                if lost and failure != self.failure:
                    log.log(self._level, "unreachable", what=self._name, reason=failure)
                self.failure = failure
                await asyncio.sleep(next(pause))
                continue
            pause = delays()
            self._changed.set()
            if lost:
                log.log(self._level, "back", what=self._name, after_s=round(self._loop.time() - self._lost_at, 1))
            while not self.wire.closed.done():
                await asyncio.wait([self.wire.closed], timeout=LOOK_SECONDS)
                self._look()
            self.wire = None
            self._lost_at = self._loop.time()
            self.failure = "the connection was lost"
            lost = True
            log.log(self._level, "connection_lost", what=self._name)


class Node:
    """A server for commands.

    Args:
        connect: makes a link to it that is ready for use, or raises.
        level: of what is logged of losses.
    """

    def __init__(self, connect: Callable[["Node"], Awaitable[Link]], level: int = logging.WARNING) -> None:
        self._keeper = Keeper("the connection to the store", self._connected, self._look, level)
        self._connect = connect
        self.link: Link | None = None
        self.run_id: bytes | None = None

    @property
    def away(self) -> float:
        """For how many seconds there has been no connection."""
        return self._keeper.away

    def start(self) -> None:
        self._keeper.start()

    async def connected(self, seconds: float) -> None:
        """Wait for a connection. Raises `StoreError` when it takes longer."""
        await self._keeper.connected(seconds)

    async def close(self) -> None:
        if self.link is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CONNECT_SECONDS):
                    while not self.link.idle:
                        await asyncio.wait([self.link.closed], timeout=0.005)
        await self._keeper.close()

    async def call(self, packed: bytes, count: int = 1) -> Any:
        """Send commands that are packed already, and return their answers."""
        link = self.link
        if link is None or link.closed.done():
            link = await self.wait()
        return await link.call_many(packed, count)

    async def wait(self) -> Link:
        """A connection, if there is one soon."""
        # A connection that was lost a moment ago is back in a moment. Otherwise better a quick refusal.
        await self._keeper.connected(max(0.0, PATIENCE - self.away))
        assert self.link is not None
        return self.link

    async def _connected(self) -> Link:
        self.link = await self._connect(self)
        return self.link

    def _look(self) -> None:
        if self.link is not None and self.link.overdue:
            self.link.abort()


def _sentence(error: Exception) -> str:
    """What went wrong, in words that hold no secret."""
    if isinstance(error, TimeoutError):
        return "it does not answer"
    if isinstance(error, StoreError):
        return str(error)
    return (error.strerror if isinstance(error, OSError) else None) or type(error).__name__
