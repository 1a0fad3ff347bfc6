"""What docker-compose.yml describes, as plain processes: their commands and files are those of docker-compose.yml."""

import asyncio
import shutil
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import yaml

from tests.end_to_end.processes import Server
from tests.server.store.redis_server import RedisServer, free_port
from tests.server.store.redis_steps import until

ROOT = Path(__file__).parents[2]
SERVERS = ("server-1", "server-2")
SERVER_PORT = 8765
HOUSE_KEY = "one key for all of them"


def compose() -> dict[str, Any]:
    """What docker-compose.yml says."""
    return dict(yaml.safe_load((ROOT / "docker-compose.yml").read_text()))


def nginx() -> str | None:
    """Where nginx is installed, if it is; Debian has it where only root looks."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


class Balancer:
    """nginx with the configuration of docker-compose.yml; only addresses are others.

    Attributes:
        http: its address.
    """

    def __init__(self, folder: Path, servers: dict[str, int]) -> None:
        port = free_port()
        self.http = f"http://127.0.0.1:{port}"
        self._folder = folder
        self._process: Process | None = None
        mounted, _, _ = compose()["services"]["balancer"]["volumes"][0].partition(":")
        text = (ROOT / mounted).read_text()
        for name, server in servers.items():
            text = _replaced(text, f"{name}:{SERVER_PORT}", f"127.0.0.1:{server}")
        text = _replaced(text, "listen 80;", f"listen 127.0.0.1:{port};")
        folder.mkdir()
        (folder / "nginx.conf").write_text(text)

    @property
    def ws(self) -> str:
        return self.http.replace("http", "ws") + "/ws"

    async def start(self) -> None:
        program = nginx()
        assert program is not None
        command = compose()["services"]["balancer"]["command"]
        places = {"/tmp/": f"{self._folder}/", "/etc/nginx/nginx.conf": f"{self._folder}/nginx.conf"}
        arguments = [places.get(argument, argument) for argument in command[1:]]
        self._process = await asyncio.create_subprocess_exec(program, *arguments, stdout=DEVNULL, stderr=PIPE)
        assert self._process.stderr is not None
        self._said = asyncio.create_task(self._process.stderr.read())
        await until((self._folder / "nginx.pid").exists)

    def reload(self) -> None:
        """What `nginx -s reload` does."""
        assert self._process is not None
        self._process.send_signal(signal.SIGHUP)

    async def stop(self) -> str:
        """End it as Docker does, and return what it said."""
        assert self._process is not None
        self._process.send_signal(signal.SIGQUIT)
        async with asyncio.timeout(10):
            assert await self._process.wait() == 0
        return (await self._said).decode()


def _replaced(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, old
    return text.replace(old, new)


class Topology:
    """Redis, two servers, and the balancer in front of them."""

    def __init__(self, redis: RedisServer, servers: list[Server], balancer: Balancer) -> None:
        self.redis = redis
        self.servers = servers
        self.balancer = balancer


@asynccontextmanager
async def topology(folder: Path) -> AsyncIterator[Topology]:
    """All of them, for the length of a test."""
    services = compose()["services"]
    async with AsyncExitStack() as stack:
        redis = RedisServer(folder / "redis", *services["redis"]["command"][1:]).start()
        stack.callback(redis.stop)
        servers: list[Server] = []
        for name in SERVERS:
            server = Server(
                redis.url,
                *_further_options(services[name]["command"]),
                "--no-bots",
                *("--rate", "1000", "--burst", "1000"),
                BIGTOP_HOUSE_KEY=HOUSE_KEY,
                XDG_DATA_HOME=str(folder / name),
            )
            await server.start()
            stack.push_async_callback(server.stop)
            servers.append(server)
        ports = {name: int(server.http.rpartition(":")[2]) for name, server in zip(SERVERS, servers, strict=True)}
        balancer = Balancer(folder / "nginx", ports)
        await balancer.start()
        stack.push_async_callback(balancer.stop)
        yield Topology(redis, servers, balancer)


def _further_options(command: list[str]) -> list[str]:
    """What `bigtop serve` is told in docker-compose.yml, besides addresses."""
    options = command[1:]
    for name in ("--host", "--redis", "--metrics-host", "--metrics-port"):
        at = options.index(name)
        del options[at : at + 2]
    return options
