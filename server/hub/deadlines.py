"""Runs what is due at the tables. Every process looks, and the commit decides who was first.

A table with players here is seen to at once. Others are left to the processes that have their players for a moment, so
that not all of them do the same work.
"""

import asyncio
from typing import Final

import structlog

from server import metrics
from server.faults import fault
from server.hub.tables import Tables
from server.store.base import Present, Store, StoreError
from server.table.acts import AnyAct
from server.table.due import due
from server.table.refusal import Refused
from server.table.state import Table

log = structlog.get_logger()

LOOK_MS: Final = 200
"""How often a process looks for deadlines that others may have set."""
SHORTEST_MS: Final = 1
BATCH: Final = 64
"""How many tables are seen to at once."""
STRANGER_MS: Final = 400
"""How long a table that nobody here is connected to is left to other processes."""
RETRY_MS: Final = 1_000
LONGEST_RETRY_MS: Final = 5 * 60_000


class Deadlines:
    """The deadlines of all tables."""

    def __init__(self, store: Store, tables: Tables) -> None:
        self._store = store
        self._tables = tables
        self._failed: dict[str, tuple[int, int]] = {}
        self._strange: dict[str, int] = {}

    async def run(self) -> float:
        """See to what is due now, and return the milliseconds until it is worth looking again. Raises `StoreError`.

        A table at which that fails is left alone for a while, longer each time, and does not stand in the others' way.
        """
        # Those that are left alone stay overdue, so they come first: the others come after them.
        found = await self._store.due(BATCH + len(self._failed) + len(self._strange))
        now = self._store.now()
        self._failed = {table: again for table, again in self._failed.items() if table in found}
        self._strange = {table: self._strange.get(table, now) for table in found if self._is_strange(table)}
        ready = [table for table in found if self._left_alone_until(table) <= now][:BATCH]
        await asyncio.gather(*map(self._run, ready))
        soonest = await self._store.next_due()
        if soonest is None:
            return LOOK_MS
        left = soonest - self._store.now()
        # What is overdue already either is left alone, or came up in this moment.
        return min(LOOK_MS, left) if left > 0 else (LOOK_MS if self._failed or self._strange else SHORTEST_MS)

    def _is_strange(self, table: str) -> bool:
        live = self._tables.held(table)
        return not self._store.exclusive and (live is None or not live.attachments)

    def _left_alone_until(self, table: str) -> int:
        failed, _ = self._failed.get(table, (0, 0))
        seen = self._strange.get(table)
        return failed if seen is None else max(failed, seen + STRANGER_MS)

    async def _run(self, table: str) -> None:
        made: tuple[AnyAct, ...] = ()

        def decide(at: Table, _: Present, now: int) -> tuple[AnyAct, ...]:
            nonlocal made
            made = due(at, now)
            return made

        try:
            await self._tables.change(table, decide, by="server")
        except StoreError:
            raise
        except Exception as wrong:
            _, wait = self._failed.get(table, (0, RETRY_MS // 2))
            wait = min(2 * wait, LONGEST_RETRY_MS)
            self._failed[table] = (self._store.now() + wait, wait)
            what = wrong.message if isinstance(wrong, Refused) else fault(wrong)
            log.error("deadline_failed", table=table, fault=what)
        else:
            self._failed.pop(table, None)
            if made:  # else another process was faster
                metrics.deadline_carried_out()
