"""Connections to Redis.

redis-py's own spend far more time on each command and each message than Redis does. Here the bytes of one turn of the
loop are written at once and hiredis reads the answers; a connection knows nothing of reconnecting.
"""

import asyncio
import ssl
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import hiredis
from hiredis import ProtocolError, Reader, ReplyError

from server.store.base import StoreError

Part = str | bytes | int
pack: Callable[[tuple[Part, ...]], bytes] = cast(Any, hiredis.pack_command)
"""A command as it is sent. (hiredis's own types say that a command has one part.)"""

CONNECT_SECONDS = 1.0
"""How long connecting may take, with all that belongs to it."""
COMMAND_SECONDS = 2.0
"""How long an answer may take."""


class ConnectionLost(StoreError):
    """The connection went away. Whether what was under way was done is unknown."""


@dataclass(frozen=True, slots=True)
class Access:
    """How to get in.

    Attributes:
        username: `None` for the default one.
        password: `None` if none is needed.
        database: its number.
        tls: with whose certificates to trust; `None` for an open connection.
    """

    username: str | None = None
    password: str | None = None
    database: int = 0
    tls: ssl.SSLContext | None = None

    def __repr__(self) -> str:
        return "<Access>"

    def commands(self) -> list[tuple[Part, ...]]:
        """What a new connection has to say first."""
        said: list[tuple[Part, ...]] = []
        if self.password is not None:
            said.append(("AUTH", *([self.username] if self.username is not None else []), self.password))
        if self.database:
            said.append(("SELECT", self.database))
        return [*said, ("CLIENT", "SETNAME", "bigtop")]


class Wire(asyncio.Protocol):
    """A connection.

    Attributes:
        closed: done when it is gone.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._reader = Reader()
        self._transport: asyncio.Transport | None = None
        self._out: list[bytes] = []
        self.closed: asyncio.Future[None] = self._loop.create_future()

    def write(self, data: bytes) -> None:
        """Send something, together with all else of this turn of the loop."""
        if not self._out:
            self._loop.call_soon(self._flush)
        self._out.append(data)

    def abort(self) -> None:
        """Drop the connection. What was under way fails."""
        if self._transport is not None:
            self._transport.abort()
        self.connection_lost(None)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's are none by their class.
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.closed.done():
            self.closed.set_result(None)
            self.lost()

    def data_received(self, data: bytes) -> None:
        reader = self._reader
        try:
            reader.feed(data)
            while (reply := reader.gets()) is not False:
                self.received(reply)
        except ProtocolError:
            self.abort()

    def received(self, reply: Any) -> None:
        """Take what came in."""
        raise NotImplementedError

    def lost(self) -> None:
        """The connection is gone."""
        raise NotImplementedError

    def _flush(self) -> None:
        if self._transport is not None and not self.closed.done():
            self._transport.write(self._out[0] if len(self._out) == 1 else b"".join(self._out))
        self._out.clear()


class _Call:
    __slots__ = ("count", "future", "replies", "sent")

    def __init__(self, future: asyncio.Future[Any], count: int, sent: float) -> None:
        self.future = future
        self.count = count
        self.sent = sent
        self.replies: list[Any] = []


class Link(Wire):
    """A connection for commands."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting: deque[_Call] = deque()

    def call(self, packed: bytes) -> asyncio.Future[Any]:
        """Send a command; the future holds its answer, which may be a `ReplyError`."""
        return self.call_many(packed, 1)

    def call_many(self, packed: bytes, count: int) -> asyncio.Future[Any]:
        """Send several commands; the future holds the list of their answers, or the answer if it is one."""
        if self.closed.done():
            raise ConnectionLost("the connection to the store was lost")
        future = self._loop.create_future()
        self._waiting.append(_Call(future, count, self._loop.time()))
        self.write(packed)
        return future

    async def command(self, *parts: Part) -> Any:
        """Do one command. Raises `StoreError` with Redis's own words where it refuses."""
        return good(await self.call(pack(parts)))

    @property
    def overdue(self) -> bool:
        """Whether an answer takes too long."""
        return bool(self._waiting) and self._loop.time() - self._waiting[0].sent > COMMAND_SECONDS

    @property
    def idle(self) -> bool:
        """Whether nothing is under way."""
        return not self._waiting

    def received(self, reply: Any) -> None:
        call = self._waiting[0]
        if call.count > 1:
            call.replies.append(reply)
            if len(call.replies) < call.count:
                return
            reply = call.replies
        self._waiting.popleft()
        # A caller that was cancelled has cancelled the future with it.
        if not call.future.done():
            call.future.set_result(reply)

    def lost(self) -> None:
        waiting = list(self._waiting)
        self._waiting.clear()
        for call in waiting:
            if not call.future.done():
                call.future.set_exception(ConnectionLost("the connection to the store was lost"))


def good(reply: Any) -> Any:
    """An answer. Raises `StoreError` if it is a refusal."""
    if isinstance(reply, ReplyError):
        # Redis quotes the arguments of a command that it does not know.
        raise StoreError(f"the store refuses: {str(reply).partition(', with args')[0]}")
    return reply
