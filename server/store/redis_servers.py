"""Which Redis server has what: one server, the one that sentinels name, or the nodes of a cluster."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar
from zlib import crc32

from hiredis import ReplyError
from redis.asyncio.sentinel import Sentinel
from redis.exceptions import RedisError

from server.store.base import StoreError
from server.store.redis_node import Node
from server.store.redis_scripts import Script
from server.store.redis_url import Address, Place
from server.store.redis_wire import CONNECT_SECONDS, Access, Link, Wire, good, pack

OPEN_SECONDS = 3.0
"""How long a store waits at its start for a server, which may be starting too."""
CONNECTIONS = 8
"""How many there are to one server."""
TRIES = 5
"""How often a command is sent again because the server that has its keys is another one now."""

Greet = Callable[[Node, Link], Awaitable[None]]
"""Called with each new connection, before it is used."""

W = TypeVar("W", bound=Wire)


async def dial(make: Callable[[], W], address: Address, access: Access) -> W:
    """A new connection; nothing has been said on it yet."""
    host, port = address
    _, wire = await asyncio.get_running_loop().create_connection(make, host, port, ssl=access.tls)
    return wire


class Servers(ABC):
    """Sends each command to the server that has its key.

    Args:
        place: where to find them.
        greet: called with each new connection.
    """

    def __init__(self, place: Place, greet: Greet) -> None:
        self._place = place
        self._greet = greet

    @property
    @abstractmethod
    def nodes(self) -> list[Node]:
        """All connections; to each server that has something at least one."""

    @abstractmethod
    async def open(self) -> None:
        """Connect. Raises `StoreError` if that is not possible."""

    @abstractmethod
    async def listening_address(self) -> Address:
        """A server on which everything that is published can be heard."""

    @abstractmethod
    def node(self, key: bytes) -> Node:
        """The connection to the server that has a key; always the same one, as long as that server has it."""

    async def close(self) -> None:
        await asyncio.gather(*(node.close() for node in self.nodes))

    async def command(self, key: bytes, *parts: str | bytes | int) -> Any:
        """Do one command; `key` is its key."""
        return await self.call(key, pack(parts))

    async def call(self, key: bytes, packed: bytes) -> Any:
        """Do one command that is packed already."""
        reply = await self.node(key).call(packed)
        return reply if type(reply) is not ReplyError else await self._refused(key, packed, reply)

    async def script(self, script: Script, *keys: bytes, args: tuple[bytes | int, ...] = ()) -> Any:
        """Run a script."""
        node = self.node(keys[0])
        # Every move comes through here.
        link = node.link if node.link is not None and not node.link.closed.done() else await node.wait()
        reply = await link.call(script.call(*keys, args=args))
        if type(reply) is not ReplyError:
            return reply
        if str(reply).startswith("NOSCRIPT"):
            return await self.call(keys[0], script.call_whole(*keys, args=args))
        return await self._refused(keys[0], script.call(*keys, args=args), reply)

    async def many(self, commands: Sequence[tuple[bytes, bytes]]) -> list[Any]:
        """Do packed commands, each given with its key, with one round trip to each server."""
        by_node: dict[Node, list[int]] = {}
        for index, (key, _) in enumerate(commands):
            by_node.setdefault(self.node(key), []).append(index)
        calls = (node.call(b"".join(commands[i][1] for i in of), len(of)) for node, of in by_node.items())
        results = await asyncio.gather(*calls, return_exceptions=True)
        replies: list[Any] = [None] * len(commands)
        for of, result in zip(by_node.values(), results, strict=True):
            if isinstance(result, BaseException):
                raise result
            for index, reply in zip(of, result if len(of) > 1 else [result], strict=True):
                refused = type(reply) is ReplyError
                replies[index] = await self._refused(*commands[index], reply) if refused else reply
        return replies

    async def _refused(self, key: bytes, packed: bytes, reply: ReplyError) -> Any:
        """What to do about a refusal: raise, or try somewhere else."""
        if "READONLY" in str(reply):
            # Another server has taken its place; whoever connects again is led to that one.
            link = self.node(key).link
            if link is not None:
                link.abort()
        return good(reply)

    async def _linked(self, node: Node, address: Address) -> Link:
        link = await dial(Link, address, self._place.access)
        try:
            for said in self._place.access.commands():
                await link.command(*said)
            await self._greet(node, link)
        except BaseException:
            link.abort()
            raise
        return link


class OneServer(Servers):
    """One server, whose address may be the sentinels' to say.

    Redis reads 16 KiB of a connection at a time, which is two or three commits, and then brings what it has read from
    all of them to the disk at once. So there are several connections to it, each with a part of the keys: the commits
    that come together share that one wait for the disk.
    """

    def __init__(self, place: Place, greet: Greet) -> None:
        super().__init__(place, greet)
        # What becomes of the server is told once, and not by each connection.
        levels = [logging.WARNING] + [logging.INFO] * (CONNECTIONS - 1)
        self._nodes = [Node(self._connect, level) for level in levels]
        self._asking: asyncio.Task[Address] | None = None

    @property
    def nodes(self) -> list[Node]:
        return self._nodes

    async def open(self) -> None:
        for node in self._nodes:
            node.start()
        await asyncio.gather(*(node.connected(OPEN_SECONDS) for node in self._nodes))

    async def listening_address(self) -> Address:
        if self._place.scheme != "redis+sentinel":
            return self._place.addresses[0]
        # All who want to know ask together, and whoever waits no longer leaves the connections to be closed in order.
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask_sentinels())
            self._asking.add_done_callback(lambda asking: asking.cancelled() or asking.exception())
        return await asyncio.shield(self._asking)

    async def close(self) -> None:
        await super().close()
        if self._asking is not None:
            await asyncio.wait([self._asking])

    async def _ask_sentinels(self) -> Address:
        sentinels = Sentinel(  # type: ignore[no-untyped-call]  # redis-py has no types for it
            self._place.addresses,
            sentinel_kwargs={
                "socket_timeout": CONNECT_SECONDS / 2,
                "socket_connect_timeout": CONNECT_SECONDS / 2,
                "retry": None,
            },
        )
        try:
            host, port = await sentinels.discover_master(self._place.master)
        except RedisError:
            raise StoreError(f"no sentinel knows a master {self._place.master!r} that works") from None
        finally:
            await sentinels.aclose()
        return str(host), int(port)

    def node(self, key: bytes) -> Node:
        return self._nodes[crc32(key) % CONNECTIONS]

    async def _connect(self, node: Node) -> Link:
        return await self._linked(node, await self.listening_address())
