"""The bare loop over Redis, with which a server on Redis is compared."""

import asyncio
import os
import sys
from collections.abc import Iterator
from importlib.resources import files

import pytest
from redis import Redis

from clients.bench.load import stores
from clients.bench.load.commits import PREFIX, Work
from clients.bench.load.errors import BenchError
from clients.bench.load.processes import cores
from clients.bench.load.stores import CommitLoop, OwnRedis, work_like
from server.store.base import PUBLIC
from server.store.redis import RedisStore
from tests.server.store.redis_server import RedisServer
from tests.server.store.steps import always, step

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="servers are measured on Linux only")


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path_factory.mktemp("redis")).start()
    yield server
    server.stop()


def work(url: str, script: str = "") -> Work:
    known = (files("server.store") / "redis_commit.lua").read_text()
    return Work(url, script or known, 5, 4, 200, 1200, 1000, 80)


def left(redis: RedisServer) -> list[bytes]:
    found: list[bytes] = redis.command("KEYS", f"{PREFIX}:*")
    return found


class TestTheLoop:
    def test_commits_and_leaves_nothing_behind(self, redis: RedisServer) -> None:
        with CommitLoop(work(redis.url), cores()[0]) as loop:
            for flow in (loop.flow, loop.flow_wide, loop.flow):
                found = flow(0.1)
                assert found.moves > 0
                assert found.sends == 4 * found.moves
                assert found.seconds > 0.09
            assert len([key for key in left(redis) if b"log:" in key]) == 5
        assert left(redis) == []

    def test_tells_why_it_cannot(self) -> None:
        with pytest.raises(BenchError, match=r"did not start: .*refused"):
            CommitLoop(work("redis://127.0.0.1:1"), cores()[0])

    def test_tells_that_a_script_is_none(self, redis: RedisServer) -> None:
        with pytest.raises(BenchError, match=r"did not start: .*compiling script"):
            CommitLoop(work(redis.url, "no script"), cores()[0])

    def test_tells_that_redis_went_away(self, tmp_path_factory: pytest.TempPathFactory) -> None:
        server = RedisServer(tmp_path_factory.mktemp("redis")).start()
        try:
            with pytest.raises(BenchError, match="closed a connection"):
                self.run_without(server)
        finally:
            server.stop()

    def run_without(self, server: RedisServer) -> None:
        with CommitLoop(work(server.url), cores()[0]) as loop:
            server.kill()
            loop.flow(0.1)


class TestItsSizes:
    async def test_are_those_of_what_a_server_commits(self, redis: RedisServer) -> None:
        """As long as entries, views and lines of the lobby that it sees."""
        store = RedisStore(redis.url)
        await store.open()
        try:
            views = [("ann", always(bytes(700))), ("ben", always(bytes(900))), (PUBLIC, always(bytes(500)))]
            commit = step("07bench", None, bytes(300), views=views, listing=bytes(40))
            loop = asyncio.get_running_loop()

            def play() -> None:
                asyncio.run_coroutine_threadsafe(store.commit(commit), loop).result(5)

            found = await asyncio.to_thread(work_like, redis.url, 9, play)
        finally:
            await store.delete("07bench")
            await store.close()
        head = 5 + len(commit.head.id)
        assert (found.tables, found.seats) == (9, 4)
        assert (found.entry, found.view, found.public, found.listing) == (head + 300, 4 + 800, 4 + 500, 1 + 40)

    def test_need_moves(self, redis: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(stores, "QUIET_SECONDS", 0.05)
        with pytest.raises(BenchError, match="Nothing was published"):
            work_like(redis.url + "/7", 9, lambda: None)


class TestARedisOfItsOwn:
    @pytest.fixture(autouse=True)
    def path(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """None is installed, as on a machine for development."""
        monkeypatch.setattr("shutil.which", lambda name: None)

    def test_is_durable_and_leaves_nothing_behind(self) -> None:
        with OwnRedis() as own:
            with Redis.from_url(own.url) as client:
                settings = client.config_get("append*")
                assert (settings["appendonly"], settings["appendfsync"]) == ("yes", "always")
            folder = own._folder.name
            assert os.path.exists(folder)
        assert not os.path.exists(folder)

    def test_needs_a_program(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
        with pytest.raises(BenchError, match="no redis-server"):
            OwnRedis()

    def test_tells_that_it_does_not_start(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(stores, "DURABLE", ("--no-such-setting", "yes"))
        with pytest.raises(BenchError, match="Redis did not start"):
            OwnRedis()
