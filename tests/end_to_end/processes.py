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

    Attributes:
        http: its address.
        ws: where clients connect.
    """

    def __init__(self, store: Path | None, *options: str) -> None:
        self._options = ("--memory", *options) if store is None else ("--store", str(store), *options)
        self._process: Process | None = None
        self._port = "0"
        self.http = ""

    @property
    def ws(self) -> str:
        return self.http.replace("http", "ws") + "/ws"

    async def start(self) -> None:
        """Start it and wait until it listens."""
        self._process = await bigtop("serve", "--port", self._port, *self._options)
        assert self._process.stdout is not None
        async with asyncio.timeout(60):
            printed = ""
            while not (found := _LISTENING.search(printed)):
                line = await self._process.stdout.readline()
                assert line, f"the server ended: {printed}"
                printed += line.decode()
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
        assert self._process is not None
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text().split()
        return int(children[0]) if children else None

    async def stop(self) -> tuple[int, str]:
        """Ask it to stop. Returns its exit code and what else it printed."""
        assert self._process is not None
        if self._process.returncode is None:
            self._process.send_signal(signal.SIGTERM)
        code = await self._process.wait()
        return code, (await self._drain).decode()


@asynccontextmanager
async def serving(store: Path | None = None, *options: str) -> AsyncIterator[Server]:
    """A server for the length of a test."""
    server = Server(store, *options)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()
