"""`/ready` tells the truth about a real Redis."""

import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from server.hub.hub import TableHub
from server.store.redis import RedisStore
from server.web.app import build_app
from server.web.sockets import Sockets
from tests.server.store.redis_server import DURABLE, RedisServer
from tests.server.store.redis_steps import eventually
from tests.server.web.serving import OPTIONS

PASSWORD = "open-sesame"


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path / "redis", *DURABLE, password=PASSWORD).start()
    yield server
    server.stop()


class Asking:
    """Asks for `/ready`, and looks at every answer."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def __call__(self) -> tuple[int, str]:
        began = time.monotonic()
        answer = await self._http.get("/ready")
        assert time.monotonic() - began < 2.5, "two seconds, on a busy machine"
        assert PASSWORD not in answer.text
        return answer.status_code, answer.text.strip()

    async def until(self, status: int, words: str) -> None:
        async def says() -> bool:
            code, text = await self()
            return code == status and words in text

        await eventually(says)


@asynccontextmanager
async def serving(server: RedisServer) -> AsyncIterator[Asking]:
    hub = TableHub(RedisStore(server.url))
    await hub.start()
    app = build_app(hub, Sockets(hub, OPTIONS))
    try:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://scout.test") as http:
            yield Asking(http)
    finally:
        await hub.stop()


async def test_redis_hangs_and_goes_on(redis: RedisServer) -> None:
    async with serving(redis) as ask:
        assert await ask() == (200, "ok")
        redis.pause()
        await ask.until(503, "the store does not answer")
        await ask.until(503, "the store cannot be reached")
        redis.resume()
        await ask.until(200, "ok")


async def test_redis_dies_and_comes_back(redis: RedisServer) -> None:
    async with serving(redis) as ask:
        redis.kill()
        await ask.until(503, "the store cannot be reached")
        redis.start()
        await ask.until(200, "ok")


@pytest.mark.parametrize(
    ("name", "bad", "good"),
    [
        ("appendonly", "no", "yes"),
        ("appendfsync", "everysec", "always"),
        ("maxmemory-policy", "allkeys-lru", "noeviction"),
    ],
)
async def test_redis_may_lose_what_it_has_stored(redis: RedisServer, name: str, bad: str, good: str) -> None:
    async with serving(redis) as ask:
        redis.command("CONFIG", "SET", name, bad)
        await ask.until(503, f"{name} is {bad}, not {good}")
        redis.command("CONFIG", "SET", name, good)
        await ask.until(200, "ok")


async def test_redis_takes_no_writes(redis: RedisServer) -> None:
    async with serving(redis) as ask:
        redis.command("CONFIG", "SET", "min-replicas-to-write", 1)
        await ask.until(503, "NOREPLICAS")


async def test_redis_becomes_a_replica(redis: RedisServer, tmp_path: Path) -> None:
    other = RedisServer(tmp_path / "other", *DURABLE, password=PASSWORD).start()
    try:
        async with serving(redis) as ask:
            redis.command("REPLICAOF", "127.0.0.1", other.port)
            await ask.until(503, "replica")
            redis.command("REPLICAOF", "NO", "ONE")
            await ask.until(200, "ok")
    finally:
        other.stop()


async def test_a_command_that_redis_does_not_know_is_not_quoted(redis: RedisServer) -> None:
    store = RedisStore(redis.url)
    await store.open()
    try:
        link = store._ready().nodes[0].link
        assert link is not None
        with pytest.raises(Exception, match=r"^the store refuses: ERR unknown command .NO-SUCH.$"):
            await link.command("NO-SUCH", PASSWORD)
    finally:
        await store.close()
