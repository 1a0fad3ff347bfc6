"""The nodes of a Redis Cluster."""

import asyncio
import contextlib
from typing import Any

from hiredis import ReplyError
from redis.asyncio.cluster import ClusterNode, RedisCluster
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisClusterException, RedisError

from server.store.base import StoreError
from server.store.redis_node import Node
from server.store.redis_servers import OPEN_SECONDS, TRIES, Greet, Servers
from server.store.redis_url import Address, Place
from server.store.redis_wire import COMMAND_SECONDS, CONNECT_SECONDS, Link, good

AGAIN_SECONDS = 0.1
"""How long to wait before asking again who has which keys."""
REDIRECTIONS = ("MOVED", "ASK", "TRYAGAIN", "CLUSTERDOWN")


class Cluster(Servers):
    """The nodes of a cluster, as redis-py finds them."""

    def __init__(self, place: Place, greet: Greet) -> None:
        super().__init__(place, greet)
        self._nodes: dict[Address, Node] = {}
        self._map: RedisCluster | None = None
        self._asking = asyncio.Lock()
        self._maps = 0
        self._closing: set[asyncio.Task[None]] = set()

    @property
    def nodes(self) -> list[Node]:
        return list(self._nodes.values())

    async def open(self) -> None:
        await self._ask()
        assert self._map is not None
        for primary in self._map.get_primaries():
            self._at((primary.host, int(primary.port)))
        await asyncio.gather(*(node.connected(OPEN_SECONDS) for node in self.nodes))

    async def close(self) -> None:
        await super().close()
        await asyncio.gather(*self._closing)

    async def listening_address(self) -> Address:
        await self._ask()
        assert self._map is not None
        primary = self._map.get_primaries()[0]
        return primary.host, int(primary.port)

    def node(self, key: bytes) -> Node:
        assert self._map is not None
        try:
            found = self._map.get_node_from_key(key.decode())
        except (RedisError, RedisClusterException):
            found = None
        if found is None:
            raise StoreError("no node of the cluster has this part of the store")
        return self._at((found.host, int(found.port)))

    def _at(self, address: Address) -> Node:
        node = self._nodes.get(address)
        if node is None:
            node = self._nodes[address] = Node(lambda node: self._connect(node, address))
            node.start()
        return node

    async def _connect(self, node: Node, address: Address) -> Link:
        try:
            return await self._linked(node, address)
        except Exception:
            # Perhaps another node has its keys by now.
            with contextlib.suppress(StoreError):
                await self._ask()
            raise

    async def _refused(self, key: bytes, packed: bytes, reply: ReplyError) -> Any:
        for _ in range(TRIES):
            if not str(reply).startswith(REDIRECTIONS):
                return await super()._refused(key, packed, reply)
            await self._ask()
            reply = await self.node(key).call(packed)
            if type(reply) is not ReplyError:
                return reply
            await asyncio.sleep(AGAIN_SECONDS)
        return good(reply)

    async def _ask(self) -> None:
        """Find out who has which keys. Callers that come together ask once."""
        maps = self._maps
        async with self._asking:
            if self._maps == maps:
                self._map = await self._new_map()
                self._maps += 1
                await self._let_go()

    async def _new_map(self) -> RedisCluster:
        access = self._place.access
        cluster = RedisCluster(
            startup_nodes=[ClusterNode(host, port) for host, port in {*self._place.addresses, *self._nodes}],
            username=access.username,
            password=access.password,
            socket_timeout=CONNECT_SECONDS / 2,
            socket_connect_timeout=CONNECT_SECONDS / 2,
            retry=Retry(NoBackoff(), 0),
        )
        try:
            async with asyncio.timeout(COMMAND_SECONDS):
                await cluster.initialize()
        except (RedisError, RedisClusterException, OSError, TimeoutError):
            raise StoreError("no node of the cluster says which has what") from None
        finally:
            # What it has found out stays.
            await cluster.aclose()
        return cluster

    async def _let_go(self) -> None:
        """Close the nodes that have no keys any more."""
        assert self._map is not None
        kept = {(primary.host, int(primary.port)) for primary in self._map.get_primaries()}
        for address in self._nodes.keys() - kept:
            # Not awaited: this may be running in that very node's task.
            closing = asyncio.create_task(self._nodes.pop(address).close())
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)
