"""Many steps, one transaction: how `SqliteStore` pays once for making sure."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Thread

from server.store.base import StoreError
from server.store.sqlite_writer import Step

SWITCH_INTERVAL = 0.0001
"""After how many seconds the writing thread demands the interpreter lock from the event loop.

A busy loop lets go of the lock at every turn, and has it back before the thread is awake. The thread begins to demand
it only after waiting so long without a turn: with Python's 5 ms, a loop with shorter turns kept it away for seconds.
"""

Waiting = list[tuple[Step, asyncio.Future[object]]]


class GroupCommit:
    """Gathers steps and has a thread write them.

    Args:
        write: does all steps in one durable transaction and returns what each results in, or raises and changes
            nothing. Called in the thread.
        stored: told of each step with its result, in order, when it is durable and before its caller hears of it.

    Attributes:
        transactions: how many have been written.
    """

    def __init__(self, write: Callable[[Sequence[Step]], list[object]], stored: Callable[[Step, object], None]) -> None:
        # For the whole process, and for good: whoever writes in a thread needs it.
        sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH_INTERVAL))
        self.transactions = 0
        self._write = write
        self._stored = stored
        self._loop = asyncio.get_running_loop()
        self._waiting: Waiting = []
        self._batches: SimpleQueue[Waiting] = SimpleQueue()
        self._thread = Thread(target=self._write_batches, name="store-write", daemon=True)
        self._thread.start()
        self._closed = False
        self._idle = asyncio.Event()
        self._idle.set()

    async def submit(self, step: Step) -> object:
        """Write a step and return its result. It is written, and `stored` told, even if the caller goes away."""
        if self._closed:
            raise StoreError("the store is closed")
        future = self._loop.create_future()
        self._waiting.append((step, future))
        if self._idle.is_set():
            self._idle.clear()
            # The other tasks that run in this turn of the loop get in too.
            self._loop.call_soon(self._start)
        return await future

    async def close(self) -> None:
        """Take no more steps and finish those that are under way."""
        self._closed = True
        await self._idle.wait()
        self._batches.put([])
        self._thread.join()

    def _start(self) -> None:
        batch, self._waiting = self._waiting, []
        self._batches.put(batch)

    def _write_batches(self) -> None:
        """What the thread does: an executor would do more for each batch than this does."""
        while batch := self._batches.get():
            self._write_batch(batch)

    def _write_batch(self, batch: Waiting) -> None:
        try:
            results = self._write([step for step, _ in batch])
        except Exception as error:
            self._loop.call_soon_threadsafe(self._fail, batch, error)
        else:
            self._loop.call_soon_threadsafe(self._succeed, batch, results)

    def _succeed(self, batch: Waiting, results: list[object]) -> None:
        self.transactions += 1
        for (step, future), result in zip(batch, results, strict=True):
            self._stored(step, result)
            # A caller that was cancelled has cancelled the future with it.
            if not future.done():
                future.set_result(result)
        self._go_on()

    def _fail(self, batch: Waiting, error: Exception) -> None:
        for _, future in batch:
            if not future.done():
                failure = StoreError(str(error) if isinstance(error, StoreError) else f"cannot write: {error}")
                failure.__cause__ = error
                future.set_exception(failure)
        self._go_on()

    def _go_on(self) -> None:
        if self._waiting:
            # After the callers that were just told: what they write next gets in as well.
            self._loop.call_soon(self._start)
        else:
            self._idle.set()
