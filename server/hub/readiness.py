"""Whether the store does its work, for those who ask often and cannot wait for long."""

import asyncio
from contextlib import suppress
from typing import Final

import structlog

from server.faults import fault
from server.store.base import Store, StoreError

log = structlog.get_logger()

ANSWER_SECONDS: Final = 1.5
"""After how long the store counts as silent."""
FRESH_SECONDS: Final = 0.5
"""For how long an answer counts."""


class Readiness:
    """Asks the store, one question at a time, however many ask."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._asking: asyncio.Task[str | None] | None = None
        self._began = 0.0
        self._answered = 0.0

    async def why_not(self) -> str | None:
        """Why the store does not do its work, if it does not: a sentence that holds no secret."""
        now = asyncio.get_running_loop().time()
        if self._asking is None or (self._asking.done() and now > self._answered + FRESH_SECONDS):
            self._asking = asyncio.create_task(self._ask())
            self._began = now
        # Whoever asks while a question is under way waits only for what is left of its time.
        left = self._began + ANSWER_SECONDS - now
        if not self._asking.done():
            await asyncio.wait([self._asking], timeout=max(0.0, left))
        answered = self._asking.done() and not self._asking.cancelled()
        return self._asking.result() if answered else "the store does not answer"

    async def stop(self) -> None:
        """Ask no more."""
        if self._asking is not None:
            self._asking.cancel()
            with suppress(asyncio.CancelledError):
                await self._asking

    async def _ask(self) -> str | None:
        try:
            await self._store.check()
        except StoreError as down:
            return str(down)
        except Exception as wrong:
            log.error("internal", fault=fault(wrong))
            return "the server made a mistake"
        finally:
            self._answered = asyncio.get_running_loop().time()
        return None
