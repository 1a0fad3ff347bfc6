"""Changing tables: decide, commit, and when somebody else was faster, catch up and decide again."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple, TypeVar

from protocol import errors
from protocol.values import By
from server.hub.holding import Advanced, Holding
from server.hub.ids import Entropy
from server.hub.live import Answered, Live, read_answered, write_answered
from server.hub.sealing import sealed
from server.hub.telling import tell
from server.store.base import BEGINNING, GRACE_MS, Head, Present, Store
from server.table.acts import AnyAct, Cause, Closed, Moved
from server.table.compose import compose
from server.table.fold import Step
from server.table.refusal import Refused
from server.table.state import Table

T = TypeVar("T")

Decide = Callable[[Table, Present, int], tuple[AnyAct, ...]]
"""What is to happen at a table, given who is present and the store's time. May raise `Refused`."""

SETTLE_MS = 1_000
"""For how long after an outage of the store tables are left alone that this process did not know before."""

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


class Tables(Holding):
    """All tables, as far as this process needs them. Every method may raise `StoreError`."""

    def __init__(self, store: Store, entropy: Entropy, advanced: Advanced) -> None:
        super().__init__(store, advanced)
        self._entropy = entropy
        self._under_way: set[asyncio.Task[None]] = set()

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

    async def _to_its_end(self, work: Coroutine[Any, Any, T]) -> T:
        """Like `asyncio.shield`, which takes twice as many turns of the loop."""
        heard: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._begin(_tell(work, heard))
        return await heard

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def _change(self, table: str, decide: Decide, by: By, cause: Cause | None, may_be_idle: bool) -> Answer:
        while True:
            live = await self.live(table)
            async with live.lock:
                # Whoever held the lock may have found that there is no such table.
                if self._lives.get(table) is not live:
                    continue
                noting = cause if may_be_idle else None
                answer, done = await self._decide(live, decide, by, cause, noting)
                if not done and noting is not None:
                    return await self._note_idle(live, noting, answer)
                return answer

    async def _idle(self, live: Live, cause: Cause) -> Answer | None:
        """What a command was answered with that found nothing to do."""
        if live.idle is not None:
            answered = live.idle.get((cause.player, cause.id))
        else:
            noted = await self._store.intent(cause.player, _idle_key(live, cause))
            answered = read_answered(noted) if noted is not None else None
        if answered is None:
            return None
        if answered.digest != cause.digest:
            raise Refused(errors.ID_REUSED)
        if live.stale:
            await self._refresh(live)
        return Answer(_known(live), answered.version, answered.seat)

    async def _note_idle(self, live: Live, cause: Cause, answer: Answer) -> Answer:
        """Note what a command is answered with that found nothing to do; the answer, if another process had one."""
        noted = write_answered(Answered(cause.digest, answer.version, answer.seat))
        answered = read_answered(await self._store.intend(cause.player, _idle_key(live, cause), noted))
        if answered.digest != cause.digest:
            raise Refused(errors.ID_REUSED)
        if live.idle is not None:
            live.idle[cause.player, cause.id] = answered
        return Answer(answer.table, answered.version, answered.seat)

    async def _decide(
        self, live: Live, decide: Decide, by: By, cause: Cause | None, noting: Cause | None = None
    ) -> tuple[Answer, bool]:
        """Decide and commit, until it is stored or sure that there is nothing to store; and whether that is known.

        Args:
            noting: the command, if it is noted where it finds nothing to do. Another process may note that at any
                moment, so it is looked up for each state on which this one decides.
        """
        sure = self._store.exclusive
        if live.stale:
            await self._refresh(live)
            sure = True
        self._check_settled(live)
        while True:
            if live.lost:
                await self._close_lost(live)
            table = _known(live)
            if noting is not None and (idle := await self._idle(live, noting)) is not None:
                return idle, True
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

    def _check_settled(self, live: Live) -> None:
        """Raise `Refused` for a table that was first read here just after an outage of the store.

        If the store came back without its last steps, those who know of them close the table first.
        """
        if self._store.exclusive:
            return
        back = self._store.grace_until() - GRACE_MS
        left = back + SETTLE_MS - self._store.now()
        if live.loaded >= back and left > 0:
            raise Refused(errors.STORE_DOWN, after_ms=left)

    def _lost(self, live: Live) -> None:
        self._begin(_tell(self._change(live.id, _nothing, "server", None, may_be_idle=False), None))

    async def _close_lost(self, live: Live) -> None:
        """Close a table that lost steps which had been stored: what was shown of them can never be taken back."""
        table = _known(live)
        if not table.ended:
            step = compose(live.id, table, (Closed("store"),), self._store.now(), "server", None)
            if not await self._commit(live, step):
                return
        live.lost = False

    async def _create(self, table: str, made: tuple[AnyAct, ...], cause: Cause) -> Answer:
        while True:
            live = self.hold(table)
            async with live.lock:
                if self._lives.get(table) is not live:
                    continue
                if live.table is None:
                    step = compose(table, None, made, self._store.now(), "player", cause)
                    if await self._commit(live, step):
                        live.idle = {} if self._store.exclusive else None  # none yet, and this process will know of all
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
        started = live.stopwatch.start(head.version, live.audiences)
        live.making = head, step
        try:
            missed = await self._store.commit(sealed(step, expected, head, self._store.grace_until()))
        except BaseException:
            live.stale = True  # nobody knows whether it was stored
            live.stopwatch.failed()
            raise
        finally:
            live.making = None
        if missed is not None:
            live.stopwatch.lost()
            self._catch_up(live, missed, expected or BEGINNING, misses)
            return False
        live.stopwatch.stored(started)
        tell(step)
        known = live.head.version >= head.version
        live.accept(step, head)
        if expected is None:
            live.stale = live.missed != misses
        if not known:
            self._advanced(live, step)
        return True


async def _tell(work: Coroutine[Any, Any, T], heard: "asyncio.Future[T] | None") -> None:
    """Do some work, and tell what came of it if somebody still waits to hear it."""
    try:
        result = await work
    except BaseException as wrong:
        if heard is not None and not heard.done():
            heard.set_exception(wrong)
        if not isinstance(wrong, Exception):
            raise
    else:
        if heard is not None and not heard.done():
            heard.set_result(result)


def _idle_key(live: Live, cause: Cause) -> str:
    return f"{live.id} {cause.id}"


def _known(live: Live) -> Table:
    assert live.table is not None
    return live.table


def _by(by: By, made: tuple[AnyAct, ...]) -> By:
    return "minder" if any(isinstance(act, Moved) and act.minder for act in made) else by


def _seat(table: Table, cause: Cause | None) -> int | None:
    return table.seat_of(cause.player) if cause is not None else None


def _nothing(table: Table, present: Present, now: int) -> tuple[AnyAct, ...]:
    return ()
