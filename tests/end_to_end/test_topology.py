"""What docker-compose.yml describes, with real processes: play goes on, whichever of the servers is away."""

import asyncio
import re
import socket
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic

import httpx
import pytest

from clients.bots.playing import play_match
from clients.bots.strategies.uniform import choose
from clients.client import Client, connect
from protocol.options import TableOptions
from server.table.verify import verify
from tests.end_to_end.processes import Server, serving
from tests.end_to_end.topology import SERVERS, Balancer, Topology, nginx, topology
from tests.server.store.redis_steps import until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(nginx() is None, reason="needs nginx: tools/debian-packages nginx"),
]
PAUSE_SECONDS = 2.0
"""How long play may stop when a server dies."""
RESTART_SECONDS = 2.0
"""How long play may stop when a server is restarted: its clients come back at once."""
TABLES = (2, 3, 4)
"""How many players sit at each of the tables."""
ESTABLISHED = "01"


@dataclass
class Seen:
    """What a spectator saw of a table.

    Attributes:
        heads: of each version.
        times: when each view came, in seconds.
    """

    heads: dict[int, str] = field(default_factory=dict)
    times: list[float] = field(default_factory=list)

    @property
    def longest_pause(self) -> float:
        return max(after - before for before, after in zip(self.times, self.times[1:], strict=False))


class Crowd:
    """People who play one match after the other through the balancer, each watched on another address.

    Attributes:
        seen: what the spectators saw of each match.
    """

    def __init__(self, site: Topology, watched_at: str) -> None:
        self.seen: dict[str, Seen] = {}
        self._site = site
        self._watched_at = watched_at
        self._enough = asyncio.Event()
        self._rng = Random(7)

    async def play(self) -> None:
        """Until it is enough, and the matches that have begun are over."""
        async with AsyncExitStack() as stack:
            watcher = await stack.enter_async_context(connect(self._watched_at, name="Watcher", patient=True))
            games = []
            for number, seats in enumerate(TABLES):
                players = [
                    await stack.enter_async_context(
                        connect(self._site.balancer.ws, name=f"P{number}{seat}", bot=True, patient=True)
                    )
                    for seat in range(seats)
                ]
                games.append(self._matches(players, watcher))
            await asyncio.gather(*games)

    def enough(self) -> None:
        self._enough.set()

    async def _matches(self, players: list[Client], watcher: Client) -> None:
        while not self._enough.is_set():
            table = (await players[0].create(TableOptions(seats=len(players), move_seconds=None))).table
            assert table is not None
            await watcher.watch(table)
            watching = asyncio.create_task(self._watch(table, watcher))
            for player in players[1:]:
                await player.sit(table)
            rng = Random(self._rng.random())
            ends = await asyncio.gather(*(play_match(player, table, choose, rng=rng) for player in players))
            assert {end.reason for end in ends} == {"over"}
            await watching

    async def _watch(self, table: str, watcher: Client) -> None:
        seen = self.seen[table] = Seen()
        async for view in watcher.follow(table):
            seen.heads[view.version] = view.head
            seen.times.append(monotonic())
            if view.status == "over":
                return

    async def assert_all_is_well(self, pause: float) -> None:
        """Each record fits what was seen of its match, and nobody waited too long."""
        assert self.seen
        async with httpx.AsyncClient(base_url=self._site.balancer.http) as http:
            for table, seen in self.seen.items():
                answer = await http.get(f"/records/{table}")
                assert len(verify(answer.text, seen.heads).heads) == max(seen.heads)
        longest = max(seen.longest_pause for seen in self.seen.values())
        print(f"\nlongest pause: {longest:.2f} s in {len(self.seen)} matches")
        assert longest < pause


def connections(server: Server) -> int:
    """How many a server has, as the system counts them."""
    port = int(server.http.rpartition(":")[2])
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(row[1].endswith(f":{port:04X}") and row[3] == ESTABLISHED for row in rows)


@pytest.fixture(autouse=True)
def in_time() -> Iterator[None]:
    started = monotonic()
    yield
    assert monotonic() - started < 120


async def begun(crowd: Crowd, more: int = 0) -> None:
    """Wait until the next matches are under way."""
    matches = len(crowd.seen) + more
    await until(lambda: len(crowd.seen) > matches and all(len(seen.heads) > 5 for seen in crowd.seen.values()), 30)


async def test_a_server_is_killed(tmp_path: Path) -> None:
    async with topology(tmp_path) as site:
        dying, staying = site.servers
        crowd = Crowd(site, watched_at=staying.ws)
        playing = asyncio.create_task(crowd.play())
        await begun(crowd)
        assert min(connections(dying), connections(staying)) >= sum(TABLES) // 2
        async with httpx.AsyncClient() as http:
            addresses = [*(server.http for server in site.servers), site.balancer.http]
            lists = [(await http.get(f"{address}/tables")).json()["tables"] for address in addresses]
        assert all({row["table"] for row in rows} >= set(crowd.seen) for rows in lists)
        await dying.kill()
        await begun(crowd)
        assert connections(staying) >= sum(TABLES) + 1
        await dying.start()
        async with connect(site.balancer.ws), connect(site.balancer.ws):
            assert connections(dying) == 2
        crowd.enough()
        await playing
        await crowd.assert_all_is_well(PAUSE_SECONDS)


async def test_a_rolling_restart(tmp_path: Path) -> None:
    async with topology(tmp_path) as site:
        crowd = Crowd(site, watched_at=site.balancer.ws)
        playing = asyncio.create_task(crowd.play())
        await begun(crowd)
        for server in site.servers:
            code, _ = await server.stop()
            assert code == 0
            await server.start()
            await begun(crowd)
        crowd.enough()
        await playing
        await crowd.assert_all_is_well(RESTART_SECONDS)


async def test_a_reload_of_the_balancer(tmp_path: Path) -> None:
    """It ends the old connections after a while; the clients come back."""
    async with topology(tmp_path) as site:
        crowd = Crowd(site, watched_at=site.servers[0].ws)
        playing = asyncio.create_task(crowd.play())
        await begun(crowd)
        async with connect(site.balancer.ws) as client:
            pushes = client.pushes()
            lost = asyncio.ensure_future(anext(pushes))
            await asyncio.sleep(0)
            site.balancer.reload()
            async with asyncio.timeout(15):
                await lost
        crowd.enough()
        await playing
        await crowd.assert_all_is_well(PAUSE_SECONDS)


async def test_a_machine_that_does_not_answer_at_all(tmp_path: Path) -> None:
    """Its packets get lost: nobody refuses the connection."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as deaf, socket.create_connection(deaf.getsockname()):
        async with serving(None, "--no-bots") as server:
            ports = {SERVERS[0]: deaf.getsockname()[1], SERVERS[1]: int(server.http.rpartition(":")[2])}
            balancer = Balancer(tmp_path / "nginx", ports)
            await balancer.start()
            started = monotonic()
            async with connect(balancer.ws), httpx.AsyncClient(base_url=balancer.http) as http:
                assert (await http.get("/health")).status_code == 200
            assert monotonic() - started < PAUSE_SECONDS
            assert "timed out" in await balancer.stop()


async def test_what_is_asked_over_http(tmp_path: Path) -> None:
    async with topology(tmp_path) as site, httpx.AsyncClient(base_url=site.balancer.http) as http:
        for path in ("/balancer", "/health", "/ready"):
            assert (await http.get(path)).text == "ok\n"
        page = await http.get("/")
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert page.headers["content-security-policy"].startswith("default-src 'none'")
        assert (await http.post("/tables", content=b"x" * 2000)).status_code == 413
        await site.servers[1].kill()
        for _ in range(20):
            assert (await http.get("/health")).status_code == 200
        await site.servers[0].kill()
        assert (await http.get("/health")).status_code == 502
        assert (await http.get("/t/000000000000?invite=quiet-osprey")).status_code == 502
        assert (await http.get("/balancer")).status_code == 200
        said = await site.balancer.stop()
        assert re.search("connect.. failed", said)
        assert "osprey" not in said
        await site.balancer.start()
