"""Nothing that was acknowledged is lost, and no table forks, whatever happens to Redis and to the ways there."""

import asyncio
import shutil
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from structlog.typing import EventDict

from server.store import redis_servers
from server.store.base import GRACE_MS, PUBLIC, Head, Log, StoreError
from server.store.redis import RedisStore
from tests.server.store.proxy import Proxy
from tests.server.store.redis_server import DURABLE, RedisServer
from tests.server.store.redis_steps import answers, eventually, opened, until
from tests.server.store.steps import Told, Writer, always

QUICKLY = 1.5
"""Within how many seconds a store says that Redis cannot be reached."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path / "data", *DURABLE).start()
    yield server
    server.stop()


class Player:
    """Moves at one table, whatever happens, and notes what was acknowledged."""

    def __init__(self, store: RedisStore, table: str) -> None:
        self.writer = Writer(store, table)
        self.acknowledged: dict[int, bytes] = {}
        self.errors = 0

    async def play(self, until: asyncio.Event) -> None:
        while not until.is_set():
            try:
                log = await self.writer.store.load(self.writer.table)
                self.writer.head = None if log is None else log.head
                while not until.is_set() and await self.writer.move() is None:
                    assert self.writer.head is not None
                    self.acknowledged[self.writer.head.version] = self.writer.head.id
            except StoreError:
                self.errors += 1
                await asyncio.sleep(0.01)


def _acknowledged(players: list[Player], count: int) -> bool:
    return sum(len(player.acknowledged) for player in players) >= count


async def test_a_killed_redis_has_all_that_was_acknowledged(server: RedisServer) -> None:
    async with opened(server.url) as here, opened(server.url) as there:
        players = [Player(store, f"{number:02d}table") for number in range(8) for store in (here, there)]
        over = asyncio.Event()
        playing = [asyncio.create_task(player.play(over)) for player in players]
        for enough in (300, 600, 900):
            await until(partial(_acknowledged, players, enough))
            server.kill()
            server.start()
        # They come back by themselves.
        await until(partial(_acknowledged, players, 1500))
        over.set()
        await asyncio.gather(*playing)
        assert any(player.errors for player in players)
        for player in players:
            for version, id in player.acknowledged.items():
                element = server.command("LINDEX", here._keys.log(player.writer.table), version - 1)
                assert element[5 : 5 + element[4]] == id
        assert await here.heads(["00table"]) == await there.heads(["00table"])
        await until(lambda: here.grace_until() == there.grace_until() > here.now() + GRACE_MS - 10_000)


async def test_a_redis_that_comes_back_empty_forks_nothing(server: RedisServer) -> None:
    async with opened(server.url) as store:
        writer = Writer(store, "07table")
        await writer.moves(b"1", b"2")
        server.kill()
        shutil.rmtree(server.folder)
        server.start()
        await answers(store)
        assert await store.heads(["07table"]) == {}
        assert await store.load("07table", Head(2, b"lost")) is None
        assert await writer.move() == Log(Head(0, b""), ())
        assert await store.load("07table") is None


async def test_a_redis_that_comes_back_with_an_older_file_forks_nothing(server: RedisServer) -> None:
    async with opened(server.url) as store:
        writer = Writer(store, "07table")
        await writer.moves(b"1", b"2")
        old = writer.head
        assert old is not None
        backup = server.folder.with_name("backup")
        shutil.copytree(server.folder, backup)
        await writer.moves(b"3", b"4")
        server.kill()
        shutil.rmtree(server.folder)
        shutil.move(backup, server.folder)
        server.start()
        await answers(store)
        assert await store.heads(["07table"]) == {"07table": old}
        assert await writer.move() == Log(old, (b"1", b"2"))
        other = Writer(store, "07table", old)
        await other.moves(b"another 3", b"another 4")
        assert other.head is not None
        # As long as what was believed, and yet another history.
        assert await writer.move() == Log(other.head, (b"1", b"2", b"another 3", b"another 4"))


async def test_without_redis_calls_fail_quickly_and_then_work_again(server: RedisServer) -> None:
    async with opened(server.url) as store:
        told, gaps = Told(), list[int]()
        store.on_gap(lambda: gaps.append(1))
        await store.subscribe("07table", PUBLIC, told.on_view)
        writer = Writer(store, "07table")
        await writer.moves(b"1")
        server.stop()
        began = time.monotonic()
        for attempt in (writer.move, store.unfinished, store.check, lambda: store.due(1)):
            with pytest.raises(StoreError):
                await attempt()
        with pytest.raises(StoreError):
            await store.subscribe("07table", "anna", told.on_view)
        assert time.monotonic() - began < QUICKLY
        with pytest.raises(StoreError, match="cannot be reached"):
            await store.load("07table")
        server.start()
        await answers(store)
        await until(lambda: len(gaps) >= 2)  # before the news come again, and once they do
        assert await writer.move(views=[("anna", always(b"a")), (PUBLIC, always(b"p"))]) is None
        # The wish that failed was fulfilled by the next connection.
        await until(lambda: len(told.news) == 2)
        assert told.news == [("07table", "anna", 2, b"a"), ("07table", PUBLIC, 2, b"p")]


@pytest.mark.slow
async def test_a_redis_that_hangs_is_an_outage(server: RedisServer) -> None:
    async with opened(server.url) as here, opened(server.url) as there:
        writer = Writer(here, "07table")
        await writer.move(deadline=here.now() + 1)
        assert here.grace_until() == 0
        began = time.monotonic()
        server.pause()
        with pytest.raises(StoreError):
            await writer.move(deadline=here.now())
        assert 1.9 < time.monotonic() - began < 3.5
        await until(lambda: time.monotonic() - began > 3.5)
        with pytest.raises(StoreError, match="cannot be reached"):
            await there.load("07table")
        server.resume()
        await answers(here)
        await answers(there)
        await until(lambda: here.grace_until() == there.grace_until() > here.now() + GRACE_MS - 2_000)
        assert await here.due(9) == []
        assert await there.next_due() == there.grace_until()
        # What was tried while it hung was stored, or not; the log knows.
        assert (await there.heads(["07table"]))["07table"].version in (1, 2)


@pytest.mark.slow
async def test_a_process_that_was_cut_off_gives_grace_to_all(server: RedisServer) -> None:
    async with Proxy(server.port) as proxy, opened(proxy.url) as here, opened(server.url) as there:
        proxy.refusing = True
        proxy.cut()
        began = time.monotonic()
        await until(lambda: time.monotonic() - began > 3.2)
        assert there.grace_until() == 0
        proxy.refusing = False
        await until(lambda: here.grace_until() == there.grace_until() > here.now() + GRACE_MS - 3_000)


async def test_a_short_loss_of_the_connection_is_no_outage(server: RedisServer) -> None:
    async with Proxy(server.port) as proxy, opened(proxy.url) as store:
        writer = Writer(store, "07table")
        await writer.moves(b"1")
        for _ in range(3):
            link = store._ready().node(store._keys.log("07table")).link
            assert link is not None
            proxy.cut()
            await link.closed
            # It waits for the next connection.
            assert await writer.move() is None
        assert store.grace_until() == 0


async def test_what_was_under_way_when_the_connection_went_is_unknown(server: RedisServer) -> None:
    async with Proxy(server.port) as proxy, opened(proxy.url) as store:
        proxy.silence()
        moving = asyncio.create_task(Writer(store, "07table").move())
        await asyncio.sleep(0)  # It has handed in its commit.
        proxy.cut()
        with pytest.raises(StoreError, match="connection to the store was lost"):
            await moving


@pytest.mark.slow
async def test_a_pubsub_connection_that_falls_silent_is_replaced(server: RedisServer) -> None:
    async with Proxy(server.port) as proxy, opened(proxy.url) as store:
        told, gaps = Told(), list[int]()
        store.on_gap(lambda: gaps.append(1))
        await store.follow("07table", told.on_entry)
        writer = Writer(store, "07table")
        proxy.silence(only_news=True)
        await writer.moves(b"lost")
        assert await store.heads(["07table"]) == {"07table": writer.head}
        await until(lambda: len(gaps) >= 2)  # before the news come again, and once they do
        assert told.news == []
        await writer.moves(b"heard")
        await until(lambda: bool(told.news))
        assert told.news == [("07table", writer.head, b"heard")]


async def test_a_pubsub_connection_that_is_killed_is_replaced_with_all_channels(server: RedisServer) -> None:
    async with opened(server.url) as store:
        told, gaps = Told(), list[int]()
        store.on_gap(lambda: gaps.append(1))
        tables = [f"{number % 64:02d}table{number}" for number in range(2500)]
        await asyncio.gather(*(store.follow(table, told.on_entry) for table in tables))
        await store.unfollow(tables.pop())
        server.command("CLIENT", "KILL", "TYPE", "pubsub")
        await until(lambda: len(gaps) >= 2)  # before the news come again, and once they do
        assert len(server.command("PUBSUB", "CHANNELS", "*")) == len(tables)
        await asyncio.gather(*(Writer(store, table).moves(b"1") for table in tables))
        await until(lambda: len(told.news) == len(tables))
        assert await store.heads(tables) == {table: head for table, head, _ in told.news}


async def test_all_processes_gone_for_a_while_is_an_outage(server: RedisServer) -> None:
    async with opened(server.url) as store:
        key = store._keys.pulse
        assert store.grace_until() == 0
    async with opened(server.url) as store:
        assert store.grace_until() == 0
        now = store.now()
    server.command("HSET", key, "at", now - 60_000)
    async with opened(server.url) as store:
        assert store.grace_until() >= now + GRACE_MS


async def test_a_store_that_cannot_be_reached_cannot_be_opened(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_servers, "OPEN_SECONDS", 0.3)
    server.stop()
    with pytest.raises(StoreError, match="cannot be reached"):
        await RedisStore(server.url).open()


async def test_a_store_waits_for_a_server_that_is_starting(server: RedisServer) -> None:
    server.kill()
    store = RedisStore(server.url)
    opening = asyncio.create_task(store.open())
    await asyncio.sleep(0)  # It has begun.
    await asyncio.to_thread(server.start)
    await opening
    await store.close()


async def test_something_else_is_no_redis(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_servers, "OPEN_SECONDS", 0.3)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await reader.read()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as other:
        with pytest.raises(StoreError, match="cannot be reached: the connection to the store was lost"):
            await RedisStore(f"redis://127.0.0.1:{other.sockets[0].getsockname()[1]}").open()


@pytest.mark.slow
async def test_a_subscription_that_is_not_confirmed_fails_and_is_made_up_for(server: RedisServer) -> None:
    async with Proxy(server.port) as proxy, opened(proxy.url) as store:
        told = Told()
        await store.follow("08table", told.on_entry)
        proxy.silence(only_news=True)
        with pytest.raises(StoreError):
            await store.follow("07table", told.on_entry)
        await eventually(lambda: _is_heard(server, store._keys.entries("07table")))
        await Writer(store, "07table").moves(b"heard")
        await until(lambda: len(told.news) == 1)


async def _is_heard(server: RedisServer, channel: bytes) -> bool:
    return int(server.command("PUBSUB", "NUMSUB", channel)[1]) == 1


async def test_the_log_tells_of_losses(server: RedisServer, logged: list[EventDict]) -> None:
    def told() -> set[tuple[str, str]]:
        return {(entry["event"], entry["what"]) for entry in logged}

    async with opened(server.url) as store:
        server.kill()
        await until(lambda: ("unreachable", "the connection to the store") in told())
        server.start()
        await answers(store)
        await until(lambda: ("back", "the connection for news") in told())
