"""Several processes that serve one address and one Redis: started, watched, exchanged one by one, and ended together.

They share the listening socket, so that a connection goes to whichever of them is free, and none is refused while one
of them is exchanged. SIGHUP exchanges them all, one after the other; each new one is a new program, so that this is how
a new version comes into service.
"""

import asyncio
import os
import signal
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress

import structlog

from server.house import KEY_VARIABLE, delays
from server.metrics_page import Folder
from server.serving import StartError

log = structlog.get_logger()

COMMAND = (sys.executable, "-m", "server.commands.worker")
LISTENER_VARIABLE = "BIGTOP_LISTENER"
"""Tells a worker which open file is the listening socket."""
READY = "ready"
"""What a worker says once it serves; else it says why it cannot."""
START_SECONDS = 60.0
STEADY_SECONDS = 5.0
"""After how long a process counts as having worked, so that the next one is started at once."""
STOP_SECONDS = 10.0


class Workers:
    """The processes.

    Args:
        count: how many.
        argv: the arguments of `bigtop serve`.
        house_key: what lets the house bots in.
        listener: where connections come in.
        command: what to run, before the arguments.
        folder: where they keep their metrics, if these are wanted.
    """

    def __init__(
        self,
        count: int,
        argv: Sequence[str],
        house_key: str,
        listener: socket.socket,
        command: Sequence[str] = COMMAND,
        folder: Folder | None = None,
    ) -> None:
        self._command = (*command, *argv)
        self._listener = listener.fileno()
        self._environment = {**os.environ, KEY_VARIABLE: house_key, LISTENER_VARIABLE: str(self._listener)}
        self._folder = folder
        if folder is not None:
            self._environment |= folder.environment()
        self._burying: set[asyncio.Task[None]] = set()
        self._places = [_Place(number, self._start) for number in range(count)]
        self._stopping = asyncio.Event()
        self._exchanging: asyncio.Task[None] | None = None

    @property
    def pids(self) -> list[int]:
        """The processes that serve now."""
        return [place.process.pid for place in self._places if place.process is not None]

    async def run(self, on_started: Callable[[], None]) -> None:
        """Serve until SIGTERM or SIGINT comes. Raises `StartError` if none of them can start."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop, number)
        loop.add_signal_handler(signal.SIGHUP, self._exchange)
        keepers: list[asyncio.Task[None]] = []
        try:
            # The first one alone: what keeps it from starting is said once.
            for places in (self._places[:1], self._places[1:]):
                await asyncio.gather(*(place.fill() for place in places))
            keepers = [asyncio.create_task(place.keep()) for place in self._places]
            on_started()
            await self._stopping.wait()
        finally:
            for task in (*keepers, *([self._exchanging] if self._exchanging else ())):
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
            await asyncio.gather(*(place.empty() for place in self._places))
            await asyncio.gather(*self._burying)
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                loop.remove_signal_handler(number)

    def _stop(self, number: int) -> None:
        if self._stopping.is_set():
            for place in self._places:
                place.kill()
            os._exit(128 + number)
        self._stopping.set()

    def _exchange(self) -> None:
        if self._exchanging is None or self._exchanging.done():
            self._exchanging = asyncio.create_task(self._exchange_all())

    async def _exchange_all(self) -> None:
        for place in self._places:
            try:
                await place.exchange()
            except StartError as error:
                log.error("exchange_failed", worker=place.number, reason=str(error))
                return
        log.info("exchanged", workers=len(self._places))

    async def _start(self) -> Process:
        """A process that serves."""
        try:
            process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=PIPE,
                stdout=PIPE,
                env=self._environment,
                pass_fds=(self._listener,),
                start_new_session=True,  # an interrupt from the terminal is for this process, which then ends them
            )
        except OSError as error:
            raise StartError(f"Cannot start a worker: {error.strerror}.") from error
        if self._folder is not None:
            burying = asyncio.create_task(_bury(process, self._folder))
            self._burying.add(burying)
            burying.add_done_callback(self._burying.discard)
        assert process.stdout is not None
        try:
            async with asyncio.timeout(START_SECONDS):
                said = await process.stdout.readline()
        except BaseException as error:
            await _end(process)
            if isinstance(error, TimeoutError):
                raise StartError("A worker did not begin to serve in time.") from None
            raise
        if said.decode().strip() != READY:
            await _end(process)
            raise StartError(said.decode().strip() or "A worker could not start.")
        return process


class _Place:
    """Where one process belongs.

    Attributes:
        number: counts from 0.
        process: the one that serves.
    """

    def __init__(self, number: int, start: Callable[[], Awaitable[Process]]) -> None:
        self.number = number
        self.process: Process | None = None
        self._start = start
        self._pause: Iterator[float] = delays()

    async def fill(self) -> None:
        """Start its process."""
        self.process = await self._start()

    async def keep(self) -> None:
        """Start another process whenever the one that serves has ended."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        while True:
            process = self.process
            if process is not None:
                code = await process.wait()
                if process is not self.process:
                    began = loop.time()
                    continue
                self.process = None
                log.warning("worker_ended", worker=self.number, pid=process.pid, code=code)
            if loop.time() - began > STEADY_SECONDS:
                self._pause = delays()
            else:
                await asyncio.sleep(next(self._pause))
            began = loop.time()
            try:
                await self.fill()
            except StartError as error:
                log.error("worker_not_started", worker=self.number, reason=str(error))

    async def exchange(self) -> None:
        """Have another process serve, and end the one that did. Raises `StartError`; then that one goes on."""
        new = await self._start()
        old, self.process = self.process, new
        if old is not None:
            await _end(old)

    async def empty(self) -> None:
        """End its process."""
        if self.process is not None:
            await _end(self.process)

    def kill(self) -> None:
        """End its process at once."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                self.process.kill()


async def _bury(process: Process, folder: Folder) -> None:
    """What a process had when it ended is in no metric any more."""
    await process.wait()
    folder.died(process.pid)


async def _end(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.terminate()
        try:
            async with asyncio.timeout(STOP_SECONDS):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()
