"""Changing tables: decide, commit, and when somebody else was faster, catch up and decide again."""

from collections.abc import Callable
from typing import NamedTuple

import structlog

from engine.errors import EngineError
from protocol import errors
from protocol.values import By
from server.hub.ids import Entropy
from server.hub.live import Live
from server.store.base import PUBLIC, Commit, Head, Log, Present, Store, StoreError
from server.table.acts import AnyAct, Cause, Moved, NewerEntry, decode_entry, encode_entry
from server.table.compose import compose
from server.table.due import deadline
from server.table.fold import Impossible, Step, fold
from server.table.happened import happened
from server.table.refusal import Refused
from server.table.state import Table
from server.table.views import encoded_view, listing, view, wants

log = structlog.get_logger()

Decide = Callable[[Table, Present, int], tuple[AnyAct, ...]]
"""What is to happen at a table, given who is present and the store's time. May raise `Refused`."""

Advanced = Callable[[Live, Step], None]
"""Told of every step of a table that is held in memory here."""

NOBODY = Present({}, frozenset(), 0, None)


class Answer(NamedTuple):
    """What a change of a table came to.

    Attributes:
        table: the table after it.
        version: the version that the command made, or found where it had nothing to change.
        seat: the player's seat then.
    """

    table: Table
    version: int
    seat: int | None


class Tables:
    """All tables, as far as this process needs them."""

    def __init__(self, store: Store, entropy: Entropy, advanced: Advanced) -> None:
        self._store = store
        self._entropy = entropy
        self._advanced = advanced
        self._lives: dict[str, Live] = {}

    def held(self, table: str) -> Live | None:
        """The table if it is held in memory."""
        return self._lives.get(table)

    def all_held(self) -> list[Live]:
        """Every table held in memory."""
        return list(self._lives.values())

    async def live(self, table: str) -> Live:
        """The table, loaded if need be. Raises `Refused` where there is none."""
        live = self._lives.get(table)
        if live is None:
            live = self._lives.setdefault(table, Live(table))
        live.used = self._store.now()
        if live.stale:
            async with live.lock:
                await self._refresh(live)
        return live

    async def steps(self, table: str) -> list[Step]:
        """Every step of a table from the beginning. Raises `Refused` where there is none."""
        found = await self._load(table, 0)
        current: Table | None = None
        steps = []
        for data in found.entries:
            steps.append(self._fold(current, data, table))
            current = steps[-1].table
        return steps

    async def change(self, table: str, decide: Decide, *, by: By = "player", cause: Cause | None = None) -> Answer:
        """Do at a table what `decide` says, exactly once for each cause. Raises `Refused`.

        A refusal counts only if it was decided on the newest state of the table.
        """
        live = await self.live(table)
        async with live.lock:
            if live.stale:
                await self._refresh(live)
            sure = self._store.exclusive
            while True:
                assert live.table is not None
                known = self._known(live, cause)
                if known is not None:
                    return known
                present = await self._present(live.table)
                now = self._store.now()
                try:
                    made = decide(live.table, present, now)
                except Refused:
                    if sure:
                        raise
                    await self._refresh(live)
                    sure = True
                    continue
                if not made:
                    return Answer(live.table, live.table.version, live.table.seat_of(cause.player if cause else None))
                step = compose(table, live.table, made, now, _by(by, made), cause, present.here)
                if await self._commit(live, step):
                    return Answer(step.table, step.table.version, _seat(step.table, cause))
                sure = True

    async def create(self, table: str, made: tuple[AnyAct, ...], cause: Cause) -> Answer:
        """Create a table; if it is there already, by the same cause, that is the answer."""
        live = self._lives.setdefault(table, Live(table))
        live.used = self._store.now()
        async with live.lock:
            if live.table is None:
                step = compose(table, None, made, self._store.now(), "player", cause)
                if await self._commit(live, step):
                    return Answer(step.table, step.table.version, _seat(step.table, cause))
            if live.stale:
                await self._refresh(live)
            assert live.table is not None
            known = self._known(live, cause)
            if known is None:
                return Answer(live.table, live.table.version, _seat(live.table, cause))
            return known

    def forget(self, live: Live) -> None:
        """Let go of a table that nobody here needs."""
        if not live.attachments and not live.lock.locked():
            self._lives.pop(live.id, None)

    def on_entry(self, table: str, head: Head, data: bytes) -> None:
        """Another process changed a table that is followed here (`server.store.base.OnEntry`)."""
        live = self._lives.get(table)
        if live is None or head.version <= live.head.version:
            return
        if head.version != live.head.version + 1 or live.stale or (live.table is None and head.version != 1):
            live.stale = True
            return
        try:
            step = self._fold(live.table, data, table)
        except Refused:
            live.stale = True
            return
        live.accept(step, head)
        self._advanced(live, step)

    def _known(self, live: Live, cause: Cause | None) -> Answer | None:
        answered = live.answered.get((cause.player, cause.id)) if cause is not None else None
        if answered is None or cause is None or live.table is None:
            return None
        if answered.digest != cause.digest:
            raise Refused(errors.ID_REUSED)
        return Answer(live.table, answered.version, answered.seat)

    async def _present(self, table: Table) -> Present:
        """Who is here, where it can matter: for the end of a break, and for votes at tables without a limit."""
        if table.status == "break" or (table.begun and table.options.move_seconds is None):
            return await self._store_present(table.id)
        return NOBODY

    async def _store_present(self, table: str) -> Present:
        try:
            return await self._store.present(table)
        except StoreError as down:
            raise Refused(errors.STORE_DOWN) from down

    async def _commit(self, live: Live, step: Step) -> bool:
        """Store a step. False if somebody else was faster; then `live` has caught up."""
        expected = live.head if live.table is not None else None
        head = Head(step.table.version, self._entropy(8))
        try:
            missed = await self._store.commit(self._sealed(step, expected, head))
        except StoreError as down:
            live.stale = True
            log.error("store_down", table=live.id, error=str(down))
            raise Refused(errors.STORE_DOWN, after_ms=1000) from down
        except BaseException:
            live.stale = True
            raise
        if missed is not None:
            self._catch_up(live, missed, missed.head.version - len(missed.entries))
            return False
        known = live.head.version >= head.version
        live.stale = False
        live.accept(step, head)
        if not known:
            self._advanced(live, step)
        return True

    def _sealed(self, step: Step, expected: Head | None, head: Head) -> Commit:
        table, entry = step.table, step.entry
        now, grace = entry.at, self._store.grace_until()

        def frame(viewer: int | None) -> Callable[[], bytes]:
            return lambda: encoded_view(view(table, viewer, now, grace, entry.by, happened(step.transitions, viewer)))

        views = [(seat.player, frame(index)) for index, seat in enumerate(table.seats) if seat.player is not None]
        return Commit(
            table=table.id,
            expected=expected,
            head=head,
            entry=encode_entry(entry),
            views=[*views, (PUBLIC, frame(None))],
            deadline=deadline(table),
            listing=listing(table),
            wants=wants(table),
            finished=table.ended,
        )

    async def _refresh(self, live: Live) -> None:
        """Catch up with the store. The caller holds the lock."""
        since = live.head.version if live.table is not None else 0
        try:
            found = await self._load(live.id, since)
        except Refused:
            if live.table is None:
                self._lives.pop(live.id, None)
            raise
        if since and not _follows(live.head, found):
            since, found = 0, await self._load(live.id, 0)
        self._catch_up(live, found, since)

    def _catch_up(self, live: Live, found: Log, since: int) -> None:
        try:
            steps = live.catch_up(found, since)
        except (Impossible, EngineError, NewerEntry) as wrong:
            live.stale = True
            log.error("log_unreadable", table=live.id, error=str(wrong))
            raise Refused(errors.INTERNAL, str(wrong) if isinstance(wrong, NewerEntry) else None) from wrong
        for step in steps:
            self._advanced(live, step)

    async def _load(self, table: str, since: int) -> Log:
        try:
            found = await self._store.load(table, since)
        except StoreError as down:
            raise Refused(errors.STORE_DOWN, after_ms=1000) from down
        if found is None:
            raise Refused(errors.NO_SUCH_TABLE)
        return found

    def _fold(self, table: Table | None, data: bytes, id: str) -> Step:
        try:
            return fold(table, decode_entry(data), id)
        except (Impossible, EngineError, NewerEntry) as wrong:
            log.error("log_unreadable", table=id, error=str(wrong))
            raise Refused(errors.INTERNAL) from wrong


def _by(by: By, made: tuple[AnyAct, ...]) -> By:
    return "minder" if any(isinstance(act, Moved) and act.minder for act in made) else by


def _seat(table: Table, cause: Cause | None) -> int | None:
    return table.seat_of(cause.player) if cause is not None else None


def _follows(head: Head, found: Log) -> bool:
    """Whether a log read from `head` on can be the continuation of what ended there."""
    gained = found.head.version - head.version
    return gained == len(found.entries) and (gained > 0 or found.head == head)
