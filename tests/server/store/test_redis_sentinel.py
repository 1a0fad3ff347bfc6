"""A master that sentinels watch over, and what takes its place."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from server.store import redis_servers
from server.store.base import GRACE_MS, StoreError
from server.store.redis import RedisStore
from tests.server.store.redis_server import DURABLE, RedisServer, SentinelServer
from tests.server.store.redis_steps import answers, opened, until
from tests.server.store.steps import Told, Writer

pytestmark = pytest.mark.slow


@dataclass
class Watched:
    master: RedisServer
    replica: RedisServer
    sentinels: list[SentinelServer]

    @property
    def url(self) -> str:
        hosts = ",".join(f"127.0.0.1:{sentinel.port}" for sentinel in self.sentinels)
        return f"redis+sentinel://:sesame@{hosts}/main"


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    master = RedisServer(tmp_path / "master", *DURABLE, password="sesame").start()
    follow = ("--replicaof", "127.0.0.1", str(master.port))
    replica = RedisServer(tmp_path / "replica", *DURABLE, *follow, password="sesame").start()
    sentinels = [SentinelServer(tmp_path / f"sentinel{number}", master, "main", 2) for number in range(3)]
    try:
        replica.wait_until(lambda: b"master_link_status:up" in replica.command("INFO", "replication"))
        for sentinel in sentinels:
            sentinel.start()
        for sentinel in sentinels:
            sentinel.wait_until(lambda asked=sentinel: _known(asked) == (1, 2))
        yield Watched(master, replica, sentinels)
    finally:
        for server in (master, replica, *sentinels):
            server.stop()


def _known(sentinel: SentinelServer) -> tuple[int, int]:
    """How many replicas and other sentinels one knows of."""
    fields = sentinel.command("SENTINEL", "MASTER", "main")
    told = dict(zip(fields[::2], fields[1::2], strict=True))
    return int(told[b"num-slaves"]), int(told[b"num-other-sentinels"])


async def test_play_goes_on_with_the_replica(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as impatient:
        impatient.setattr(redis_servers, "OPEN_SECONDS", 0.5)
        with pytest.raises(StoreError, match="no sentinel knows a master 'other'"):
            await RedisStore(watched.url.replace("/main", "/other")).open()
    async with opened(watched.url) as store:
        told, gaps = Told(), list[int]()
        store.on_gap(lambda: gaps.append(1))
        await store.follow("07table", told.on_entry)
        await answers(store)
        writer = Writer(store, "07table")
        await writer.moves(b"1", b"2")
        watched.replica.wait_until(lambda: watched.replica.command("LLEN", store._keys.log("07table")) == 2)
        watched.sentinels[0].kill()
        watched.master.kill()
        with pytest.raises(StoreError):
            await writer.move()
        await answers(store, 20)
        log = await store.load("07table")
        assert log is not None
        assert log.entries[:2] == (b"1", b"2")
        writer.head = log.head
        await until(lambda: len(gaps) >= 2)  # before the news come again, and once they do
        await writer.moves(b"goes on")
        await until(lambda: told.news[-1:] == [("07table", writer.head, b"goes on")])
        assert store.grace_until() > store.now() + GRACE_MS - 5_000
