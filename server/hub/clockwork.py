"""The work that time causes: deadlines, signs of life, the lobby's pushes, offers to bots, and tidying up."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator
from typing import Final

import structlog

from protocol.pushes import LobbyPage
from server.hub.audiences import Audiences
from server.hub.bots import BotDesk
from server.hub.live import Live
from server.hub.lobby import lobby_page
from server.hub.peer import Peer
from server.hub.tables import Tables
from server.store.base import PRESENCE_BEAT_MS, Present, Store, StoreError
from server.table.acts import AnyAct
from server.table.compose import awaited, chance
from server.table.due import due, swept
from server.table.refusal import Refused
from server.table.state import Table

log = structlog.get_logger()

LOOK_MS: Final = 200
"""How often a process looks for deadlines that others may have set."""
LOBBY_MS: Final = 1_000
SWEEP_MS: Final = 60_000
HELD_MS: Final = 10 * 60_000
"""How long a table that nobody needs is held in memory."""
_RETRY_MS: Final = 1_000
_BATCH: Final = 64


class Clockwork:
    """The background tasks of a hub."""

    def __init__(
        self,
        store: Store,
        tables: Tables,
        audiences: Audiences,
        desk: BotDesk,
        followers: Callable[[], list[Peer]],
        retention_ms: int,
    ) -> None:
        self._store = store
        self._tables = tables
        self._audiences = audiences
        self._desk = desk
        self._followers = followers
        self._retention_ms = retention_ms
        self._tasks: list[asyncio.Task[None]] = []
        self._due = asyncio.Event()
        self._bots = asyncio.Event()
        self._lobby: LobbyPage | None = None
        self._failed: dict[str, int] = {}
        self._started = 0

    def start(self) -> None:
        """Begin."""
        self._started = self._store.now()
        self._tasks = [
            asyncio.create_task(self._watch_deadlines()),
            asyncio.create_task(self._offer_bots()),
            asyncio.create_task(self._every(PRESENCE_BEAT_MS, self._audiences.beat)),
            asyncio.create_task(self._every(LOBBY_MS, self._push_lobby)),
            asyncio.create_task(self._every(SWEEP_MS, self._sweep)),
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

    async def presence_changed(self, live: Live) -> None:
        """Somebody went: a break may be waiting for nobody else."""
        table = live.table
        if table is not None and table.status == "break":
            with contextlib.suppress(Refused):
                await self._tables.change(live.id, _all_have_read, by="server")

    async def _watch_deadlines(self) -> None:
        while True:
            self._due.clear()
            wait = float(LOOK_MS)
            try:
                await self._run_due()
                soonest = await self._store.next_due()
                if soonest is not None:
                    wait = min(wait, max(1.0, soonest - self._store.now()))
            except StoreError as down:
                log.error("store_down", error=str(down))
            await _wait(self._due, wait)

    async def _run_due(self) -> None:
        now = self._store.now()
        self._failed = {table: at for table, at in self._failed.items() if at > now}
        for table in await self._store.due(_BATCH):
            if table in self._failed:
                continue
            try:
                await self._tables.change(table, lambda at, _, time: due(at, time), by="server")
            except Refused as refused:
                self._failed[table] = now + _RETRY_MS
                log.error("deadline_failed", table=table, error=refused.message)

    async def _offer_bots(self) -> None:
        while True:
            self._bots.clear()
            with _logged():
                await self._desk.offer()
            await _wait(self._bots, LOBBY_MS)

    async def _push_lobby(self) -> None:
        followers = self._followers()
        if not followers:
            self._lobby = None
            return
        page = await lobby_page(self._store)
        if page != self._lobby:
            for peer in followers:
                peer.send_latest("lobby", page)
        self._lobby = page

    async def _sweep(self) -> None:
        now = self._store.now()
        for id in await self._store.unfinished():
            present = await self._store.present(id)
            last_seen = now if present.here or present.spectators else max(present.last_seen or 0, self._started)
            with contextlib.suppress(Refused):
                await self._tables.change(id, _sweeper(last_seen), by="server")
        for id in await self._store.finished_before(now - self._retention_ms, _BATCH):
            await self._store.delete(id)
        for live in self._tables.all_held():
            if now - live.used > HELD_MS:
                self._tables.forget(live)

    async def _every(self, period_ms: int, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            await asyncio.sleep(period_ms / 1000)
            with _logged():
                await work()


@contextlib.contextmanager
def _logged() -> Iterator[None]:
    try:
        yield
    except StoreError as down:
        log.error("store_down", error=str(down))


async def _wait(event: asyncio.Event, ms: float) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(ms / 1000):
            await event.wait()


def _sweeper(last_seen: int) -> Callable[[Table, Present, int], tuple[AnyAct, ...]]:
    return lambda table, _, now: swept(table, now, last_seen)


def _all_have_read(table: Table, present: Present, now: int) -> tuple[AnyAct, ...]:
    readers = awaited(table.seats, present.here) if table.status == "break" else []
    return (chance(table),) if readers and all(seat.next for seat in readers) else ()
