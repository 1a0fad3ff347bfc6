"""Runs the application with uvicorn, and ends it in order.

The stop, which takes at most the sum of the times below:

    1. no new connections; the hub takes no new tables and tells its peers that the server is going away
    2. every connection is closed after what it was sent; who does not read is cut off
    3. the hub stops and closes the store

A second signal ends the process at once. Nothing acknowledged is lost by that: it is stored.
"""

import asyncio
import contextlib
import os
import signal
import socket
from collections.abc import Awaitable, Callable, Generator
from types import FrameType

import structlog
import uvicorn

from protocol.values import MAX_FRAME_BYTES
from server.faults import fault
from server.hub.peer import Hub
from server.web.app import build_app
from server.web.protocols import WebSocketProtocol, http_protocol
from server.web.site import Site
from server.web.sockets import SocketOptions, Sockets

log = structlog.get_logger()

DRAIN_SECONDS = 2.0
CLOSE_SECONDS = 2.0
CUT_SECONDS = 0.5
HTTP_SECONDS = 1
HUB_SECONDS = 2.5
PING_SECONDS = 20.0
RECONNECT_MS = 2000
"""When clients are told to come back, if nobody else serves them meanwhile."""
SEND_BUFFER_BYTES = 64 * 1024
"""Of the operating system, for each connection; else it keeps megabytes of old views for whoever does not read."""


class Server(uvicorn.Server):
    """uvicorn's server with another order of stopping."""

    def __init__(
        self, config: uvicorn.Config, hub: Hub, sockets: Sockets, reconnect_ms: int, on_started: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._hub = hub
        self._sockets = sockets
        self._reconnect_ms = reconnect_ms
        self._on_started = on_started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        self._sockets.refuse()
        told = self._hub.drain("The server stops or restarts.", self._reconnect_ms)
        await _within(DRAIN_SECONDS, told, "tell its peers")
        self._sockets.close()
        if not await _within(CLOSE_SECONDS, self._sockets.wait_empty(), None):
            self._sockets.cut()
            await _within(CUT_SECONDS, self._sockets.wait_empty(), "let go of its connections")
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Handle signals without raising them again afterwards, so that a stop that was asked for ends with 0."""
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self.should_exit:
            os._exit(128 + sig)
        self.should_exit = True


def listen(host: str, port: int) -> socket.socket:
    """A socket that connections already can be made to. Raises `OSError`."""
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listener = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        listener.bind(address)
        listener.listen(2048)
    except OSError:
        listener.close()
        raise
    return listener


async def run(
    hub: Hub,
    listener: socket.socket,
    options: SocketOptions,
    on_started: Callable[[], None] = lambda: None,
    *,
    site: Site | None = None,
    reconnect_ms: int = RECONNECT_MS,
) -> None:
    """Serve until a signal comes. The hub has been started; it is stopped in the end.

    Args:
        site: the web client, if there is one.
        reconnect_ms: when clients are told to come back after a stop; 0 where other processes serve them meanwhile.
    """
    sockets = Sockets(hub, options)
    config = uvicorn.Config(
        build_app(hub, sockets, options.public_url, site),
        http=http_protocol(),
        ws=WebSocketProtocol,
        # A frame that is only a little too large is closed with the protocol's own code, others with 1009.
        ws_max_size=4 * MAX_FRAME_BYTES,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        ws_per_message_deflate=False,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=HTTP_SECONDS,
    )
    sweeper = asyncio.create_task(sockets.keep_sweeping())
    try:
        await Server(config, hub, sockets, reconnect_ms, on_started).serve([listener])
    finally:
        sweeper.cancel()
        await _within(HUB_SECONDS, hub.stop(), "close its store")


async def _within(seconds: float, work: Awaitable[None], task: str | None) -> bool:
    """Whether `work` came to its end in time. What fails on the way out is logged, and the stop goes on."""
    try:
        async with asyncio.timeout(seconds):
            await work
    except TimeoutError:
        if task:
            log.error("stop_takes_too_long", task=task, seconds=seconds)
        return False
    except Exception as wrong:
        log.error("stop_failed", task=task, fault=fault(wrong))
        return False
    return True
