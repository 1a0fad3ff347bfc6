"""Virtual time: the loop's clock jumps to the next timer as soon as nothing else is left to do."""

import asyncio
import functools
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec

P = ParamSpec("P")

EPOCH_MS = 1_700_000_000_000
"""What the store's clock shows when a loop begins."""


class _Selector(selectors.DefaultSelector):
    """Waits by moving the clock."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready:
            if timeout is None:
                raise RuntimeError("everything waits, and nothing will ever happen")
            self.now += max(0.0, timeout)
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """A loop in which an hour passes as fast as what happens in it can be computed."""

    def __init__(self) -> None:
        self._virtual = _Selector()
        super().__init__(self._virtual)

    def time(self) -> float:
        return self._virtual.now


def clock() -> int:
    """The store's time, tied to that of the running loop."""
    return EPOCH_MS + round(asyncio.get_running_loop().time() * 1000)


def virtual(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Run a test in virtual time. What a background task leaves behind fails it."""

    @functools.wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        troubles: list[dict[str, Any]] = []
        with asyncio.Runner(loop_factory=VirtualLoop) as runner:
            runner.get_loop().set_exception_handler(lambda _, context: troubles.append(context))
            runner.run(test(*args, **kwargs))
        assert not troubles, troubles

    return run


async def pass_time(seconds: float) -> None:
    """Let that much virtual time pass."""
    await asyncio.sleep(seconds)


async def calm(turns: int = 50) -> None:
    """Let everything happen that happens at this moment: background work that needs no time."""
    for _ in range(turns):
        await asyncio.sleep(0)
