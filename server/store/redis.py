"""The store for several processes and machines: a Redis, or a Valkey.

Nobody owns a table. One script compares the head, appends and publishes, so that of two processes exactly one wins and
the other learns in the same round trip what it missed.

A Redis that comes back without its last steps, or without any, cannot fork a table: whoever believes in a head that is
not in the log gets the whole log that there is.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Sequence
from secrets import token_bytes
from typing import Any

import structlog

from server.faults import fault
from server.store.base import BEGINNING, Audience, Commit, Head, Log, OnEntry, OnGap, OnSeat, OnView, StoreError
from server.store.redis_clock import BEAT_SECONDS, Grace, StoreClock
from server.store.redis_cluster import Cluster
from server.store.redis_durability import check_durability, check_role, run_id
from server.store.redis_keys import Keys, bucket_of, head_bytes, read_entry, read_head, read_log
from server.store.redis_news import Ear, News, OnMessage
from server.store.redis_node import Node
from server.store.redis_people import RedisPeople
from server.store.redis_scripts import ALL, COMMIT, DELETE, HEADS, PULSE
from server.store.redis_servers import OPEN_SECONDS, OneServer, Servers, dial
from server.store.redis_standing import RedisStanding
from server.store.redis_url import read_url
from server.store.redis_wire import CONNECT_SECONDS, Link, good
from server.store.standing import check_step

__all__ = ["RedisStore"]

log = structlog.get_logger()

LOOK_MS = 200
ME_BYTES = 8


def _own_clock() -> float:
    return time.monotonic() * 1000


class RedisStore(RedisStanding, RedisPeople):
    """A store in Redis.

    Args:
        url: where it is, see `server.store.redis_url`.
        lossy: the operator allows that Redis loses stored steps.
        prefix: what all keys begin with.
        own_clock: this process's clock in milliseconds; only its pace matters.
        store_time: the store's time instead of Redis's, for tests.
        look_ms: how old may be what is known of deadlines.
    """

    exclusive = False

    def __init__(
        self,
        url: str,
        *,
        lossy: bool = False,
        prefix: str = "bigtop",
        own_clock: Callable[[], float] = _own_clock,
        store_time: Callable[[], int] | None = None,
        look_ms: int = LOOK_MS,
    ) -> None:
        super().__init__(look_ms)
        self._place = read_url(url)
        self._lossy = lossy
        self._keys = Keys(prefix)
        self._me = token_bytes(ME_BYTES)
        self._clock = StoreClock(own_clock)
        self._now = store_time or self._clock.now
        self._grace = Grace()
        self._gap: OnGap = _nothing
        self._servers: Servers | None = None
        self._news: News | None = None
        self._beating: asyncio.Task[None] | None = None

    def now(self) -> int:
        return self._now()

    def grace_until(self) -> int:
        return self._grace.until

    async def open(self) -> None:
        if self._servers is not None:
            raise StoreError("the store is open already")
        kind = Cluster if self._place.scheme == "redis+cluster" else OneServer
        self._grace = Grace()
        self._servers = kind(self._place, self._greet)
        self._news = News(self._listen, lambda: self._gap())
        self._look_again()
        try:
            await self._servers.open()
            await self._news.open(OPEN_SECONDS)
        except BaseException:
            await self.close()
            raise
        self._grace.settled = True
        self._beating = asyncio.create_task(self._beat())

    async def close(self) -> None:
        servers, self._servers = self._servers, None
        news, self._news = self._news, None
        if servers is None or news is None:
            return
        if self._beating is not None:
            self._beating.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._beating
        await news.close()
        await servers.close()

    async def check(self) -> None:
        await check_durability(self._ready(), self._keys, self.now(), lossy=self._lossy)

    async def commit(self, commit: Commit) -> Log | None:
        check_step(commit)
        keys, entries = self._keys.committed(commit.table)
        missed = await self._ready().script(COMMIT, *keys, args=self._commit_args(commit, entries))
        if missed is None:
            self._stands(commit)
            return None
        return read_log(missed) if missed else Log(BEGINNING, ())

    async def load(self, table: str, since: Head = BEGINNING) -> Log | None:
        servers, key = self._ready(), self._keys.log(table)
        if since.version:
            # With the entry that the head came with, which tells whether this is still the same log.
            known, *found = await servers.command(key, b"LRANGE", key, since.version - 1, -1) or (b"",)
            if known and read_head(known) == since:
                return Log(read_head(found[-1]) if found else since, tuple(map(read_entry, found)))
        found = await servers.command(key, b"LRANGE", key, 0, -1)
        return read_log(found) if found else None

    async def heads(self, tables: Sequence[str]) -> dict[str, Head]:
        servers = self._ready()
        buckets: dict[int, list[str]] = {}
        for table in tables:
            buckets.setdefault(bucket_of(table), []).append(table)
        groups = list(buckets.values())
        calls = (servers.script(HEADS, *(self._keys.log(table) for table in group)) for group in groups)
        found = await asyncio.gather(*calls)
        return {
            table: read_head(head)
            for group, ends in zip(groups, found, strict=True)
            for table, head in zip(group, ends, strict=True)
            if head
        }

    async def delete(self, table: str) -> None:
        keys = self._keys
        own = (keys.log(table), keys.connections(table), keys.seen(table))
        await self._ready().script(DELETE, *keys.standing(table), *own, args=(table.encode(),))
        self._deadlines.set(table, None)
        await self._drop_notes(table)

    async def subscribe(self, table: str, audience: Audience, on_view: OnView) -> None:
        def on_message(message: bytes) -> None:
            on_view(table, audience, int.from_bytes(message[:4], "big"), message[4:])

        await self._listening().subscribe(self._keys.views(table, audience), on_message)

    async def unsubscribe(self, table: str, audience: Audience) -> None:
        self._listening().unsubscribe(self._keys.views(table, audience))

    async def follow(self, table: str, on_entry: OnEntry) -> None:
        def on_message(message: bytes) -> None:
            on_entry(table, read_head(message), read_entry(message))

        await self._listening().subscribe(self._keys.entries(table), on_message)

    async def unfollow(self, table: str) -> None:
        self._listening().unsubscribe(self._keys.entries(table))

    async def watch_seats(self, player: str, on_seat: OnSeat) -> None:
        def on_message(message: bytes) -> None:
            if not message.startswith(self._me):
                on_seat(player, message[ME_BYTES:].decode())

        await self._listening().subscribe(self._keys.seated(player), on_message)

    async def unwatch_seats(self, player: str) -> None:
        self._listening().unsubscribe(self._keys.seated(player))

    def on_gap(self, on_gap: OnGap) -> None:
        self._gap = on_gap

    def _commit_args(self, commit: Commit, entries: bytes) -> tuple[bytes | int, ...]:
        table, views = commit.table, self._keys.views
        expected = b"" if commit.expected is None else head_bytes(commit.expected)
        element = head_bytes(commit.head) + commit.entry
        args: list[bytes | int] = [
            expected,
            commit.head.version - 1,
            element,
            table.encode(),
            b"" if commit.deadline is None else commit.deadline,
            b"" if commit.listing is None else b"=" + commit.listing,
            b"" if commit.wants is None else b"=" + commit.wants,
            self.now() if commit.finished else b"",
            entries,
            element,
        ]
        stamp = commit.head.version.to_bytes(4, "big")
        for audience, make in commit.views:
            # Whether anybody listens is for other processes to know, so every view is made.
            try:
                view = stamp + make()
            except Exception as wrong:
                log.error("view_failed", table=table, version=commit.head.version, fault=fault(wrong))
            else:
                args += (views(table, audience), view)
        return tuple(args)

    def _ready(self) -> Servers:
        if self._servers is None:
            raise StoreError("the store is not open")
        return self._servers

    def _listening(self) -> News:
        if self._news is None:
            raise StoreError("the store is not open")
        return self._news

    async def _greet(self, node: Node, link: Link) -> None:
        servers = self._ready()
        await check_role(link)
        node.run_id = run_id(await link.command("INFO", "server"))
        await asyncio.gather(*(link.command("SCRIPT", "LOAD", script.source) for script in ALL))
        self._grace.connected(node, node.run_id, node.away)
        # Before anything else is done here: what is due depends on it.
        first = servers.node(self._keys.pulse)
        if first is node:
            await self._pulse(node.run_id, link.call)
        elif isinstance(servers, OneServer):
            await first.connected(CONNECT_SECONDS)

    async def _listen(self, channels: dict[bytes, OnMessage]) -> Ear:
        ear = await dial(lambda: Ear(channels), await self._ready().listening_address(), self._place.access)
        try:
            for said in self._place.access.commands():
                await ear.command(*said)
            await ear.command("PING")  # refused while Redis is loading its file: nothing is published until then
        except BaseException:
            ear.abort()
            raise
        return ear

    async def _pulse(self, run_id: bytes, call: Callable[[bytes], Awaitable[Any]]) -> None:
        # As a whole: it is short, and this once a second.
        packed = PULSE.call_whole(self._keys.pulse, args=self._grace.pulse_args(run_id))
        sent = self._clock.local()
        seconds, microseconds, grace = good(await call(packed))
        self._clock.learn(int(seconds) * 1000 + int(microseconds) / 1000, sent, self._clock.local())
        self._grace.told(int(grace))

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            with contextlib.suppress(StoreError):
                servers = self._ready()
                node = servers.node(self._keys.pulse)
                await self._pulse(node.run_id or b"", node.call)


def _nothing() -> None:
    pass
