"""Whole matches between processes over real sockets, as a person at several terminals would run them."""

import asyncio
import re

import httpx
import pytest

from engine.record import Record
from server.table.verify import verify
from tests.end_to_end.processes import bigtop, output, serving


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
async def test_bots_play_a_whole_match_while_others_watch(players: int) -> None:
    async with serving(None, "--no-bots") as server:
        bots = [
            await bigtop("bot", "--quick", "--seats", str(players), "--url", server.ws, "--think-ms", "100")
            for number in range(players)
        ]
        table = await _table(server.http)
        watcher = await bigtop("watch", table, "--url", server.ws)
        async with asyncio.timeout(300):
            printed = await asyncio.gather(*map(output, bots), output(watcher))
        for text in printed[:-1]:
            assert f"{table} is over" in text
        assert "The match is over: " in printed[-1]
        assert [bot.returncode for bot in [*bots, watcher]] == [0] * (players + 1)
        async with httpx.AsyncClient() as http:
            record = (await http.get(f"{server.http}/records/{table}")).text
        verified = verify(record)
        *_, end = Record.parse(record).states()
        assert verified.table.game == end
        assert verified.deals == players


async def _table(address: str) -> str:
    """The table that the bots met at."""
    async with httpx.AsyncClient() as http, asyncio.timeout(60):
        while True:
            found = re.findall(r'"table":"([0-9a-z]{12})"', (await http.get(f"{address}/tables")).text)
            if found:
                return str(found[0])


async def test_one_command_shows_a_match_between_house_bots() -> None:
    async with serving(None) as server:
        watcher = await bigtop("watch", "--bots", "2", "--url", server.ws)
        text = await output(watcher)
        assert watcher.returncode == 0, text
        assert "The match is over: " in text
