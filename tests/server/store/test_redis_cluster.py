"""A cluster of three masters, of which one has a replica."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.store.base import GRACE_MS, PUBLIC, Player, StoreError
from server.store.redis import RedisStore
from server.store.redis_cluster import Cluster
from tests.server.store.redis_server import DURABLE, RedisServer
from tests.server.store.redis_steps import answers, opened, until
from tests.server.store.steps import Told, Writer, always

pytestmark = pytest.mark.slow

SLOTS = 16384
TABLES = [f"{number:02d}table" for number in range(64)]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[list[RedisServer]]:
    options = ("--cluster-enabled", "yes", "--cluster-node-timeout", "1000", "--cluster-require-full-coverage", "no")
    servers = [
        RedisServer(tmp_path / str(number), *DURABLE, *options, "--repl-diskless-sync-delay", "0").start()
        for number in range(4)
    ]
    try:
        first, *others = servers
        for server in others:
            first.command("CLUSTER", "MEET", "127.0.0.1", server.port)
        bounds = [SLOTS * number // 3 for number in range(4)]
        for number in range(3):
            servers[number].command("CLUSTER", "ADDSLOTS", *range(bounds[number], bounds[number + 1]))
        for server in servers:
            server.wait_until(lambda asked=server: b"cluster_known_nodes:4" in asked.command("CLUSTER", "INFO"))
            server.wait_until(lambda asked=server: b"cluster_state:ok" in asked.command("CLUSTER", "INFO"))
        servers[3].wait_until(lambda: servers[3].command("CLUSTER", "REPLICATE", _id(servers[1])) == b"OK")
        for server in servers[:3]:
            # What one has not heard yet it would tell a store wrongly.
            server.wait_until(lambda asked=server: asked.command("CLUSTER", "NODES").count(b"slave") == 1)
        yield servers
    finally:
        for server in servers:
            server.stop()


def _id(server: RedisServer) -> str:
    return str(server.command("CLUSTER", "MYID").decode())


def _url(servers: list[RedisServer]) -> str:
    return "redis+cluster://" + ",".join(f"127.0.0.1:{server.port}" for server in servers[:2])


async def test_a_store_on_a_cluster(cluster: list[RedisServer]) -> None:
    async with opened(_url(cluster)) as here, opened(_url(cluster)) as there:
        await answers(here)
        assert len(here._ready().nodes) == 3
        told = Told()
        for table in TABLES:
            await there.follow(table, told.on_entry)
            await there.subscribe(table, PUBLIC, told.on_view)
        writers = [Writer(here, table) for table in TABLES]
        views = [(PUBLIC, always(b"view"))]
        made = [w.move(deadline=here.now() - 9, listing=b"l", wants=b"w", views=views) for w in writers]
        assert await asyncio.gather(*made) == [None] * 64
        await until(lambda: len(told.news) == 128)
        for writer in writers:
            of_table = [news for news in told.news if news[0] == writer.table]
            assert of_table == [(writer.table, writer.head, b"entry"), (writer.table, PUBLIC, 1, b"view")]
        assert await there.heads(TABLES) == {writer.table: writer.head for writer in writers}
        assert sorted(await there.unfinished()) == TABLES
        assert sorted(await there.due(100)) == TABLES
        assert len(await there.listed()) == len(await there.wanting()) == 64
        assert (await Writer(there, "07table").move()) is not None
        await here.add_player(Player("p1", "Anna", bot=False), b"hash")
        assert await there.player_by_token(b"hash") == Player("p1", "Anna", bot=False)
        for table in TABLES:
            await here.add_seat("p1", table)
        await here.delete("07table")
        assert await there.seats_of("p1") == [table for table in TABLES if table != "07table"]
        assert await here.intend("p1", "command", b"first") == await there.intend("p1", "command", b"second")


async def test_slots_that_moved_are_found(cluster: list[RedisServer]) -> None:
    async with opened(_url(cluster)) as store:
        writers = [Writer(store, table) for table in TABLES]
        await asyncio.gather(*(writer.move() for writer in writers))
        servers = store._ready()
        assert isinstance(servers, Cluster)
        keys = [store._keys.log(table) for table in TABLES]
        slots = {cluster[0].command("CLUSTER", "KEYSLOT", key): key for key in keys}
        source, target = cluster[0], cluster[2]
        moved = [slot for slot in slots if slot < SLOTS // 3]
        assert moved
        for slot in moved:
            target.command("CLUSTER", "SETSLOT", slot, "IMPORTING", _id(source))
            source.command("CLUSTER", "SETSLOT", slot, "MIGRATING", _id(target))
            names = source.command("CLUSTER", "GETKEYSINSLOT", slot, 1000)
            source.command("MIGRATE", "127.0.0.1", target.port, "", 0, 5000, "KEYS", *names)
            for server in (target, source, cluster[1]):
                server.command("CLUSTER", "SETSLOT", slot, "NODE", _id(target))
        assert await asyncio.gather(*(writer.move() for writer in writers)) == [None] * 64
        assert await store.heads(TABLES) == {writer.table: writer.head for writer in writers}
        assert sorted(await store.unfinished()) == TABLES
        assert store.grace_until() == 0


async def test_a_replica_takes_the_place_of_its_master(cluster: list[RedisServer]) -> None:
    master, replica = cluster[1], cluster[3]
    async with opened(_url(cluster)) as store:
        writers = [Writer(store, table) for table in TABLES]
        await asyncio.gather(*(writer.move() for writer in writers))
        replica.wait_until(lambda: replica.command("ROLE")[3:] == [b"connected", master.command("ROLE")[1]])
        master.kill()
        await until(lambda: replica.command("ROLE")[0] == b"master", 20)
        await answers(store, 20)
        results = await asyncio.gather(*(writer.move() for writer in writers))
        assert results == [None] * 64
        await until(lambda: store.grace_until() > store.now() + GRACE_MS - 5_000)


async def test_a_cluster_that_nobody_knows(cluster: list[RedisServer]) -> None:
    for server in cluster:
        server.stop()
    with pytest.raises(StoreError, match="no node"):
        await RedisStore(_url(cluster)).open()
