"""A store between a hub and its `MemoryStore`, in which every operation can be delayed, fail, or be the last one."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Any, cast

from server.store.base import Store, StoreError
from server.store.memory import MemoryCore, MemoryStore

Meddler = Callable[[str], Awaitable[None]]
"""Told of every operation by name; may wait or raise."""


async def nothing(name: str) -> None:
    """Let it be."""


class MeddledStore:
    """What a hub takes for its store.

    Attributes:
        inner: the store that does the work.
        calls: the names of all operations so far.
        before: what happens before each.
        after: what happens after each; what it raises hides that the operation took place.
    """

    def __init__(self, core: MemoryCore, *, exclusive: bool = True) -> None:
        self.inner = MemoryStore(core=core, exclusive=exclusive)
        self.calls: list[str] = []
        self.before: Meddler = nothing
        self.after: Meddler = nothing

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.inner, name)
        if not inspect.iscoroutinefunction(found):
            return found

        async def meddled(*args: Any, **kwargs: Any) -> Any:
            self.calls.append(name)
            await self.before(name)
            result = await found(*args, **kwargs)
            await self.after(name)
            return result

        return meddled

    @property
    def store(self) -> Store:
        return cast(Store, self)


def at(operation: str, act: Meddler) -> Meddler:
    """Do something at one kind of operation."""

    async def meddle(name: str) -> None:
        if name == operation:
            await act(name)

    return meddle


class Countdown:
    """Lets so many operations pass, and then does something at one of them: never, or from then on."""

    def __init__(self, count: int, act: Meddler, *, once: bool = True) -> None:
        self.left = count
        self.act = act
        self.once = once
        self.struck = False

    async def __call__(self, name: str) -> None:
        self.left -= 1
        if self.left == -1 or (self.left < -1 and not self.once):
            self.struck = True
            await self.act(name)


async def fail(name: str) -> None:
    raise StoreError(f"{name} failed")


class Grave:
    """Where the processes lie that are no more, each where it was when it died."""

    def __init__(self) -> None:
        self._hung: list[asyncio.Future[None]] = []

    async def hang(self, name: str) -> None:
        """Not to go on from here."""
        self._hung.append(asyncio.get_running_loop().create_future())
        await self._hung[-1]

    async def bury(self) -> None:
        """Clear away what hangs, and what then hangs on its way out."""
        for _ in range(20):
            while self._hung:
                self._hung.pop().cancel()
            await asyncio.sleep(0)
