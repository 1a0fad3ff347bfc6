"""A private table is found by its link and by nothing else."""

import re
from collections.abc import Awaitable
from pathlib import Path

import httpx

from clients.address import place
from clients.client import connect
from clients.errors import Refused
from protocol.options import TableOptions
from protocol.pushes import Done
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
