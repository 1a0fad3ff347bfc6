"""Telling a person who is away."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from clients.follower import Follower
from clients.running import cancelled
from clients.terminal.telling import Teller

EVERY: Final = 0.2
"""Seconds between looks: presence comes without a view, and followers wait for views."""


@asynccontextmanager
async def telling_presence(follower: Follower, teller: Teller) -> AsyncIterator[None]:
    """Meanwhile, give the teller each change of presence."""

    async def look() -> None:
        known = None
        while True:
            if follower.presence is not known and follower.view is not None and follower.presence is not None:
                known = follower.presence
                teller.presence(follower.view, known)
            await asyncio.sleep(EVERY)

    task = asyncio.create_task(look())
    try:
        yield
    finally:
        await cancelled([task])
