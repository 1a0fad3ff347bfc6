"""Telling a person when the connection to the server comes and goes."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from clients.client import Client
from clients.dialogue import Resumed
from protocol.pushes import GoingAway

RESTARTS = "The server restarts; one moment."
BACK = "Connected again."
NEW = "Connected again, but the server does not know you any more: you are a new guest."


@asynccontextmanager
async def telling_connection(client: Client, say: Callable[[str], None]) -> AsyncIterator[None]:
    """Meanwhile, say when the server goes away and when the client is back."""
    pushes = client.pushes()

    async def listen() -> None:
        async for push in pushes:
            if isinstance(push, GoingAway):
                say(RESTARTS)
            elif isinstance(push, Resumed):
                say(NEW if push.afresh else BACK)

    task = asyncio.create_task(listen())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
