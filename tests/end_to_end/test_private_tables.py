"""A private table is found by its link and by nothing else."""

import asyncio
import re
from collections.abc import Awaitable
from pathlib import Path
from random import Random

import httpx

from clients.address import place
from clients.bots.playing import play_match
from clients.bots.strategies.greedy import choose
from clients.client import connect
from clients.errors import Refused
from protocol.options import TableOptions
from protocol.pushes import Done
from server.table.verify import verify
from tests.end_to_end.processes import bigtop, serving

PUBLIC = "https://scout.example.org"


async def test_the_link_that_play_prints_opens_the_table(tmp_path: Path) -> None:
    async with serving(None, "--no-bots") as server:
        host = await bigtop(
            "play", "--new", "--seats", "2", "--private", "--url", server.ws, XDG_STATE_HOME=str(tmp_path)
        )
        assert host.stdout is not None
        assert host.stdin is not None
        link = ""
        while not link:
            found = re.search(r"http://\S+/t/\S+\?invite=\S+", (await host.stdout.readline()).decode())
            link = found[0] if found else ""
        where = place(link, server.ws)
        async with connect(server.ws, name="Stranger") as stranger, httpx.AsyncClient() as http:
            assert where.table not in (await http.get(f"{server.http}/tables")).text
            assert await _code(stranger.watch(where.table)) == "no_such_table"
            assert await _code(stranger.sit(where.table, invite="0000-0000-0000")) == "no_such_table"
            assert (await stranger.sit(where.table, invite=where.invite)).seat == 1
        host.stdin.close()
        await host.communicate()


async def test_a_seat_shares_the_record(tmp_path: Path) -> None:
    """The code is in the store, so that it is the same after a restart."""
    async with (
        serving(tmp_path / "bigtop.sqlite", "--no-bots", "--rate", "1000", "--burst", "1000") as server,
        httpx.AsyncClient() as http,
    ):
        async with connect(server.ws, name="Ann") as ann, connect(server.ws, name="Ben") as ben:
            made = await ann.create(TableOptions(seats=2, private=True))
            assert made.table is not None
            await ben.sit(made.table, invite=made.invite)
            await asyncio.gather(*(play_match(client, made.table, choose, rng=Random(1)) for client in (ann, ben)))
            tokens = [{"Authorization": f"Bearer {client.token}"} for client in (ann, ben)]
        record = f"{server.http}/records/{made.table}"
        code = (await http.get(f"{record}/share", headers=tokens[0])).text
        await server.kill()
        await server.start()
        assert (await http.get(f"{record}/share", headers=tokens[1])).text == code
        assert (await http.get(f"{record}/share")).status_code == 404
        assert (await http.get(record)).status_code == 404
        shared = await http.get(f"{record}?share={code}")
        verify(shared.text)
        assert shared.text == (await http.get(record, headers=tokens[0])).text


async def test_links_name_the_public_address() -> None:
    async with serving(None, "--no-bots", "--public-url", PUBLIC) as server, connect(server.ws, name="Ann") as ann:
        done = await ann.create(TableOptions(private=True))
        assert done.table is not None
        assert ann.link(done.table, done.invite) == f"{PUBLIC}/t/{done.table}?invite={done.invite}"


async def _code(command: Awaitable[Done]) -> str:
    try:
        await command
    except Refused as error:
        return error.code
    return "done"
