"""`check` says the truth about what Redis keeps."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from server.store import redis_servers
from server.store.base import StoreError
from server.store.redis import RedisStore
from tests.server.store.redis_server import DURABLE, LOSSY, RedisServer
from tests.server.store.redis_steps import answers, opened, until
from tests.server.store.steps import Writer

Start = Callable[..., RedisServer]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    started: list[RedisServer] = []

    def start(*options: str) -> RedisServer:
        started.append(RedisServer(tmp_path / str(len(started)), *options).start())
        return started[-1]

    yield start
    for server in started:
        server.stop()


async def test_a_lossy_redis_is_refused_unless_the_operator_allows_it(start: Start) -> None:
    server = start(*LOSSY, "--maxmemory-policy", "allkeys-lru")
    async with opened(server.url) as store:
        with pytest.raises(StoreError) as caught:
            await store.check()
        assert "appendonly is no, not yes" in str(caught.value)
        assert "maxmemory-policy is allkeys-lru, not noeviction" in str(caught.value)
    async with opened(server.url, lossy=True) as store:
        await store.check()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("appendonly", "no"),
        ("appendfsync", "everysec"),
        ("no-appendfsync-on-rewrite", "yes"),
        ("maxmemory-policy", "volatile-ttl"),
    ],
)
async def test_each_setting_matters_and_is_read_each_time(start: Start, name: str, value: str) -> None:
    server = start(*DURABLE)
    async with opened(server.url) as store:
        await store.check()
        server.command("CONFIG", "SET", name, value)
        with pytest.raises(StoreError, match=f"{name} is {value}"):
            await store.check()


async def test_a_check_writes(start: Start) -> None:
    server = start(*DURABLE)
    async with opened(server.url, lossy=True) as store:
        server.command("CONFIG", "SET", "min-replicas-to-write", 1)
        with pytest.raises(StoreError, match="NOREPLICAS"):
            await store.check()


async def test_a_replica_is_no_store(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_servers, "OPEN_SECONDS", 0.5)
    server = start(*DURABLE)
    replica = start(*DURABLE, "--replicaof", "127.0.0.1", str(server.port))
    with pytest.raises(StoreError, match="is a replica"):
        await RedisStore(replica.url).open()


async def test_a_master_that_becomes_a_replica_fails_until_it_is_one_again(start: Start) -> None:
    server, other = start(*DURABLE), start(*DURABLE)
    async with opened(server.url) as store:
        writer = Writer(store)
        link = store._ready().node(store._keys.log(writer.table)).link
        assert link is not None
        server.command("REPLICAOF", "127.0.0.1", other.port)
        with pytest.raises(StoreError):
            await writer.move()
        assert link.closed.done(), "sentinels may lead the next connection to the new master"
        with pytest.raises(StoreError):
            await store.check()
        server.command("REPLICAOF", "NO", "ONE")
        await answers(store)
        assert await writer.move() is None


async def test_a_full_memory_is_a_store_error(start: Start) -> None:
    server = start(*DURABLE)
    async with opened(server.url) as store:
        server.command("CONFIG", "SET", "maxmemory", 1)
        with pytest.raises(StoreError, match="OOM"):
            await Writer(store).move()
        server.command("CONFIG", "SET", "maxmemory", 0)
        assert await Writer(store).move() is None
        await until(lambda: store.grace_until() == 0)
