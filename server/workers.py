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

from server.ending import end
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
        self._wanted = asyncio.Event()

    @property
    def pids(self) -> list[int]:
        """The processes that serve now."""
        return [place.process.pid for place in self._places if place.process is not None]

    async def run(self, on_started: Callable[[], None]) -> None:
        """Serve until SIGTERM or SIGINT comes. Raises `StartError` if one of them cannot start."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop, number)
        loop.add_signal_handler(signal.SIGHUP, self._wanted.set)
        serving = asyncio.create_task(self._serve(on_started))
        stopping = asyncio.create_task(self._stopping.wait())
        try:
            await asyncio.wait((serving, stopping), return_when=asyncio.FIRST_COMPLETED)
            if serving.done():
                serving.result()
        finally:
            serving.cancel()
            stopping.cancel()
            await asyncio.gather(serving, stopping, return_exceptions=True)
            await asyncio.gather(*(place.empty() for place in self._places))
            await asyncio.gather(*self._burying)
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                loop.remove_signal_handler(number)

    async def _serve(self, on_started: Callable[[], None]) -> None:
        # The first one alone: what keeps it from starting is said once.
        await self._places[0].fill()
        for result in await asyncio.gather(*(place.fill() for place in self._places[1:]), return_exceptions=True):
            if result is not None:
                raise result
        on_started()
        async with asyncio.TaskGroup() as group:
            for place in self._places:
                group.create_task(place.keep())
            group.create_task(self._exchange_when_wanted())

    def _stop(self, number: int) -> None:
        if self._stopping.is_set():
            for place in self._places:
                place.kill()
            os._exit(128 + number)
        self._stopping.set()

    async def _exchange_when_wanted(self) -> None:
        while True:
            await self._wanted.wait()
            # Whoever asks again meanwhile may have put a newer program in place: they are all exchanged again.
            self._wanted.clear()
            try:
                for place in self._places:
                    await place.exchange()
            except StartError as error:
                log.error("exchange_failed", worker=place.number, reason=str(error))
            else:
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
            await end(process, STOP_SECONDS)
            if isinstance(error, TimeoutError):
                raise StartError("A worker did not begin to serve in time.") from None
            raise
        if said.decode().strip() != READY:
            await end(process, STOP_SECONDS)
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
        self._leaving: Process | None = None
        self._start = start
        self._filling = asyncio.Lock()
        self._pause: Iterator[float] = delays()

    async def fill(self) -> None:
        """Start its process, unless there is one."""
        async with self._filling:
            if self.process is None:
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
        async with self._filling:
            new = await self._start()
            self._leaving, self.process = self.process, new
        if self._leaving is not None:
            await end(self._leaving, STOP_SECONDS)
            self._leaving = None

    async def empty(self) -> None:
        """End its process, and the one that it took over from."""
        await asyncio.gather(
            *(end(process, STOP_SECONDS) for process in (self.process, self._leaving) if process is not None)
        )

    def kill(self) -> None:
        """End them at once."""
        for process in (self.process, self._leaving):
            if process is not None:
                with suppress(ProcessLookupError):
                    process.kill()


async def _bury(process: Process, folder: Folder) -> None:
    """What a process had when it ended is in no metric any more."""
    await process.wait()
    folder.died(process.pid)
