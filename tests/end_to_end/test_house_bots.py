"""House bots return to their seats, whatever is killed in the middle of a match."""

import asyncio
import os
import signal
import stat
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random

import pytest

from clients.bots.playing import play_match
from clients.bots.strategies.uniform import choose
from clients.client import Client, connect
from engine.scout import Move, ScoutView
from protocol.options import TableOptions
from tests.end_to_end.processes import Server, serving

KILLS = (3, 6, 9)
"""After how many moves of the person something is killed."""
NO_LIMIT = TableOptions(seats=3, move_seconds=None)
"""Bots that do not come back would be waited for in vain."""
Kill = Callable[[Server], Awaitable[None]]


async def kill_server(server: Server) -> None:
    await server.kill()
    await server.start()


async def stop_server(server: Server) -> None:
    code, _ = await server.stop()
    assert code == 0
    await server.start()


async def kill_bots(server: Server) -> None:
    process = server.house_bots()
    if process is not None:
        os.kill(process, signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.parametrize("kill", [kill_server, stop_server, kill_bots])
async def test_house_bots_return_to_their_seats(kill: Kill, tmp_path: Path) -> None:
    store = tmp_path / "bigtop.sqlite"
    async with serving(store) as server:
        await play_through(server, kill)
        tokens = tmp_path / "bigtop.sqlite-house"
        assert stat.S_IMODE(tokens.stat().st_mode) == 0o600
        assert len(tokens.read_text().split()) == 2


@pytest.mark.slow
async def test_house_bots_of_a_server_without_a_store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    async with serving(None) as server:
        await play_through(server, kill_bots)
        assert [name[-6:] for name in os.listdir(tmp_path)] == ["-house"]
    assert os.listdir(tmp_path) == []


@pytest.mark.slow
async def test_a_store_that_knows_none_of_the_house_bots(tmp_path: Path) -> None:
    store = tmp_path / "bigtop.sqlite"
    async with serving(store) as server:
        await play_through(server, kill_bots)
    for name in set(os.listdir(tmp_path)) - {"bigtop.sqlite-house"}:
        os.remove(tmp_path / name)
    async with serving(store) as server:
        await play_through(server, kill_server)


async def play_through(server: Server, kill: Kill) -> None:
    """A person's whole match with two house bots, without any seat minded."""
    async with asyncio.timeout(60), connect(server.ws, name="Ann", patient=True) as client:
        table = (await client.create(NO_LIMIT, bots=2)).table
        assert table is not None
        killer = Killer(server, kill)
        nobody_minded = asyncio.create_task(watch(client, table))
        end = await play_match(client, table, killer.choose, rng=Random(7))
        assert end.reason == "over"
        await nobody_minded
        assert killer.moves > KILLS[-1]
        await asyncio.gather(*killer.kills)


async def watch(client: Client, table: str) -> None:
    async for view in client.follow(table):
        assert not any(seat.minded for seat in view.seats)
        if view.status == "over":
            return


class Killer:
    """Plays at random, and has something killed now and then."""

    def __init__(self, server: Server, kill: Kill) -> None:
        self._server = server
        self._kill = kill
        self._lock = asyncio.Lock()
        self._loop = asyncio.get_running_loop()
        self.kills: list[asyncio.Future[None]] = []
        self.moves = 0

    def choose(self, view: ScoutView, rng: Random) -> Move:
        self.moves += 1
        if self.moves in KILLS:
            self._loop.call_soon_threadsafe(self._start_killing)
        return choose(view, rng)

    def _start_killing(self) -> None:
        self.kills.append(asyncio.ensure_future(self._kill_in_turn()))

    async def _kill_in_turn(self) -> None:
        async with self._lock:
            await self._kill(self._server)
