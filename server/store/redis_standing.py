"""Where all tables stand, read over all buckets in one round trip."""

from collections.abc import Sequence
from typing import Any

from server.store.base import Commit
from server.store.redis_shared import RedisPart
from server.store.redis_wire import pack
from server.store.standing import Deadlines

POLL_LIMIT = 64
"""How many passed deadlines of each bucket are read at least."""


class RedisStanding(RedisPart):
    """Deadlines, lobby, wishes for bots, and the end.

    Deadlines are asked for after every step, and reading 64 buckets each time would cost more than the steps. So what
    was read is kept for `look_ms`, and this process's own commits are put in. What other processes set comes that much
    later at most; the commit decides anyway.
    """

    def __init__(self, look_ms: int) -> None:
        self._look_ms = look_ms
        self._deadlines = Deadlines()
        self._looked_at = -1_000_000
        self._looked_for = 0

    async def due(self, limit: int) -> list[str]:
        await self._look(limit)
        now = self.now()
        return self._deadlines.passed(now, limit) if now >= self.grace_until() else []

    async def next_due(self) -> int | None:
        await self._look(POLL_LIMIT)
        first = self._deadlines.first()
        return None if first is None else max(first, self.grace_until())

    async def listed(self) -> list[tuple[str, bytes]]:
        return await self._hashes(self._keys.listings)

    async def wanting(self) -> list[tuple[str, bytes]]:
        return await self._hashes(self._keys.wants)

    async def unfinished(self) -> list[str]:
        buckets = await self._all(self._keys.unfinished, b"SMEMBERS")
        return [table.decode() for bucket in buckets for table in bucket]

    async def finished_before(self, at: int, limit: int) -> list[str]:
        select = (b"-inf", f"({at}", b"WITHSCORES", b"LIMIT", 0, limit)
        buckets = await self._all(self._keys.finished, b"ZRANGEBYSCORE", *select)
        ended = sorted((at, table) for bucket in buckets for table, at in _scores(bucket))
        return [table for _, table in ended[:limit]]

    def _stands(self, commit: Commit) -> None:
        """A commit of this process was stored."""
        self._deadlines.set(commit.table, commit.deadline)

    def _look_again(self) -> None:
        """What was read is worth nothing any more."""
        self._looked_at = -1_000_000

    async def _look(self, limit: int) -> None:
        servers = self._ready()
        now = self.now()
        limit = max(limit, POLL_LIMIT)
        if 0 <= now - self._looked_at < self._look_ms and limit <= self._looked_for:
            return
        select = (b"-inf", now + self._look_ms, b"WITHSCORES", b"LIMIT", 0, limit)
        commands = []
        for key in self._keys.deadlines:
            commands.append((key, pack((b"ZRANGE", key, 0, 0, b"WITHSCORES"))))
            commands.append((key, pack((b"ZRANGEBYSCORE", key, *select))))
        found = await servers.many(commands)
        self._looked_at, self._looked_for = now, limit
        self._deadlines = Deadlines()
        for bucket in found:
            for table, at in _scores(bucket):
                self._deadlines.set(table, at)

    async def _all(self, keys: Sequence[bytes], *command: str | bytes | int) -> list[Any]:
        name, *rest = command
        return await self._ready().many([(key, pack((name, key, *rest))) for key in keys])

    async def _hashes(self, keys: Sequence[bytes]) -> list[tuple[str, bytes]]:
        buckets = await self._all(keys, b"HGETALL")
        # The first byte only tells an empty value from none.
        pairs = ((bucket[i].decode(), bucket[i + 1][1:]) for bucket in buckets for i in range(0, len(bucket), 2))
        return list(pairs)


def _scores(reply: list[bytes]) -> list[tuple[str, int]]:
    return [(reply[i].decode(), int(reply[i + 1])) for i in range(0, len(reply), 2)]
