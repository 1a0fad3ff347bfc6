"""Changing tables: decide, commit, and when somebody else was faster, catch up and decide again."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple, TypeVar

import structlog

from protocol import errors
from protocol.values import By
from server.hub.faults import fault
from server.hub.ids import Entropy
from server.hub.live import Answered, Live, read_answered, write_answered
from server.hub.sealing import sealed
from server.store.base import Head, Log, Present, Store
from server.table.acts import AnyAct, Cause, Moved, NewerEntry, decode_entry
from server.table.compose import compose
from server.table.fold import Step, fold
from server.table.refusal import Refused
from server.table.state import Table

log = structlog.get_logger()

T = TypeVar("T")

Decide = Callable[[Table, Present, int], tuple[AnyAct, ...]]
"""What is to happen at a table, given who is present and the store's time. May raise `Refused`."""

Advanced = Callable[[Live, Step], None]
"""Told of every step of a table that is held in memory here."""

KEPT_STEPS = 64
"""Of how many tables the steps are kept for `events` and records."""
BREATH = 20
"""After so many entries of a log others have their turn."""

NOBODY = Present({}, frozenset(), 0, None)


class Answer(NamedTuple):
    """What a change of a table came to.

    Attributes:
        table: the table after it, or a later state of it.
        version: the version that the command made, or found where it had nothing to change.
        seat: the player's seat then.
    """

    table: Table
    version: int
    seat: int | None


class Tables:
    """All tables, as far as this process needs them. Every method may raise `StoreError`."""

    def __init__(self, store: Store, entropy: Entropy, advanced: Advanced) -> None:
        self._store = store
        self._entropy = entropy
        self._advanced = advanced
        self._lives: dict[str, Live] = {}
        self._under_way: set[asyncio.Task[Any]] = set()
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
        found = await self._store.load(table, 0)
        if found is None or not found.entries:
            raise Refused(errors.NO_SUCH_TABLE)
        current: Table | None = None
        steps: list[Step] = []
        for data in found.entries:
            try:
                steps.append(fold(current, decode_entry(data), table))
            except Exception as wrong:
                raise _unreadable(table, wrong) from None
            current = steps[-1].table
            if len(steps) % BREATH == 0:
                await asyncio.sleep(0)
        return steps

    async def answered(self, table: str, cause: Cause) -> bool:
        """Whether a command to a table was answered before. Raises `Refused` if it was another one with the same id."""
        try:
            live = await self.live(table, sure=True)
        except Refused as refused:
            if refused.code is errors.NO_SUCH_TABLE:
                return False
            raise
        return (self._answer(live, cause) or await self._idle(live, cause)) is not None

    async def change(
        self, table: str, decide: Decide, *, by: By = "player", cause: Cause | None = None, may_be_idle: bool = True
    ) -> Answer:
        """Do at a table what `decide` says, exactly once for each cause. Raises `Refused`.

        A refusal counts only if it was decided on the newest state of the table, and so does that there is nothing to
        do. What was begun is brought to its end, even if whoever asked goes away.

        Args:
            may_be_idle: the command may find that there is nothing to do. That leaves no entry, so it is noted in the
                store: a late repeat must not do then what the first try did not.
        """
        return await self._to_its_end(self._change(table, decide, by, cause, may_be_idle))

    async def create(self, table: str, made: tuple[AnyAct, ...], cause: Cause) -> Answer:
        """Create a table; if it is there already, by the same cause, that is the answer."""
        return await self._to_its_end(self._create(table, made, cause))

    async def settle(self) -> None:
        """Wait for the changes that are under way."""
        while self._under_way:
            await asyncio.wait(self._under_way)

    def on_entry(self, table: str, head: Head, data: bytes) -> None:
        """A table that is followed here has changed (`server.store.base.OnEntry`)."""
        live = self._lives.get(table)
        if live is None or head.version < live.head.version or head == live.head:
            return
        if head.version != live.head.version + 1:
            _miss(live)
            return
        try:
            step = fold(live.table, decode_entry(data), table)
        except Exception as wrong:
            _unreadable(table, wrong)
            _miss(live)
            return
        live.accept(step, head)
        self._advanced(live, step)

    def _behind(self, live: Live, sure: bool) -> bool:
        return live.stale or (sure and not self._store.exclusive)

    async def _to_its_end(self, work: Coroutine[Any, Any, T]) -> T:
        task = asyncio.ensure_future(work)
        self._under_way.add(task)
        task.add_done_callback(self._ended)
        return await asyncio.shield(task)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._under_way.discard(task)
        if not task.cancelled():
            task.exception()  # whoever waits for it gets it, too, if anybody still does

    async def _change(self, table: str, decide: Decide, by: By, cause: Cause | None, may_be_idle: bool) -> Answer:
        while True:
            live = await self.live(table)
            async with live.lock:
                # Whoever held the lock may have found that there is no such table.
                if self._lives.get(table) is not live:
                    continue
                idle = await self._idle(live, cause) if cause is not None and may_be_idle else None
                if idle is not None:
                    return idle
                answer, done = await self._decide(live, decide, by, cause)
                if not done and cause is not None and may_be_idle:
                    noted = Answered(cause.digest, answer.version, answer.seat)
                    await self._store.intend(cause.player, _idle_key(live, cause), write_answered(noted))
                return answer

    async def _idle(self, live: Live, cause: Cause) -> Answer | None:
        """What a command was answered with that found nothing to do."""
        noted = await self._store.intent(cause.player, _idle_key(live, cause))
        if noted is None:
            return None
        answered = read_answered(noted)
        if answered.digest != cause.digest:
            raise Refused(errors.ID_REUSED)
        if live.stale:
            await self._refresh(live)
        return Answer(_known(live), answered.version, answered.seat)

    async def _decide(self, live: Live, decide: Decide, by: By, cause: Cause | None) -> tuple[Answer, bool]:
        """Decide and commit, until it is stored or sure that there is nothing to store; and whether it is stored."""
        sure = self._store.exclusive
        if live.stale:
            await self._refresh(live)
            sure = True
        while True:
            table = _known(live)
            present = await self._present(table)
            if live.table is not table:
                continue  # the news of a step came in; from here to the commit nothing can
            now = self._store.now()
            made: tuple[AnyAct, ...] = ()
            try:
                known = self._answer(live, cause)
                if known is not None:
                    return known, True
                made = decide(table, present, now)
            except Refused:
                if sure:
                    raise
            if made:
                step = compose(live.id, table, made, now, _by(by, made), cause, present.here)
                if await self._commit(live, step):
                    return Answer(step.table, step.table.version, _seat(step.table, cause)), True
            elif sure:
                return Answer(table, table.version, _seat(table, cause)), False
            else:
                await self._refresh(live)
            sure = True

    async def _create(self, table: str, made: tuple[AnyAct, ...], cause: Cause) -> Answer:
        while True:
            live = self.hold(table)
            async with live.lock:
                if self._lives.get(table) is not live:
                    continue
                if live.table is None:
                    step = compose(table, None, made, self._store.now(), "player", cause)
                    if await self._commit(live, step):
                        return Answer(step.table, step.table.version, _seat(step.table, cause))
                if live.stale:
                    await self._refresh(live)
                known = self._answer(live, cause)
                return known or Answer(_known(live), _known(live).version, _seat(_known(live), cause))

    def _answer(self, live: Live, cause: Cause | None) -> Answer | None:
        """What a command was answered with that has been carried out already."""
        found = live.answered.get((cause.player, cause.id)) if cause is not None else None
        if found is None or cause is None:
            return None
        if found.digest != cause.digest:
            raise Refused(errors.ID_REUSED)
        return Answer(_known(live), found.version, found.seat)

    async def _present(self, table: Table) -> Present:
        """Who is here, where it can matter: for the end of a break, and for votes at tables without a limit."""
        if table.status == "break" or (table.begun and table.options.move_seconds is None):
            return await self._store.present(table.id)
        return NOBODY

    async def _commit(self, live: Live, step: Step) -> bool:
        """Store a step. False if somebody else was faster; then `live` has caught up."""
        expected = live.head if live.table is not None else None
        head = Head(step.table.version, self._entropy(8))
        misses = live.missed
        try:
            missed = await self._store.commit(sealed(step, expected, head, self._store.grace_until()))
        except BaseException:
            live.stale = True  # nobody knows whether it was stored
            raise
        if missed is not None:
            self._catch_up(live, missed, missed.head.version - len(missed.entries), misses)
            return False
        known = live.head.version >= head.version
        live.accept(step, head)
        if expected is None:
            live.stale = live.missed != misses
        if not known:
            self._advanced(live, step)
        return True

    async def _refresh(self, live: Live) -> None:
        """Catch up with the store. The caller holds the lock."""
        misses, head = live.missed, live.head
        since = head.version if live.table is not None else 0
        found = await self._store.load(live.id, since)
        if found is not None and since and not _follows(head, found):
            since, head = 0, live.head
            found = await self._store.load(live.id, 0)
        overtaken = since == 0 and live.head != head
        self._catch_up(live, found, since, misses)
        live.stale = live.stale or overtaken

    def _catch_up(self, live: Live, found: Log | None, since: int, misses: int) -> None:
        """Take over what the store has; `misses` is how many entries had been missed when it was asked."""
        if found is None or found.head.version == 0:
            live.stale = True
            if not live.attachments:
                self._lives.pop(live.id, None)
            raise Refused(errors.NO_SUCH_TABLE)
        try:
            steps = live.catch_up(found, since)
        except Exception as wrong:
            live.stale = True
            raise _unreadable(live.id, wrong) from None
        live.stale = live.missed != misses
        for step in steps:
            self._advanced(live, step)


def _idle_key(live: Live, cause: Cause) -> str:
    return f"{live.id} {cause.id}"


def _miss(live: Live) -> None:
    live.stale = True
    live.missed += 1


def _known(live: Live) -> Table:
    assert live.table is not None
    return live.table


def _unreadable(table: str, wrong: Exception) -> Refused:
    """What to answer at a table whose log this process cannot read."""
    log.error("log_unreadable", table=table, fault=fault(wrong))
    return Refused(errors.INTERNAL, str(wrong) if isinstance(wrong, NewerEntry) else None)


def _by(by: By, made: tuple[AnyAct, ...]) -> By:
    return "minder" if any(isinstance(act, Moved) and act.minder for act in made) else by


def _seat(table: Table, cause: Cause | None) -> int | None:
    return table.seat_of(cause.player) if cause is not None else None


def _follows(head: Head, found: Log) -> bool:
    """Whether a log read from `head` on can be the continuation of what ended there."""
    gained = found.head.version - head.version
    return gained == len(found.entries) and (gained > 0 or found.head == head)
