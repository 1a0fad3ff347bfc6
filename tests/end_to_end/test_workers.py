"""`bigtop serve --workers`, as a person starts it: several processes, one address, a real Redis."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random

import pytest

from clients.bots.playing import play_match
from clients.bots.strategies.uniform import choose
from clients.client import connect
from protocol.options import TableOptions
from tests.end_to_end.processes import Server, bigtop, output, serving
from tests.server.store.redis_server import DURABLE, RedisServer, free_port
from tests.server.store.redis_steps import until

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("home")]

WORKERS = ("--workers", "2", "--no-bots", "--log-level", "info")
STOP_SECONDS = 15.0


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path / "redis", *DURABLE, password="sesame").start()
    yield server
    server.stop()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the house bots would keep."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@asynccontextmanager
async def workers(redis: RedisServer, *options: str) -> AsyncIterator[tuple[Server, list[int]]]:
    async with asyncio.timeout(60), serving(redis.url, *WORKERS, *options) as server:
        pids = server.children()
        assert len(pids) == 2
        yield server, pids


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits to be looked after does not."""
    with suppress(FileNotFoundError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


async def ask(server: Server) -> bytes:
    """An answer on a connection of its own."""
    host, port = server.http.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        writer.write(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        return await reader.read()
    finally:
        writer.close()


async def play(server: Server) -> None:
    """A whole match of two."""
    async with (
        connect(server.ws, name="Ann", patient=True) as ann,
        connect(server.ws, name="Ben", patient=True) as ben,
    ):
        table = (await ann.create(TableOptions(seats=2))).table
        assert table is not None
        await ben.sit(table)
        players = [play_match(client, table, choose, rng=Random(seed)) for seed, client in enumerate((ann, ben))]
        assert [end.reason for end in await asyncio.gather(*players)] == ["over", "over"]


async def test_a_killed_worker_is_replaced_and_play_goes_on(redis: RedisServer) -> None:
    async with workers(redis) as (server, (first, second)):
        match = asyncio.create_task(play(server))
        for pid in (first, second):
            os.kill(pid, signal.SIGKILL)
            await until(lambda gone=pid: gone not in server.children() and len(server.children()) == 2)  # type: ignore[misc]
            assert b"200 OK" in await ask(server)
        await match


async def test_a_hangup_exchanges_them_while_connections_are_accepted(redis: RedisServer) -> None:
    async with workers(redis) as (server, pids):
        match = asyncio.create_task(play(server))
        server.signal(signal.SIGHUP)
        asked = 0
        while set(server.children()) & set(pids):
            assert b"200 OK" in await ask(server)
            asked += 1
        assert asked > 10
        assert len(server.children()) == 2
        await match


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_stops_them_all(redis: RedisServer, number: signal.Signals) -> None:
    async with workers(redis) as (server, pids), connect(server.ws, name="Ann", patient=True):
        server.signal(number)
        async with asyncio.timeout(STOP_SECONDS):
            code, said = await server.ended()
        assert code == 0
        assert "Traceback" not in said
        assert not any(alive(pid) for pid in pids)


async def test_a_second_signal_ends_them_at_once(redis: RedisServer) -> None:
    async with workers(redis) as (server, pids):
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        server.signal(signal.SIGINT)
        server.signal(signal.SIGTERM)
        async with asyncio.timeout(2):
            code, _ = await server.ended()
        assert code in {128 + signal.SIGINT, 128 + signal.SIGTERM}
        await until(lambda: not any(alive(pid) for pid in pids))


async def test_whoever_started_them_takes_them_along(redis: RedisServer) -> None:
    async with workers(redis) as (server, pids):
        await server.kill()
        await until(lambda: not any(alive(pid) for pid in pids), STOP_SECONDS)


async def test_no_redis_there() -> None:
    url = f"redis://:sesame@127.0.0.1:{free_port()}"
    said = await assert_does_not_start(url)
    assert said.startswith("bigtop serve: ")


async def test_a_wrong_password_is_not_shown(redis: RedisServer) -> None:
    said = await assert_does_not_start(redis.url.replace("sesame", "open-barley"))
    assert said.startswith("bigtop serve: ")
    assert "barley" not in said


async def assert_does_not_start(url: str) -> str:
    process = await bigtop("serve", "--port", "0", "--workers", "2", "--redis", url)
    async with asyncio.timeout(40):
        said = await output(process)
    assert process.returncode == 2
    assert said.count("\n") == 1
    return said
