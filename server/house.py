"""The house bots: a process of its own that sits down where a bot is asked for. It is started again when it ends."""

import asyncio
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import structlog

from server.ending import end

log = structlog.get_logger()

KEY_VARIABLE = "BIGTOP_HOUSE_KEY"
URL_VARIABLE = "BIGTOP_URL"
THINK_VARIABLE = "BIGTOP_THINK_MS"
THINK_MS = 700
"""How long a house bot waits before each move, so that people can follow; the environment may say otherwise."""
FIRST_DELAY = 0.5
LONGEST_DELAY = 30.0
STEADY_SECONDS = 60.0
"""After how long a process counts as having worked, so that the next one is started soon."""
STOP_SECONDS = 1.5

COMMAND = (
    *(sys.executable, "-m", "clients.command", "bot"),
    *("--serve", "--levels", "greedy,random", "--until-stdin-closes"),
)
"""Its standard input is a pipe from the server: when the server dies, however it does, the pipe closes and the bot
ends, too."""


def delays() -> Iterator[float]:
    """How long to wait before each new start, in seconds."""
    delay = FIRST_DELAY
    while True:
        yield delay
        delay = min(delay * 2, LONGEST_DELAY)


class HouseBots:
    """Keeps the process running.

    The bots keep who they are in `token_file`, so that after a restart they return to their seats.
    """

    def __init__(self, url: str, key: str, command: Sequence[str] = COMMAND, *, token_file: Path | None = None) -> None:
        self._command = [*command, *(("--token-file", str(token_file)) if token_file else ())]
        self._environment = {THINK_VARIABLE: str(THINK_MS), **os.environ, URL_VARIABLE: url, KEY_VARIABLE: key}
        self._task: asyncio.Task[None] | None = None
        self.process: asyncio.subprocess.Process | None = None

    def start(self) -> None:
        """Start the process, and a task that starts it again."""
        self._task = asyncio.create_task(self._keep_running())

    async def stop(self) -> None:
        """End the process and wait until it is gone."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        if self.process is not None:
            await end(self.process, STOP_SECONDS)

    async def _keep_running(self) -> None:
        loop = asyncio.get_running_loop()
        pause = delays()
        while True:
            started = loop.time()
            code = await self._run_once()
            if loop.time() - started > STEADY_SECONDS:
                pause = delays()
            delay = next(pause)
            log.warning("house_bots_ended", code=code, again_in_s=delay)
            await asyncio.sleep(delay)

    async def _run_once(self) -> int | str:
        try:
            self.process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.DEVNULL,
                env=self._environment,
                start_new_session=True,  # an interrupt from the terminal is for the server, which then ends the bots
            )
        except OSError as error:
            return f"an error ({error.strerror})"
        return await self.process.wait()
