"""What uvicorn's protocols do not bound: peers that send nothing, that do not read, and that never end.

Below the ASGI interface a connection can outlive its application: a transport that is closed first writes what is
buffered, and a peer that does not read keeps it waiting for ever. These classes end such connections.
"""

from asyncio import BaseTransport, TimerHandle
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame
from websockets.http11 import Request
from websockets.protocol import State

from server.web import framing
from server.web.limiter import TokenBucket

REQUEST_BYTES = 16 * 1024
"""How large an HTTP request may be, head and body together."""
REQUEST_SECONDS = 10.0
"""How long an HTTP request may take to come."""
ANSWER_SECONDS = 20.0
"""How long the answer may take."""
IDLE_SECONDS = 5.0
"""How long there may be no HTTP request after an answer."""
PLAIN_CONNECTIONS = 1000
"""How many connections there may be that are no WebSockets."""
CLOSE_SECONDS = 2.0
"""How long the peer may take to answer a close frame."""
LINGER_SECONDS = 3.0
"""How long a connection may last after its end, for what is still to be written; longer than `CLOSE_SECONDS`."""
NO_CLOSE = 1006
"""The code of a connection that ended without one."""
IDLE_FRAMES_PER_SECOND = 20.0
IDLE_FRAMES_BURST = 200.0
"""How many frames may come that bring no message: pings, pongs and pieces of messages."""


class HttpProtocol(HttpToolsProtocol):
    """HTTP; a connection ends unless it brings one request of a decent size after the other, each of them in time.

    Use it by way of `http_protocol`.
    """

    plain: ClassVar[dict["HttpProtocol", None]]
    """All connections but those that have become WebSockets, oldest first."""
    _timer: TimerHandle | None = None
    _in_request = False
    _request_bytes = 0

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)  # type: ignore[arg-type]  # uvicorn narrows it to a Transport
        self.plain[self] = None
        self._end_after(REQUEST_SECONDS)
        if len(self.plain) > PLAIN_CONNECTIONS:
            # The newest may be about to become a WebSocket.
            oldest = next(iter(self.plain))
            del self.plain[oldest]
            oldest.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._let_go()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        self._let_go()
        super().handle_websocket_upgrade()

    def data_received(self, data: bytes) -> None:
        """Let uvicorn parse only what may belong to a request; it would keep whatever comes."""
        while data and not self.transport.is_closing() and self.transport.get_protocol() is self:
            room = REQUEST_BYTES - self._request_bytes
            if room <= 0:
                self.transport.abort()
                return
            self._request_bytes += len(data[:room])
            super().data_received(data[:room])
            data = data[room:]

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_request = True
        self._end_after(REQUEST_SECONDS)

    def on_message_complete(self) -> None:
        self._in_request = False
        self._request_bytes = 0
        self._end_after(ANSWER_SECONDS)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self._in_request:
            self._end_after(ANSWER_SECONDS if self.pipeline else IDLE_SECONDS)

    def _end_after(self, seconds: float) -> None:
        """Nothing that the peer sends puts this off but the next step of a request."""
        if self._timer is not None:
            self._timer.cancel()
        if self in self.plain:
            self._timer = self.loop.call_later(seconds, self._end)

    def _end(self) -> None:
        self.transport.close()
        self._timer = self.loop.call_later(LINGER_SECONDS, self.transport.abort)

    def _let_go(self) -> None:
        self.plain.pop(self, None)
        if self._timer is not None:
            self._timer.cancel()


def http_protocol() -> type[HttpProtocol]:
    """The protocol for one server, which counts its connections."""

    class Counted(HttpProtocol):
        plain: ClassVar[dict[HttpProtocol, None]] = {}

    return Counted


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """WebSocket; the application finds it as `transport` in the state of its scope.

    Whole binary messages, which are nearly all that ever comes, are read here, and messages are written here: each of
    the layers between the application and its socket would cost more than a move does. All other frames (pieces of
    messages, text, pings, closes, and whatever breaks the rules) go their usual way.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.close_timeout = CLOSE_SECONDS
        self._idle_frames = TokenBucket(IDLE_FRAMES_PER_SECOND, IDLE_FRAMES_BURST)
        self._cuts_frames = True
        self._rest = b""

    def write(self, message: bytes | str) -> bool:
        """Send a whole message, if the peer is there and reads; returns whether that is so."""
        if not self.writable.is_set() or self.conn.state is not State.OPEN or self.transport.is_closing():
            return False
        self.transport.write(framing.frame(message))
        return True

    async def read(self) -> bytes | str | int:
        """The next whole message, or the code that the connection ended with."""
        event: Any = await self.queue.get()
        if self.read_paused and self.queue.empty():
            self.read_paused = False
            self.transport.resume_reading()
        if isinstance(event, dict):
            return int(event.get("code", NO_CLOSE))
        message: bytes | str = event
        return message

    def release(self) -> None:
        """Let a write that waits for the peer go on, so that a close frame can follow it."""
        self.writable.set()

    def abort(self) -> None:
        """End the connection at once, whatever is still to be written."""
        self.transport.abort()

    async def send(self, message: Any) -> None:
        """Send, unless the connection was given up below the application, which cannot know of it."""
        await self.writable.wait()
        if self.close_sent:
            raise ClientDisconnected
        await super().send(message)

    def data_received(self, data: bytes) -> None:
        if self.conn.state is State.CONNECTING:
            # Where a frame begins can be told only if the first one comes after the handshake.
            self._cuts_frames = not self.handshake_initiated
            super().data_received(data)
            if not self.handshake_initiated:  # it came as a whole, but is not to be read
                self.transport.abort()
        elif self._cuts_frames:
            self._cut_frames(self._rest + data)
        else:
            super().data_received(data)

    def _cut_frames(self, data: bytes) -> None:
        at = 0
        while not self.transport.is_closing():
            end, message = framing.cut(data, at, self.config.ws_max_size)
            if not end:
                break
            if message is not None and not self.frames and self.conn.state is State.OPEN:
                self._take(message)
            else:
                super().data_received(data[at:end])
            at = end
        self._rest = data[at:]

    def send_receive_event_to_app(self) -> None:
        """Take a message that has come to its end."""
        data, self.frames = b"".join(self.frames), []
        if self.close_sent or self.curr_msg_data_type == "bytes":
            self._take(data)
            return
        try:
            self._take(data.decode())
        except UnicodeDecodeError:
            if self.conn.close_sent is None:
                self.conn.send_close(CloseCode.INVALID_DATA)
            self.handle_parser_exception()

    def _take(self, message: bytes | str) -> None:
        """Keep a message for `read`; while it has to wait behind others, nothing more is read from the peer."""
        if self.close_sent:
            return
        self.queue.put_nowait(message)  # type: ignore[arg-type]  # `read` gives it out, not ASGI's `receive`
        if not self.read_paused and self.queue.qsize() > 1:
            self.read_paused = True
            self.transport.pause_reading()

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["state"]["transport"] = self

    def handle_ping(self) -> None:
        """Answer, but not to a peer that does not read the answers: they would pile up."""
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()
        self._count_idle_frame()

    def handle_pong(self, event: Frame) -> None:
        super().handle_pong(event)
        self._count_idle_frame()

    def handle_cont(self, event: Frame) -> None:
        super().handle_cont(event)
        self._count_idle_frame()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._tell_disconnected()

    def eof_received(self) -> None:
        self._tell_disconnected()

    def on_task_complete(self, task: Any) -> None:
        super().on_task_complete(task)
        self.loop.call_later(LINGER_SECONDS, self.transport.abort)

    def _tell_disconnected(self) -> None:
        """End the application now: the transport may never come to tell it."""
        self.queue.put_nowait({"type": "websocket.disconnect", "code": 1006})

    def _count_idle_frame(self) -> None:
        if not self._idle_frames.take(self.loop.time()):
            self.transport.abort()
