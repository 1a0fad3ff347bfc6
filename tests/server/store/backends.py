"""The stores under test, behind one shape. Another store joins the suite with a class here and a line in `BACKENDS`."""

import asyncio
import itertools
from abc import ABC, abstractmethod
from pathlib import Path

from server.store.base import Head, Store
from server.store.memory import MemoryCore, MemoryStore
from server.store.redis import RedisStore
from server.store.redis_keys import Keys, head_bytes
from server.store.sqlite import SqliteStore
from tests.server.store.redis_server import RedisServer, shared_server

START = 1_700_000_000_000


class Backend(ABC):
    """Where data outlives the stores that are opened on it.

    Attributes:
        now: the store's time.
    """

    outage_on_restart: bool
    """Whether nobody can move while a process restarts."""
    tells_before_it_answers = True
    """Whether the news of a commit are out when it returns."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.now = START

    @abstractmethod
    def store(self) -> Store:
        """A store that is not open yet."""

    async def delivered(self, store: Store) -> None:
        """Wait until all that was published has arrived."""
        assert self.tells_before_it_answers


class MemoryBackend(Backend):
    outage_on_restart = False

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.core = MemoryCore(lambda: self.now)

    def store(self) -> Store:
        return MemoryStore(core=self.core)


class SqliteBackend(Backend):
    outage_on_restart = True

    @property
    def path(self) -> Path:
        return self.folder / "store.db"

    def store(self) -> SqliteStore:
        return SqliteStore(self.path, clock=lambda: self.now)


_prefixes = itertools.count(1)


class RedisBackend(Backend):
    """Each in a corner of its own of one server."""

    outage_on_restart = False
    tells_before_it_answers = False

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.server: RedisServer = shared_server()
        self.prefix = f"test{next(_prefixes)}"

    def store(self) -> RedisStore:
        # What other processes set is to be seen at once.
        return RedisStore(self.server.url, prefix=self.prefix, store_time=lambda: self.now, look_ms=0)

    async def delivered(self, store: Store) -> None:
        arrived = asyncio.Event()
        await store.follow("barrier", lambda *_: arrived.set())
        # All messages come over one connection, in order.
        self.server.command("PUBLISH", Keys(self.prefix).entries("barrier"), head_bytes(Head(1, b"")))
        async with asyncio.timeout(5):
            await arrived.wait()
        await store.unfollow("barrier")


BACKENDS: dict[str, type[Backend]] = {"memory": MemoryBackend, "sqlite": SqliteBackend, "redis": RedisBackend}
