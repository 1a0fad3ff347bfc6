"""The rig: a Redis of its own, and servers on it that stand for several machines, all of them real processes."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

from tests.end_to_end.processes import Server
from tests.server.store.proxy import Proxy
from tests.server.store.redis_server import DURABLE, RedisServer

PATIENCE_SECONDS = 60.0
"""How long a site may take to be whole again."""
POLL_SECONDS = 0.05
NO_LIMITS = ("--no-bots", "--rate", "1000", "--burst", "1000")
SHIFTED = Path(__file__).parent / "shifted_clock"


class Site:
    """A Redis, a machine with several workers that share an address, and machines that reach Redis over a proxy.

    Args:
        folder: where Redis's data and the servers' logs lie.
        workers: how many processes share the first address; 0 for no such machine.
        shifts: for each other machine, by how many seconds its clock is wrong.

    Attributes:
        count: how many processes share the first address.
        redis: the store.
        workers: the machine with several workers; `None` if there is none.
        machines: the others.
        proxies: what stands between each of these and Redis.
    """

    def __init__(self, folder: Path, workers: int, shifts: tuple[int, ...]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.redis = RedisServer(folder / "redis", *DURABLE)
        self.proxies = [Proxy(self.redis.port) for _ in shifts]
        self.workers: Server | None = None
        self.machines: list[Server] = []
        self.count = workers
        self._whole = 0
        self._shifts = shifts

    @property
    def addresses(self) -> list[str]:
        """Where clients connect, the machine with workers first."""
        return [server.ws for server in self.servers]

    @property
    def servers(self) -> list[Server]:
        """All machines, the one with workers first."""
        return [*([self.workers] if self.workers else []), *self.machines]

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Site"]:
        """The site for the length of a test; whatever happens, all its processes end."""
        async with AsyncExitStack() as stack:
            stack.callback(self.redis.stop)
            await asyncio.to_thread(self.redis.start)
            if self.count:
                self.workers = Server(self.redis.url, "--workers", str(self.count), *NO_LIMITS)
            for proxy, shift in zip(self.proxies, self._shifts, strict=True):
                await stack.enter_async_context(proxy)
                self.machines.append(Server(proxy.url, *NO_LIMITS, **_shifted(shift)))
            for server in self.servers:
                await server.start()
                stack.push_async_callback(self._stop, server)
            self._whole = self._connections()
            yield self

    async def whole(self) -> None:
        """Wait until every process serves: until all are connected to Redis as at first, the last thing before that."""
        await self.until(lambda: self._connections() == self._whole)

    async def until(self, reached: Callable[[], bool]) -> None:
        """Wait for something to come true. Raises `TimeoutError`."""
        for _ in range(int(PATIENCE_SECONDS / POLL_SECONDS)):
            if await asyncio.to_thread(reached):
                return
            await asyncio.sleep(POLL_SECONDS)
        raise TimeoutError

    def _connections(self) -> int:
        try:
            clients = self.redis.command("CLIENT", "LIST")
        except OSError:
            return 0
        return sum(b" name=bigtop " in line for line in clients.splitlines())

    async def _stop(self, server: Server) -> None:
        children = server.children()
        try:
            _, printed = await server.stop()
            (self.folder / f"server-{server.http.rpartition(':')[2]}.log").write_text(printed)
        finally:
            for pid in children:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


def _shifted(seconds: int) -> dict[str, str]:
    path = os.pathsep.join(filter(None, (str(SHIFTED), os.environ.get("PYTHONPATH"))))
    return {"PYTHONPATH": path, "BIGTOP_TEST_CLOCK_SHIFT": str(seconds)} if seconds else {}
