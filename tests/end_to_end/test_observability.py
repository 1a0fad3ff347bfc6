"""A real server is watched during a whole private match: the figures are right, and nothing secret is anywhere."""

import asyncio
import json
import os
import re
import signal
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from clients.client import Client, connect
from clients.errors import Refused
from clients.scout import engine_view, legal_moves, write
from protocol.options import TableOptions
from tests.end_to_end.processes import bigtop
from tests.server.store.redis_server import DURABLE, RedisServer, free_port
from tests.server.store.redis_steps import eventually
from tests.server.test_metrics import CLOSED

NAMES = ("Zaphod-B", "Trillian-A")
CARDS = re.compile(r"\b\d+/\d+\b|\b(show|scout|deal|keep|turn)\b")
PASSWORD = "open-sesame"


@dataclass
class Watched:
    """A server, with all that it says.

    Attributes:
        process: the one that was started.
        http: its address.
        port: where its metrics are.
        said: its lines so far.
    """

    process: Process
    port: int
    http: str = ""
    said: list[str] = field(default_factory=list)

    async def read(self) -> None:
        """Keep what it says, to its end."""
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            self.said.append(line.decode())

    async def metrics(self) -> str:
        async with httpx.AsyncClient() as http:
            return (await http.get(f"http://127.0.0.1:{self.port}/metrics")).text

    async def figure(self, name: str, **labels: str) -> float:
        """The sum of all samples with these labels."""
        return sum(
            sample.value
            for family in text_string_to_metric_families(await self.metrics())
            for sample in family.samples
            if sample.name == name and labels.items() <= sample.labels.items()
        )


@asynccontextmanager
async def watched(*options: str) -> AsyncIterator[Watched]:
    port = free_port()
    given = ("--port", "0", "--no-bots", "--log-level", "debug", "--metrics-port", str(port), *options)
    server = Watched(await bigtop("serve", *given), port)
    reading = asyncio.create_task(server.read())
    try:
        async with asyncio.timeout(60):
            while not (found := re.search(r"listening on (http://127\.0\.0\.1:\d+)", "".join(server.said))):
                assert server.process.returncode is None, server.said
                await asyncio.sleep(0.01)
        server.http = found[1]
        yield server
    finally:
        if server.process.returncode is None:
            server.process.send_signal(signal.SIGTERM)
        await server.process.wait()
        await reading


async def play(client: Client, table: str) -> None:
    """Always the first move, to the end."""
    done = (0, 0)
    async for view in client.follow(table):
        if view.status == "over":
            return
        assert view.you is not None
        if view.status == "break" and view.game is not None:
            await client.next(table, view.game.round)
        elif view.decision is not None and view.game is not None and (view.you, view.decision) != done:
            await client.play(table, view.decision, write(legal_moves(engine_view(view.game))[0]))
            done = (view.you, view.decision)


async def match(server: Watched) -> set[str]:
    """A whole private match; returns everything about it that is secret, at least while it lasts."""
    url = server.http.replace("http", "ws") + "/ws"
    async with connect(url, name=NAMES[0]) as one, connect(url, name=NAMES[1]) as two:
        made = await one.create(TableOptions(seats=2, private=True))
        assert made.table is not None
        assert made.invite is not None
        with pytest.raises(Refused):
            await two.sit(made.table, invite="0000-0000-0000")
        await two.sit(made.table, invite=made.invite)
        await asyncio.gather(one.ready(made.table), two.ready(made.table))
        async with asyncio.timeout(120):
            await asyncio.gather(play(one, made.table), play(two, made.table))
        assert one.token is not None
        assert two.token is not None
        async with httpx.AsyncClient() as http:
            access = {"Authorization": f"Bearer {one.token}"}
            record = (await http.get(f"{server.http}/records/{made.table}", headers=access)).text
        assert await server.figure("bigtop_connections") == 2
        assert "bigtop_commits_total" in await server.metrics()
        hidden = set(re.findall(r"\b[0-9a-f]{64}\b", record))
        assert len(hidden) > 4, "the seed, nonces and commitments"
        ids = {made.table, *re.findall(r"\b[0-9a-z]{16}\b", record)}
        check_metrics(await server.metrics(), {one.token, two.token, made.invite, *hidden, *ids, *NAMES})
        return {one.token, two.token, made.invite, *hidden, *NAMES}


def check_metrics(text: str, secrets: set[str]) -> None:
    assert not [secret for secret in secrets if secret in text]
    assert not CARDS.search(text)
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            for label, value in sample.labels.items():
                assert label == "le" or value in CLOSED[label], sample


def check_lines(lines: list[str], secrets: set[str]) -> None:
    assert len(lines) > 20
    for line in lines:
        assert not [secret for secret in secrets if secret in line]
        assert not CARDS.search(line), line


async def test_one_process(tmp_path: Path) -> None:
    async with watched("--store", str(tmp_path / "x.sqlite"), "--log-format", "json") as server:
        secrets = await match(server)
        plays = await server.figure("bigtop_commands_total", kind="play", code="ok")
        assert plays > 10
        assert await server.figure("bigtop_commits_total", result="stored") >= plays
        assert await server.figure("bigtop_view_seconds_count", made="here") >= plays
        assert await server.figure("bigtop_connections_opened_total") == 2
    lines = [line for line in server.said if line.startswith("{")]
    check_lines(lines, secrets)
    entries = [json.loads(line) for line in lines]
    assert {entry["event"] for entry in entries} >= {
        "connection_opened",
        "connection_closed",
        "table_made",
        "table_started",
        "table_over",
        "command",
    }
    command = next(entry for entry in entries if entry["event"] == "command" and entry["kind"] == "play")
    assert command.keys() >= {"connection", "request", "player", "table", "code", "ms", "timestamp", "level", "logger"}


async def test_several_processes(tmp_path: Path) -> None:
    redis = RedisServer(tmp_path / "redis", *DURABLE, password=PASSWORD).start()
    try:
        async with watched("--redis", redis.url, "--workers", "2") as server:
            secrets = await match(server)
            plays = await server.figure("bigtop_commands_total", kind="play", code="ok")
            assert await server.figure("bigtop_commits_total", result="stored") >= plays > 10
            async with connect(server.http.replace("http", "ws") + "/ws", name="Ford") as ford:
                await kill_both_workers(server)
                await ford.ping()  # on a new connection
                assert await server.figure("bigtop_connections") == 1, "the one that died does not count"
            assert await server.figure("bigtop_commands_total", kind="play", code="ok") == plays
        check_lines([line for line in server.said if re.match(r"\d{4}-", line)], {*secrets, PASSWORD})
        assert any("worker_ended" in line for line in server.said)
    finally:
        redis.stop()


async def kill_both_workers(server: Watched) -> None:
    """As if they crashed; wait until others serve."""
    before = _workers(server)
    for pid in before:
        os.kill(pid, signal.SIGKILL)

    async def others_serve() -> bool:
        ended = sum("worker_ended" in line for line in server.said)
        return ended == 2 and len(_workers(server) - before) == 2

    await eventually(others_serve, 30)


def _workers(server: Watched) -> set[int]:
    pid = server.process.pid
    return set(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))
