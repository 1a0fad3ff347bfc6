"""The faults. Each method brings one about, and returns when every process serves again."""

import asyncio
import os
import shutil
import signal
import time
from collections.abc import Awaitable, Callable
from random import Random

import msgspec

from tests.faults.site import Site

OUTAGE_SECONDS = 10.0
AGAIN_SECONDS = 2.5
"""How long after an outage a client may wait until it sends a refused command again."""
NEWS_SECONDS = 5.0
"""The check period: within it views arrive even if none is published any more."""
PLAY_SECONDS = 1.5
"""How long is played on after a copy of Redis's file is taken."""


class Fault(msgspec.Struct):
    """One fault. Times are the computer's monotonic seconds.

    Attributes:
        kind: which.
        began: when it was brought about.
        ended: when every process served again.
        down: for how many seconds Redis was away.
    """

    kind: str
    began: float
    ended: float
    down: float = 0.0


class Injector:
    """Brings about faults at one site, and notes when.

    Attributes:
        faults: what there was so far.
    """

    def __init__(self, site: Site, rng: Random) -> None:
        self._site = site
        self._rng = rng
        self._unreachable = 0
        self._down = 0.0
        self.faults: list[Fault] = []

    async def inject(self, kind: str) -> None:
        """Bring about a fault of some kind."""
        how: dict[str, Callable[[], Awaitable[None]]] = {
            "worker_killed": self._kill_worker,
            "workers_terminated": self._terminate_workers,
            "workers_exchanged": self._exchange_workers,
            "redis_killed": self._kill_redis,
            "redis_empty": self._empty_redis,
            "redis_older": self._age_redis,
            "redis_unreachable": self._cut_off_redis,
            "news_cut": self._cut_news,
        }
        self._down = 0.0
        began = time.monotonic()
        await how[kind]()
        await self._site.whole()
        self.faults.append(Fault(kind, began, time.monotonic(), self._down))

    async def _kill_worker(self) -> None:
        pid = self._rng.choice(self._workers())
        os.kill(pid, signal.SIGKILL)
        await self._replaced([pid])

    async def _terminate_workers(self) -> None:
        """One after the other, each when the one before is replaced."""
        for pid in self._workers():
            os.kill(pid, signal.SIGTERM)
            await self._replaced([pid])
            await self._site.whole()

    async def _exchange_workers(self) -> None:
        assert self._site.workers is not None
        before = self._workers()
        self._site.workers.signal(signal.SIGHUP)
        await self._replaced(before)

    async def _kill_redis(self) -> None:
        at = time.monotonic()
        self._site.redis.kill()
        await asyncio.to_thread(self._site.redis.start)
        self._down = time.monotonic() - at  # it answers once it has read its file, which grows

    async def _empty_redis(self) -> None:
        redis = self._site.redis
        redis.kill()
        shutil.rmtree(redis.folder)
        await asyncio.to_thread(redis.start)

    async def _age_redis(self) -> None:
        redis = self._site.redis
        copy = redis.folder.with_name("copy")
        await asyncio.to_thread(shutil.copytree, redis.folder, copy)
        await asyncio.sleep(PLAY_SECONDS)
        redis.kill()
        shutil.rmtree(redis.folder)
        copy.rename(redis.folder)
        await asyncio.to_thread(redis.start)

    async def _cut_off_redis(self) -> None:
        """In turns the whole site, and one machine alone while the others go on."""
        self._unreachable += 1
        self._down = OUTAGE_SECONDS
        if self._unreachable % 2:
            self._site.redis.pause()
            await asyncio.sleep(OUTAGE_SECONDS)
            self._site.redis.resume()
            await asyncio.sleep(AGAIN_SECONDS)
            return
        proxy = self._rng.choice(self._site.proxies)
        proxy.swallowing = True
        proxy.silence()
        await asyncio.sleep(OUTAGE_SECONDS)
        proxy.swallowing = False
        proxy.cut(only_silent=True)
        await asyncio.sleep(AGAIN_SECONDS)

    async def _cut_news(self) -> None:
        """Nothing that is published reaches one machine any more, and no connection is closed."""
        proxy = self._rng.choice(self._site.proxies)
        proxy.silence(only_news=True)
        await asyncio.sleep(NEWS_SECONDS)
        proxy.cut(only_silent=True)

    def _workers(self) -> list[int]:
        assert self._site.workers is not None
        return self._site.workers.children()

    async def _replaced(self, before: list[int]) -> None:
        """Wait until none of these processes is there any more, and others are in their place."""
        await self._site.until(lambda: self._are_replaced(before))

    def _are_replaced(self, before: list[int]) -> bool:
        now = self._workers()
        return not set(before) & set(now) and len(now) == self._site.count
