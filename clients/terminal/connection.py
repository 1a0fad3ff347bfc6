"""Telling a person when the connection to the server comes and goes."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from clients.client import Client
from clients.dialogue import Resumed
from clients.running import cancelled
from protocol.pushes import GoingAway

LOST: Final = "The connection is lost; trying again."
RESTARTS: Final = "The server restarts; one moment."
BACK: Final = "Connected again."
NEW: Final = "Connected again, but the server does not know you any more: you are a new guest."
EVERY: Final = 0.2
"""Seconds between looks whether the connection holds."""


@asynccontextmanager
async def telling_connection(client: Client, say: Callable[[str], None]) -> AsyncIterator[None]:
    """Meanwhile, say when the connection is lost or the server goes away, and when the client is back."""
    pushes = client.pushes()
    told = False

    def gone(sentence: str) -> None:
        nonlocal told
        if not told:
            told = True
            say(sentence)

    async def look() -> None:
        while True:
            if not client.online:
                gone(LOST)
            await asyncio.sleep(EVERY)

    async def listen() -> None:
        nonlocal told
        async for push in pushes:
            if isinstance(push, GoingAway):
                gone(RESTARTS)
            elif isinstance(push, Resumed):
                gone(LOST)  # in case it was too short to be noticed
                told = False
                say(NEW if push.afresh else BACK)

    tasks = [asyncio.create_task(look()), asyncio.create_task(listen())]
    try:
        yield
    finally:
        await cancelled(tasks)
