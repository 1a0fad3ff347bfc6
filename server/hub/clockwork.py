"""The work that time causes: deadlines, signs of life, the lobby's pushes, offers to bots, and tidying up."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from server import metrics
from server.faults import fault
from server.hub.audiences import Audiences
from server.hub.bots import BotDesk
from server.hub.deadlines import Deadlines
from server.hub.lobby import LobbyPusher
from server.hub.peer import Peer
from server.hub.sweeping import Sweeper
from server.hub.tables import Tables
from server.hub.troubles import store_down
from server.store.base import PRESENCE_BEAT_MS, Present, Store, StoreError
from server.table.acts import AnyAct
from server.table.compose import awaited, chance
from server.table.state import Table

log = structlog.get_logger()

OFFER_MS: Final = 300
"""How often a process looks for seats that ask for a bot."""
LOBBY_MS: Final = 1_000
"""How often the lobby is sent at most."""
COUNT_MS: Final = 5_000
"""How often the tables are counted for the metrics."""
RENEW_AGAIN_MS: Final = 1_000
"""When to try again to show everybody the newest view, after the store could not be asked."""
SWEEP_MS: Final = 60_000
"""How often tables that nobody wants are looked for."""


class Clockwork:
    """The background tasks of a hub. What goes wrong in one round is logged, and the next one comes."""

    def __init__(
        self,
        store: Store,
        tables: Tables,
        audiences: Audiences,
        desk: BotDesk,
        followers: Callable[[], list[Peer]],
        retention_ms: int,
    ) -> None:
        self._tables = tables
        self._desk = desk
        self._audiences = audiences
        self._deadlines = Deadlines(store, tables)
        self._lobby = LobbyPusher(store, followers)
        self._sweeper = Sweeper(store, tables, audiences, retention_ms)
        self._tasks: list[asyncio.Task[None]] = []
        self._due = asyncio.Event()
        self._bots = asyncio.Event()
        self._renewal = asyncio.Event()

    def start(self) -> None:
        """Begin."""
        self._sweeper.start()
        self._tasks = [
            asyncio.create_task(self._watch_deadlines()),
            asyncio.create_task(self._offer_bots()),
            asyncio.create_task(self._renew_audiences()),
            asyncio.create_task(_every(LOBBY_MS, self._lobby.push)),
            asyncio.create_task(_every(COUNT_MS, self._count)),
            asyncio.create_task(_every(SWEEP_MS, self._sweeper.sweep)),
        ]

    async def stop(self) -> None:
        """End."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def kick(self) -> None:
        """A table took a step: its deadline may be sooner than what is waited for."""
        self._due.set()

    def kick_bots(self) -> None:
        """A seat may ask for a bot, or somebody new serves them."""
        self._bots.set()

    def kick_renewal(self) -> None:
        """What was published may have got lost."""
        self._renewal.set()

    async def somebody_went(self, table: str) -> None:
        """A break may be waiting for nobody else. Raises `Refused` and `StoreError`."""
        live = self._tables.held(table)
        if live is not None and live.table is not None and live.table.status == "break":
            await self._tables.change(table, _all_have_read, by="server")

    async def _count(self) -> None:
        held = Counter(live.table.status for live in self._tables.all_held() if live.table is not None)
        metrics.tables(held)

    async def _watch_deadlines(self) -> None:
        while True:
            self._due.clear()
            wait = await _logged(self._deadlines.run)
            await _wait(self._due, wait if wait is not None else OFFER_MS)

    async def _offer_bots(self) -> None:
        while True:
            self._bots.clear()
            await _logged(self._desk.offer)
            await _wait(self._bots, OFFER_MS)

    async def _renew_audiences(self) -> None:
        wait: float = PRESENCE_BEAT_MS
        while True:
            await _wait(self._renewal, wait)
            self._renewal.clear()
            wait = await _logged(self._renew) or RENEW_AGAIN_MS

    async def _renew(self) -> float:
        await self._audiences.renew()
        return PRESENCE_BEAT_MS


async def _every(period_ms: int, work: Callable[[], Awaitable[None]]) -> None:
    while True:
        await asyncio.sleep(period_ms / 1000)
        await _logged(work)


async def _logged(work: Callable[[], Awaitable[float | None]]) -> float | None:
    try:
        return await work()
    except StoreError as down:
        store_down(down, "background")
    except Exception as wrong:
        log.error("internal", fault=fault(wrong))
    return None


async def _wait(event: asyncio.Event, ms: float) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(ms / 1000):
            await event.wait()


def _all_have_read(table: Table, present: Present, now: int) -> tuple[AnyAct, ...]:
    readers = awaited(table.seats, present.here) if table.status == "break" else []
    return (chance(table),) if readers and all(seat.next for seat in readers) else ()
