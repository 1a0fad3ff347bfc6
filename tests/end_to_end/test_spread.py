"""How connections spread over the processes that share a listening socket."""

import os
import socket
import sys
import time

import pytest

from clients.bench.load.processes import Server, cores
from clients.bench.load.wire import Link, Wire
from protocol.values import SUBPROTOCOL_MSGPACK
from tests.server.store.redis_server import DURABLE, RedisServer

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")]

CONNECTIONS = 200
WORKERS = 2
PATIENCE_SECONDS = 20.0


class Silent(Link):
    """A connection that only shakes hands."""

    def receive(self, frame: bytes) -> None:
        pass


def sockets(pid: int) -> int:
    """How many a process has open."""
    links = (f"/proc/{pid}/fd/{number}" for number in os.listdir(f"/proc/{pid}/fd"))
    return sum(os.readlink(link).startswith("socket:") for link in links)


def spread(server: Server, before: list[int]) -> list[int]:
    """How many connections each worker has, once all are accepted."""
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        found = [sockets(pid) - had for pid, had in zip(server.children(), before, strict=True)]
        if sum(found) == CONNECTIONS or time.monotonic() > end:
            return found
        time.sleep(0.05)


@pytest.mark.parametrize("burst", [True, False])
def test_no_worker_takes_them_all(burst: bool, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Neither when all come at once, nor when each comes after the other."""
    redis = RedisServer(tmp_path_factory.mktemp("redis"), *DURABLE).start()
    options = ["--no-bots", "--port", "0", "--redis", redis.url, "--workers", str(WORKERS)]
    wire = Wire()
    opened: list[socket.socket] = []
    try:
        with Server("server", ["clients.command", "serve", *options], cores()[0]) as server:
            before = [sockets(pid) for pid in server.children()]
            if burst:
                opened = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(CONNECTIONS)]
            else:
                for _ in range(CONNECTIONS):
                    Silent(wire, server.port, "/ws", SUBPROTOCOL_MSGPACK)
            found = spread(server, before)
            assert sum(found) == CONNECTIONS
            assert min(found) >= CONNECTIONS // WORKERS // 10, found
            wire.close()
            for each in opened:
                each.close()
    finally:
        redis.stop()
