"""`kill -9` in the middle of play: nothing acknowledged is missing or counts twice, and clients go on by themselves.

`make kills` does it a thousand times; BIGTOP_KILLS sets another number.
"""

import asyncio
import os
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import httpx
import pytest

from clients.client import Client, connect
from protocol.options import TableOptions
from server.table.verify import verify
from tests.end_to_end.noting import Log, play_and_note
from tests.end_to_end.processes import Server, serving
from tests.end_to_end.referee import judge

KILLS = int(os.environ.get("BIGTOP_KILLS", "20"))
TABLES = (2, 2, 4)
"""How many players sit at each of the tables that are played at the same time."""


class Kills:
    """Counts acknowledged moves, and says when the next kill is due.

    Attributes:
        done: how many there were.
    """

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._left = 10
        self._due = asyncio.Event()
        self.done = 0

    def noted(self) -> None:
        self._left -= 1
        if self._left == 0:
            self._due.set()

    async def run(self, server: Server) -> None:
        """Kill and start the server, each time after some moves more."""
        while self.done < KILLS:
            await self._due.wait()
            self._due.clear()
            await server.kill()
            await server.start()
            self.done += 1
            self._left = self._rng.randrange(1, 25)


@pytest.mark.slow
async def test_no_acknowledged_move_is_lost_or_doubled_by_kills(tmp_path: Path) -> None:
    rng = Random(20)
    kills = Kills(rng)
    moves = 0
    async with serving(tmp_path / "store.sqlite", "--no-bots", "--rate", "1000", "--burst", "1000") as server:
        killer = asyncio.create_task(kills.run(server))
        while not killer.done():
            moves += sum(
                await asyncio.gather(*(_match(server, players, rng.randrange(10**9), kills) for players in TABLES))
            )
        await killer
    assert kills.done == KILLS
    assert moves > 2 * KILLS
    print(f"\n{kills.done} kills, {moves} acknowledged moves, 0 lost, 0 doubled")


async def _match(server: Server, players: int, seed: int, kills: Kills) -> int:
    """One match, judged at its end. Returns the number of its moves."""
    rng = Random(seed)
    async with AsyncExitStack() as stack:
        clients: list[Client] = []
        for number in range(players):
            client = connect(server.ws, name=f"P{number}", bot=True, patient=True)
            clients.append(await stack.enter_async_context(client))
        made = await clients[0].create(TableOptions(seats=players))
        table = made.table
        assert table is not None
        for client in clients[1:]:
            await client.sit(table)
        logs = [Log() for _ in clients]
        games = [
            asyncio.create_task(play_and_note(client, table, Random(rng.random()), log, kills.noted))
            for client, log in zip(clients, logs, strict=True)
        ]
        await asyncio.gather(*(client.ready(table) for client in clients))
        await asyncio.gather(*games)
    text = await _record(server, table)
    for log in logs:
        verify(text, log.heads)
    return judge(logs, text)


async def _record(server: Server, table: str) -> str:
    """The record, from a server that may just be starting again."""
    async with httpx.AsyncClient() as http, asyncio.timeout(60):
        while True:
            try:
                answer = await http.get(f"{server.http}/records/{table}")
                answer.raise_for_status()
                return answer.text
            except httpx.TransportError:
                await asyncio.sleep(0.05)
