"""All WebSocket connections of this process."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version

import structlog
from starlette.websockets import WebSocket, WebSocketDisconnect

from protocol.closing import FULL, GOING_AWAY, NO_SUBPROTOCOL, CloseCode
from protocol.codec import SUBPROTOCOLS, codec_for
from protocol.pushes import Limits
from protocol.values import MAX_FRAME_BYTES
from server import metrics
from server.hub.peer import Hub
from server.web.connection import Connection
from server.web.outbox import Outbox, OutboxLimits
from server.web.protocols import NO_CLOSE
from server.web.socket import Patience, Socket

log = structlog.get_logger()

SWEEP_SECONDS = 0.5
"""How often the connections are looked at for what is due."""


@dataclass(frozen=True, slots=True)
class SocketOptions:
    """What all connections have in common.

    Attributes:
        house_key: the key of the server's own bots, which no limit on commands binds.
        connections: how many there may be at once.
        commands_per_second: how many commands each may send in the long run.
        burst: how many at once.
        hello_ms: how long each may take to say hello.
        outbox: what may wait for each.
        patience: how long each may take to read.
        public_url: the address that links name, if the operator gave one.
    """

    house_key: str
    connections: int = 5000
    commands_per_second: int = 20
    burst: int = 60
    hello_ms: int = 10_000
    outbox: OutboxLimits = field(default_factory=OutboxLimits)
    patience: Patience = field(default_factory=Patience)
    public_url: str | None = None

    @property
    def limits(self) -> Limits:
        """What clients are told."""
        return Limits(
            frame_bytes=MAX_FRAME_BYTES,
            commands_per_second=self.commands_per_second,
            burst=self.burst,
            hello_ms=self.hello_ms,
        )


class Sockets:
    """Takes connections in, looks after them, and lets go of them."""

    def __init__(self, hub: Hub, options: SocketOptions, clock: Callable[[], float] = time.monotonic) -> None:
        self._hub = hub
        self._options = options
        self._clock = clock
        self._live: set[Socket] = set()
        self._draining = False
        self._empty = asyncio.Event()
        self._empty.set()
        self._server = f"bigtop/{_own_version()}"

    async def serve(self, websocket: WebSocket) -> None:
        """Serve one WebSocket from its handshake to its end."""
        offered = websocket.scope["subprotocols"]
        spoken = next((name for name in SUBPROTOCOLS if name in offered), None)
        if spoken is None:
            # A browser hides the close code unless one of the subprotocols that it offered is accepted.
            await self._turn_away(websocket, offered[0] if offered else None, NO_SUBPROTOCOL)
        elif self._draining:
            await self._turn_away(websocket, spoken, GOING_AWAY)
        elif len(self._live) >= self._options.connections:
            await self._turn_away(websocket, spoken, FULL)
        else:
            await self._run(websocket, spoken)

    def sweep(self) -> None:
        """Do what is due on every connection."""
        now = self._clock()
        for socket in list(self._live):
            socket.check(now)

    async def keep_sweeping(self) -> None:
        """Look after the connections until cancelled."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            self.sweep()

    def refuse(self) -> None:
        """Take no more connections."""
        self._draining = True

    def close(self) -> None:
        """Close all connections after what they have been sent."""
        for socket in list(self._live):
            socket.close(GOING_AWAY.code, GOING_AWAY.name)

    def cut(self) -> None:
        """End all connections at once."""
        for socket in list(self._live):
            socket.cut()

    async def wait_empty(self) -> None:
        """Wait until there is no connection."""
        await self._empty.wait()

    async def _run(self, websocket: WebSocket, subprotocol: str) -> None:
        options = self._options
        codec = codec_for(subprotocol)
        connection = Connection(
            codec, self._server, options.limits, options.house_key, self._clock(), options.public_url
        )
        outbox = Outbox(options.outbox)
        socket = Socket(websocket, codec, connection, outbox, self._hub, self._clock, options.patience)
        self._live.add(socket)
        self._empty.clear()
        metrics.connection_opened(len(self._live))
        log.info("connection_opened", connection=socket.id, subprotocol=subprotocol)
        try:
            await socket.run()
        finally:
            self._live.discard(socket)
            code = socket.ended_with or NO_CLOSE
            metrics.connection_closed(code, len(self._live))
            log.info("connection_closed", connection=socket.id, code=code)
            if not self._live:
                self._empty.set()

    async def _turn_away(self, websocket: WebSocket, subprotocol: str | None, code: CloseCode) -> None:
        """Close with a code that a browser's script can see, which it cannot of a refused handshake."""
        metrics.connection_opened(len(self._live))
        metrics.connection_closed(code.code, len(self._live))
        log.info("connection_turned_away", code=code.code)
        try:
            await websocket.accept(subprotocol)
            await websocket.close(code.code, code.name)
        except WebSocketDisconnect:
            pass


def _own_version() -> str:
    try:
        return version("bigtop")
    except PackageNotFoundError:
        return "0"
