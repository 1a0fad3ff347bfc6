"""The shell between a WebSocket and the hub: all that `server.web` does with asyncio for one connection.

One task reads and one writes. The reader hands commands to the hub one after the other and ends when the peer is gone;
the writer ends after the close frame. Nobody else waits for the socket: what it does not take at once goes into the
outbox, and from there the writer brings it to the socket.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from secrets import token_hex
from typing import Protocol

import structlog
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketDisconnected

from protocol.closing import INTERNAL, TOO_SLOW, CloseCode
from protocol.codec import Codec, MsgpackCodec
from protocol.commands import AnyCommand
from protocol.pushes import AnyMessage
from server import metrics
from server.faults import fault
from server.hub.peer import Hub
from server.web.connection import Close, Connection, Dispatch, Phase, Reply
from server.web.outbox import Outbox

log = structlog.get_logger()
_pack = MsgpackCodec().encode


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a socket waits for its peer, in seconds.

    Attributes:
        write: for one frame to be taken, before the peer counts as dead.
        close: for what was sent before a close to be taken.
    """

    write: float = 20.0
    close: float = 3.0


class Transport(Protocol):
    """What lies below the WebSocket, and takes and gives whole messages."""

    def write(self, message: bytes | str) -> bool:
        """Write a message, if it can be written at once; returns whether it could."""

    async def read(self) -> bytes | str | int:
        """The next message, or the code that the connection ended with."""

    def release(self) -> None:
        """Let a write that waits for the peer go on."""

    def abort(self) -> None:
        """End the connection at once."""


class Socket:
    """One connection; the hub knows it as a `Peer`.

    Attributes:
        ended_with: the code that it was closed with, by whoever was first.
    """

    def __init__(
        self,
        websocket: WebSocket,
        codec: Codec,
        connection: Connection,
        outbox: Outbox,
        hub: Hub,
        clock: Callable[[], float],
        patience: Patience,
    ) -> None:
        self.id = token_hex(8)
        self._websocket = websocket
        self._transport: Transport = websocket.scope["state"]["transport"]
        self._codec = codec
        self._connection = connection
        self._outbox = outbox
        self._hub = hub
        self._clock = clock
        self._patience = patience
        self._wake = asyncio.Event()
        self._writer_at_work = False
        self._known_to_hub = False
        self._task: asyncio.Task[None] | None = None
        self._cut = False
        self._writing_since: float | None = None
        self._closing_since: float | None = None
        self._close = (INTERNAL.code, INTERNAL.name)
        self.ended_with: int | None = None

    def send(self, message: AnyMessage) -> None:
        if self._closing_since is None:
            packed = _pack(message)
            if not self._write_at_once(packed):
                if self._outbox.put(packed):
                    self._leave_to_writer()
                else:
                    self._give_up(TOO_SLOW)

    def send_view(self, table: str, version: int, seated: bool, frame: bytes) -> None:
        if self._closing_since is None:
            if not self._writer_at_work and (not self._outbox.pass_view(table, version) or self._write_at_once(frame)):
                return
            self._outbox.put_view(table, version, seated, frame, self._clock())
            self._leave_to_writer()

    def send_latest(self, key: str, message: AnyMessage) -> None:
        if self._closing_since is None:
            packed = _pack(message)
            if not self._write_at_once(packed):
                self._outbox.put_latest(key, packed)
                self._leave_to_writer()

    def close(self, code: int, reason: str) -> None:
        if self._closing_since is None:
            self._close = (code, reason)
            self.ended_with = self.ended_with or code
            self._closing_since = self._clock()
            self._connection.closing()
            self._wake.set()

    def cut(self) -> None:
        """End the connection at once, and the command that the hub may be carrying out."""
        self._cut = True
        self._transport.abort()
        if self._task is not None:
            self._task.cancel()

    def check(self, now: float) -> None:
        """Do what is due because time has passed."""
        if self._closing_since is not None:
            if now > self._closing_since + self._patience.close:
                self._transport.abort()
            return
        action = self._connection.tick(now)
        if isinstance(action, Close):
            self._give_up(action.code)
        elif self._outbox.overdue(now) or self._write_overdue(now):
            self._give_up(TOO_SLOW)

    async def run(self) -> None:
        """Serve the connection to its end."""
        await self._websocket.accept(self._codec.subprotocol)
        self.send(self._connection.welcome)
        self._task = asyncio.current_task()
        writer = asyncio.create_task(self._write())
        try:
            if not await self._read():
                await writer
        except asyncio.CancelledError:
            if not self._cut:
                raise
        finally:
            self._task = None
            writer.cancel()
            await asyncio.wait([writer])
            self.close(INTERNAL.code, INTERNAL.name)  # from here on whatever is sent is dropped
            if self._known_to_hub:
                await self._hub.gone(self)

    async def _read(self) -> bool:
        """Read until the peer is gone (true) or the connection is being closed (false)."""
        while self._connection.phase is not Phase.CLOSING:
            message = await self._transport.read()
            if isinstance(message, int):
                self.ended_with = self.ended_with or message
                return True
            action = self._connection.receive(message, self._clock())
            match action:
                case Dispatch(command):
                    await self._handle(command)
                case Reply(error):
                    metrics.message_refused(error.code)
                    self.send(error)
                    await asyncio.sleep(0)  # the writer gets its turn, however fast the peer sends
                case Close(code):
                    self.close(code.code, code.name)
        return False

    async def _handle(self, command: AnyCommand) -> None:
        self._known_to_hub = True
        try:
            await self._hub.handle(self, command)
        except Exception as wrong:
            log.error("internal", connection=self.id, kind=metrics.kind_of(command), fault=fault(wrong))
            self.close(INTERNAL.code, INTERNAL.name)

    def _write_at_once(self, packed: bytes) -> bool:
        """Write, unless something else has to be written first or the peer does not take it; else the writer will."""
        if self._writer_at_work:
            return False
        try:
            return self._transport.write(self._codec.from_msgpack(packed))
        except Exception as wrong:
            log.error("internal", connection=self.id, fault=fault(wrong))
            self._transport.abort()
            return True

    def _leave_to_writer(self) -> None:
        self._writer_at_work = True
        self._wake.set()

    async def _write(self) -> None:
        try:
            while True:
                packed = self._outbox.take()
                if packed is not None:
                    await self._write_frame(packed)
                elif self._closing_since is not None:
                    await self._websocket.close(*self._close)
                    return
                else:
                    self._writer_at_work = False
                    self._wake.clear()
                    await self._wake.wait()
        except (WebSocketDisconnect, WebSocketDisconnected):
            pass  # the reader hears of it, too
        except Exception as wrong:
            log.error("internal", connection=self.id, fault=fault(wrong))
            self._transport.abort()

    async def _write_frame(self, packed: bytes) -> None:
        self._writing_since = self._clock()
        frame = self._codec.from_msgpack(packed)
        if isinstance(frame, str):
            await self._websocket.send_text(frame)
        else:
            await self._websocket.send_bytes(frame)
        self._writing_since = None

    def _write_overdue(self, now: float) -> bool:
        return self._writing_since is not None and now > self._writing_since + self._patience.write

    def _give_up(self, code: CloseCode) -> None:
        """Close without waiting for what was sent before, which the peer does not take."""
        self._outbox.clear()
        self.close(code.code, code.name)
        self._transport.release()
