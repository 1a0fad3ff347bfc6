"""The real thing: `bigtop` commands as processes of their own, on free ports of this machine."""

import asyncio
import os
import re
import signal
import sys
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

_LISTENING = re.compile(r"listening on (http://127\.0\.0\.1:\d+)")
STOP_SECONDS = 30.0
COMMAND = (sys.executable, "-m", "clients.command")


async def bigtop(*arguments: str, **environment: str) -> Process:
    """Start a `bigtop` command. Its output and errors can be read as one."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("BIGTOP_")}
    environment = {**inherited, "NO_COLOR": "1", "BIGTOP_THINK_MS": "0", **environment}
    return await asyncio.create_subprocess_exec(
        *COMMAND,
        *arguments,
        stdin=PIPE,
        stdout=PIPE,
        stderr=STDOUT,
        env=environment,
    )


async def output(process: Process) -> str:
    """Everything that a command prints until it ends."""
    printed, _ = await process.communicate()
    return printed.decode()


class Server:
    """A server that can be killed and started again at the same address, on the same store.

    Args:
        store: a file, the URL of a Redis, or nothing but memory.
        options: more for `bigtop serve`.
        environment: variables for it.

    Attributes:
        http: its address.
        ws: where clients connect.
    """

    def __init__(self, store: Path | str | None, *options: str, **environment: str) -> None:
        kept = ("--redis", store) if isinstance(store, str) else ("--store", str(store)) if store else ("--memory",)
        self._options = (*kept, *options)
        self._environment = environment
        self._process: Process | None = None
        self._port = "0"
        self.http = ""

    @property
    def ws(self) -> str:
        return self.http.replace("http", "ws") + "/ws"

    async def start(self) -> None:
        """Start it and wait until it listens."""
        self._process = await bigtop("serve", "--port", self._port, *self._options, **self._environment)
        assert self._process.stdout is not None
        try:
            async with asyncio.timeout(60):
                printed = ""
                while not (found := _LISTENING.search(printed)):
                    line = await self._process.stdout.readline()
                    assert line, f"the server ended: {printed}"
                    printed += line.decode()
        except BaseException:
            if self._process.returncode is None:
                self._process.kill()
            raise
        self.http = found[1]
        self._port = self.http.rpartition(":")[2]
        self._drain = asyncio.create_task(self._process.stdout.read())

    async def kill(self) -> None:
        """End it as a power cut would."""
        assert self._process is not None
        self._process.kill()
        await self._process.wait()
        await self._drain

    def house_bots(self) -> int | None:
        """The process id of its house bots, while they run."""
        return next(iter(self.children()), None)

    def children(self) -> list[int]:
        """The process ids of its workers and house bots."""
        return [int(pid) for pid in Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()]

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    async def stop(self) -> tuple[int, str]:
        """Ask it to stop; whatever becomes of that, it ends. Returns its exit code and what else it printed."""
        assert self._process is not None
        if self._process.returncode is None:
            self._process.send_signal(signal.SIGTERM)
        return await self.ended()

    async def ended(self) -> tuple[int, str]:
        """Wait until it has ended, which is not for ever. Returns its exit code and what else it printed."""
        assert self._process is not None
        try:
            async with asyncio.timeout(STOP_SECONDS):
                code = await self._process.wait()
        except TimeoutError:
            self._process.kill()
            raise
        return code, (await self._drain).decode()


@asynccontextmanager
async def serving(store: Path | str | None = None, *options: str, **environment: str) -> AsyncIterator[Server]:
    """A server for the length of a test."""
    server = Server(store, *options, **environment)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()
