"""Whether Redis keeps what it says it has stored."""

import asyncio

from server.store.base import StoreError
from server.store.redis_keys import Keys
from server.store.redis_node import Node
from server.store.redis_servers import Servers
from server.store.redis_wire import Link

WANTED = (
    ("appendonly", "yes"),
    ("appendfsync", "always"),
    ("no-appendfsync-on-rewrite", "no"),
    ("maxmemory-policy", "noeviction"),
)
"""With all of these an answer means that the step is on the disk, and that it stays."""


async def check_durability(servers: Servers, keys: Keys, now: int, *, lossy: bool) -> None:
    """Raise `StoreError` with a sentence for the operator unless commits can be stored durably now.

    Args:
        servers: where they would be.
        keys: how they would be called.
        now: what to write.
        lossy: the operator has said that stored steps may get lost.
    """
    await asyncio.gather(*(_check_node(node, lossy) for node in servers.nodes))
    # Keys on different servers, if there are several.
    checked = (keys.check(number) for number in range(len(servers.nodes)))
    await asyncio.gather(*(servers.command(key, b"SET", key, now) for key in checked))


async def _check_node(node: Node, lossy: bool) -> None:
    await node.connected(0)
    link = node.link
    if link is None:
        raise StoreError("the store cannot be reached")
    await check_role(link)
    if not lossy:
        await _check_settings(link)


async def check_role(link: Link) -> None:
    """Raise `StoreError` if the server is a replica."""
    role = (await link.command("ROLE"))[0]
    if role != b"master":
        raise StoreError("this Redis is a replica, and only its master can be written to")


async def _check_settings(link: Link) -> None:
    try:
        # One name in each command: Redis 6.2 takes no more.
        found = {name: (await link.command("CONFIG", "GET", name))[1].decode() for name, _ in WANTED}
    except (StoreError, IndexError):
        raise StoreError(
            "Redis does not show its settings (CONFIG GET), so nobody knows whether stored steps are durable: "
            "let this user read them, or allow a lossy store"
        ) from None
    wrong = [f"{name} is {found[name]}, not {value}" for name, value in WANTED if found[name] != value]
    if wrong:
        raise StoreError(
            f"Redis may lose what it has stored: {'; '.join(wrong)}. Change its settings, or allow a lossy store"
        )


def run_id(info: bytes) -> bytes:
    """The run id in what INFO says."""
    for line in info.splitlines():
        if line.startswith(b"run_id:"):
            return line[7:]
    return b""
