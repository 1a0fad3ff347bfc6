"""The tables that this process holds in memory, and how they keep up with the store."""

import asyncio
from collections.abc import Callable, Sequence

import structlog

from protocol import errors
from server import metrics
from server.faults import fault
from server.hub.live import Live
from server.store.base import Head, Log, Store
from server.table.acts import NewerEntry, decode_entry
from server.table.fold import Step, fold
from server.table.refusal import Refused
from server.table.state import Table

log = structlog.get_logger()

Advanced = Callable[[Live, Step], None]
"""Told of every step of a table that is held in memory here."""

KEPT_STEPS = 64
"""Of how many tables the steps are kept for `events` and records."""
BREATH = 20
"""After so many entries of a log others have their turn."""


class Holding:
    """The tables in memory. Every method may raise `StoreError`.

    Args:
        store: where the logs are.
        advanced: told of every step of a table that is held.
    """

    def __init__(self, store: Store, advanced: Advanced) -> None:
        self._store = store
        self._advanced = advanced
        self._lives: dict[str, Live] = {}
        self._stepped: dict[str, Live] = {}

    def held(self, table: str) -> Live | None:
        """The table if it is held in memory."""
        return self._lives.get(table)

    def all_held(self) -> list[Live]:
        """Every table held in memory."""
        return list(self._lives.values())

    def hold(self, table: str) -> Live:
        """The table's place in memory, whether it is loaded or not."""
        live = self._lives.get(table)
        if live is None:
            live = self._lives[table] = Live(table)
        live.used = self._store.now()
        return live

    def forget(self, live: Live) -> None:
        """Let go of a table that nobody here needs."""
        if not live.needed and not live.lock.locked() and self._lives.get(live.id) is live:
            del self._lives[live.id]
            self._stepped.pop(live.id, None)

    async def live(self, table: str, *, sure: bool = False) -> Live:
        """The table, loaded if need be. Raises `Refused` where there is none.

        With `sure` it is not behind what the store had when this was called; else it is only as new as this process
        has been told.
        """
        while True:
            live = self.hold(table)
            if live.table is not None and not self._behind(live, sure):
                return live
            async with live.lock:
                if self._lives.get(table) is live:
                    if live.table is None or self._behind(live, sure):
                        await self._refresh(live)
                    return live

    async def steps(self, table: str) -> list[Step]:
        """Every step of a table from the beginning. Raises `Refused` where there is none.

        Those of the tables that were asked for last are kept, since going through a long log takes its time.
        """
        live = await self.live(table, sure=True)
        steps = live.steps
        if steps is None:
            steps = await self._read(table)
            if steps[-1].table.version != live.head.version:
                return steps  # the table has gone on meanwhile
            live.steps = steps
        self._stepped.pop(table, None)
        self._stepped[table] = live
        while len(self._stepped) > KEPT_STEPS:
            self._stepped.pop(next(iter(self._stepped))).steps = None
        return list(steps)

    async def _read(self, table: str) -> list[Step]:
        """Go through a log from the beginning, and let others have their turn meanwhile."""
        found = await self._store.load(table)
        if found is None or not found.entries:
            raise Refused(errors.NO_SUCH_TABLE)
        current: Table | None = None
        steps: list[Step] = []
        for data in found.entries:
            try:
                steps.append(fold(current, decode_entry(data), table))
            except Exception as wrong:
                raise unreadable(table, wrong) from None
            current = steps[-1].table
            if len(steps) % BREATH == 0:
                await asyncio.sleep(0)
        return steps

    def doubt(self) -> None:
        """What the store told of its tables may have got lost on its way: nothing that is held is sure any more."""
        for live in self._lives.values():
            _miss(live)

    async def confirm(self, lives: Sequence[Live]) -> None:
        """Find out which of the tables have changed in the store: those are stale, and the others are not."""
        if self._store.exclusive:
            return
        before = [(live, live.head, live.missed) for live in lives]
        heads = await self._store.heads([live.id for live in lives])
        for live, head, misses in before:
            if live.head == head and live.missed == misses:
                live.stale = heads.get(live.id) != head

    def on_entry(self, table: str, head: Head, data: bytes) -> None:
        """A table that is followed here has changed (`server.store.base.OnEntry`)."""
        live = self._lives.get(table)
        if live is None or head.version < live.head.version or head == live.head:
            return
        if live.stale or head.version != live.head.version + 1:
            _miss(live)  # what is fetched then is sure to follow on what is held here
            return
        if live.making is not None and live.making[0] == head:
            step = live.making[1]  # told of what this process is about to be answered
        else:
            try:
                step = fold(live.table, decode_entry(data), table)
            except Exception as wrong:
                unreadable(table, wrong)
                _miss(live)
                return
        live.accept(step, head)
        self._advanced(live, step)

    def _behind(self, live: Live, sure: bool) -> bool:
        return live.stale or (sure and not self._store.exclusive)

    def _lost(self, live: Live) -> None:
        """The store does not have all that it had stored. Called once that is taken over."""
        raise NotImplementedError

    async def _refresh(self, live: Live) -> None:
        """Catch up with the store. The caller holds the lock."""
        misses, head, untold = live.missed, live.head, live.stale and live.followed
        found = await self._store.load(live.id, head)
        overtaken = live.head != head
        self._catch_up(live, found, head, misses)
        live.stale = live.stale or (overtaken and found is not None and found.since == 0)
        if untold and live.head.version > head.version:
            metrics.gap_repaired("entries")

    def _catch_up(self, live: Live, found: Log | None, asked: Head, misses: int) -> None:
        """Take over what the store has after the head `asked`, which was ours.

        Args:
            misses: how many entries had been missed when it was asked.
        """
        if found is None or found.head.version == 0:
            live.stale = True
            if not live.attachments:
                self._lives.pop(live.id, None)
            raise Refused(errors.NO_SUCH_TABLE)
        try:
            steps = live.catch_up(found)
        except Exception as wrong:
            live.stale = True
            raise unreadable(live.id, wrong) from None
        if asked.version == 0:
            live.loaded = self._store.now()
        live.stale = live.missed != misses
        for step in steps:
            self._advanced(live, step)
        if asked.version and found.since == 0:
            metrics.table_lost()
            log.error("steps_lost", table=live.id, stored=asked.version, found=found.head.version)
            live.lost = True
            self._lost(live)


def _miss(live: Live) -> None:
    live.stale = True
    live.missed += 1


def unreadable(table: str, wrong: Exception) -> Refused:
    """What to answer at a table whose log this process cannot read."""
    log.error("log_unreadable", table=table, fault=fault(wrong))
    if isinstance(wrong, NewerEntry):
        metrics.entry_too_new()
    return Refused(errors.INTERNAL, str(wrong) if isinstance(wrong, NewerEntry) else None)
