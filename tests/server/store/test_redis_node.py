"""What keeps something connected comes to its end."""

import asyncio

from server.store.redis_node import Keeper
from server.store.redis_wire import Wire


async def test_a_keeper_ends_though_a_cancellation_gets_lost() -> None:
    connecting = asyncio.Event()

    async def connect() -> Wire:
        connecting.set()
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            raise OSError("as if the other side had refused")

    keeper = Keeper("a connection", connect, lambda: None)
    keeper.start()
    await connecting.wait()
    async with asyncio.timeout(5):
        await keeper.close()
    assert not keeper.alive
