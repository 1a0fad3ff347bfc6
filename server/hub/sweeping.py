"""The end of tables that nobody wants, and of records that are old enough."""

from collections.abc import Callable
from typing import Final

import structlog

from server.faults import fault
from server.hub.audiences import Audiences
from server.hub.tables import Tables
from server.store.base import Present, Store, StoreError
from server.table.acts import AnyAct
from server.table.due import ABANDONED_MS, EMPTY_MS, swept
from server.table.refusal import Refused
from server.table.state import Table

log = structlog.get_logger()

HELD_MS: Final = 10 * 60_000
"""How long a table that nobody needs is held in memory."""
SHOWN_MS: Final = 60 * 60_000
"""How long connections stay at a table that is over."""
BATCH: Final = 64
"""How many records go in one round."""


class Sweeper:
    """Looks for tables that can go."""

    def __init__(self, store: Store, tables: Tables, audiences: Audiences, retention_ms: int) -> None:
        self._store = store
        self._tables = tables
        self._audiences = audiences
        self._retention_ms = retention_ms
        self._started = 0
        self._spared: dict[str, int | None] = {}

    def start(self) -> None:
        """From now on this process knows who is connected."""
        self._started = self._store.now()

    async def sweep(self) -> None:
        """One round. Raises `StoreError`."""
        unfinished = await self._store.unfinished()
        self._spared = {table: until for table, until in self._spared.items() if table in set(unfinished)}
        for table in unfinished:
            try:
                await self._look_at(table)
            except StoreError:
                raise
            except Exception as wrong:
                what = wrong.message if isinstance(wrong, Refused) else fault(wrong)
                log.error("sweep_failed", table=table, fault=what)
        for table in await self._store.finished_before(self._store.now() - self._retention_ms, BATCH):
            await self._store.delete(table)
            live = self._tables.held(table)
            if live is not None:
                await self._audiences.let_go(live)
                live.used = 0
                live.stale = True
        await self._let_go()

    async def _look_at(self, table: str) -> None:
        """End a table if nobody has been there for long enough.

        Most tables need not be loaded for that, and those for correspondence only once.
        """
        present = await self._store.present(table)
        now = self._store.now()
        last_seen = now if present.here or present.spectators else max(present.last_seen or 0, self._started)
        until = self._spared.get(table, 0)
        if until is None or now < max(until, last_seen + EMPTY_MS):
            return
        held = self._tables.held(table)
        used = held.used if held is not None else None
        answer = await self._tables.change(table, _sweeper(last_seen), by="server")
        self._spared[table] = _spared_until(answer.table, last_seen, now)
        live = self._tables.held(table)
        if live is not None and used is not None:
            live.used = used  # a look is no use of it
        elif live is not None:
            self._tables.forget(live)

    async def _let_go(self) -> None:
        """Free the memory of tables that nobody needs any more."""
        now = self._store.now()
        for live in self._tables.all_held():
            if live.table is not None and live.table.ended and now - live.table.changed > SHOWN_MS:
                await self._audiences.let_go(live)
            if now - live.used > HELD_MS:
                self._tables.forget(live)


def _sweeper(last_seen: int) -> Callable[[Table, Present, int], tuple[AnyAct, ...]]:
    return lambda table, _, now: swept(table, now, last_seen)


def _spared_until(table: Table, last_seen: int, now: int) -> int | None:
    """When to look again at a table that was spared now; `None` for never."""
    if table.begun and table.correspondence:
        return None
    ends = max(last_seen, table.created) + (ABANDONED_MS if table.begun else EMPTY_MS)
    return ends if ends > now else now + EMPTY_MS
