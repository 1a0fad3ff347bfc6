"""A server on a free port in this process, and clients that speak to it."""

import asyncio
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from types import ModuleType
from typing import Any
from unittest.mock import patch

import pytest
import uvicorn.server
import websockets
from websockets.client import ClientProtocol
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

from protocol.closing import CloseCode
from protocol.codec import SUBPROTOCOLS, MsgpackCodec, codec_for
from protocol.commands import AnyCommand, Hello
from protocol.pushes import AnyMessage, Session, Welcome
from protocol.values import SUBPROTOCOL_MSGPACK
from server.hub.peer import Hub
from server.web.run import listen, run
from server.web.site import Site
from server.web.sockets import SocketOptions
from tests.server.web.fakes import TABLE, FakeHub, view

HOUSE_KEY = "house-key-of-the-server"
OPTIONS = SocketOptions(house_key=HOUSE_KEY)
PATIENCE_SECONDS = 10.0
"""How long a test waits for what must happen."""


@dataclass
class Serving:
    """A running server.

    Attributes:
        address: without a scheme.
        hub: its hub; without a meaning if that is no fake.
        ended: its task; done once it has stopped.
        stopping: whether it was told to stop.
    """

    address: str
    hub: FakeHub
    ended: "asyncio.Task[None]"
    stopping: bool = False

    @property
    def ws(self) -> str:
        return f"ws://{self.address}/ws"

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    def signal(self, number: signal.Signals = signal.SIGTERM) -> None:
        """Tell the server to stop; a second signal would end this process."""
        assert not self.stopping
        self.stopping = True
        signal.raise_signal(number)

    async def stop(self) -> None:
        if not self.stopping:
            self.signal()
        async with asyncio.timeout(2 * PATIENCE_SECONDS):
            await self.ended


async def happens(event: asyncio.Event) -> None:
    """Wait for what must happen."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        await event.wait()


def hasty() -> ModuleType:
    """asyncio for uvicorn, which looks ten times a second whether it shall end, and whether it can: more often."""
    module = ModuleType("asyncio")
    vars(module).update(vars(asyncio) | {"sleep": lambda seconds: asyncio.sleep(seconds / 50)})
    return module


@asynccontextmanager
async def serving(
    options: SocketOptions = OPTIONS, hub: Hub | None = None, site: Site | None = None
) -> AsyncIterator[Serving]:
    """A server that is stopped in the end. No task of it is left behind."""
    hub = hub or FakeHub()
    before = asyncio.all_tasks()
    started = asyncio.Event()
    listener = listen("127.0.0.1", 0)
    await hub.start()
    with patch.object(uvicorn.server, "asyncio", hasty()):
        task = asyncio.create_task(run(hub, listener, options, on_started=started.set, site=site))
        await happens(started)
        server = Serving(f"127.0.0.1:{listener.getsockname()[1]}", hub if isinstance(hub, FakeHub) else FakeHub(), task)
        try:
            yield server
        finally:
            await server.stop()
    assert asyncio.all_tasks() == before
    assert server.hub.peers == {}


class Client:
    """A client that reads one message after the other."""

    def __init__(self, connection: websockets.ClientConnection) -> None:
        self.connection = connection
        spoken = connection.subprotocol
        self.codec = codec_for(spoken if spoken in SUBPROTOCOLS else SUBPROTOCOL_MSGPACK)

    async def say(self, command: AnyCommand) -> None:
        await self.connection.send(self.codec.encode(command))

    async def hear(self) -> AnyMessage:
        async with asyncio.timeout(PATIENCE_SECONDS):
            return self.codec.decode_message(await self.connection.recv())

    async def ask(self, command: AnyCommand) -> AnyMessage:
        await self.say(command)
        return await self.hear()

    async def hello(self, hello: Hello = Hello(id="h1")) -> Session:  # noqa: B008  # it is immutable
        assert isinstance(await self.hear(), Welcome)
        answer = await self.ask(hello)
        assert isinstance(answer, Session)
        return answer

    async def read_all(self) -> None:
        """Read to the end."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            with suppress(ConnectionClosed):
                while True:
                    await self.connection.recv()

    async def assert_closed(self, code: CloseCode) -> None:
        """The server closes, whatever it says before."""
        await self.assert_closed_with(code.code, code.name)

    async def assert_closed_with(self, code: int, reason: str) -> None:
        await self.read_all()
        assert (self.connection.close_code, self.connection.close_reason) == (code, reason)


@asynccontextmanager
async def client(server: Serving, *offered: str | None, **options: Any) -> AsyncIterator[Client]:
    """A client that offers these subprotocols (MessagePack, unless any is named; none, where that is `None`)."""
    subprotocols = [Subprotocol(name) for name in offered or (SUBPROTOCOL_MSGPACK,) if name is not None]
    async with websockets.connect(
        server.ws, subprotocols=subprotocols or None, compression=None, proxy=None, **options
    ) as connection:
        yield Client(connection)


class LazyClient:
    """A client that takes from its socket only what it is told to take, and whose socket holds little."""

    def __init__(self, sock: socket.socket, protocol: ClientProtocol) -> None:
        self._socket = sock
        self._protocol = protocol
        self.frames: list[bytes] = []

    async def send(self, data: bytes) -> None:
        """Send a binary frame."""
        self._protocol.send_binary(data)
        await self.flush()

    async def send_raw(self, data: bytes) -> None:
        """Send bytes as they are."""
        await asyncio.get_running_loop().sock_sendall(self._socket, data)

    async def ping(self, data: bytes) -> None:
        self._protocol.send_ping(data)
        await self.flush()

    async def flush(self) -> None:
        for data in self._protocol.data_to_send():
            await self.send_raw(data)

    def half_close(self) -> None:
        self._socket.shutdown(socket.SHUT_WR)

    async def read(self) -> bool:
        """Take once from the socket; false at the end."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            try:
                data = await asyncio.get_running_loop().sock_recv(self._socket, 65536)
            except ConnectionResetError:
                return False
        if not data:
            self._protocol.receive_eof()
            return False
        self._protocol.receive_data(data)
        self._keep_events()
        with suppress(OSError):
            await self.flush()
        return True

    def _keep_events(self) -> None:
        for event in self._protocol.events_received():
            if isinstance(event, Frame) and event.opcode is Opcode.BINARY:
                self.frames.append(bytes(event.data))
            elif isinstance(event, Response):
                assert event.status_code == 101

    async def read_frames(self, number: int) -> None:
        """Read until there are so many frames."""
        while len(self.frames) < number:
            assert await self.read()

    async def read_all(self) -> int | None:
        """Read to the end; the close code, if there was one."""
        while await self.read():
            pass
        received = self._protocol.close_rcvd
        return received.code if received else None


@asynccontextmanager
async def lazy_client(server: Serving) -> AsyncIterator[LazyClient]:
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sock.setblocking(False)
    with sock:
        await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", server.port))
        protocol = ClientProtocol(parse_uri(server.ws), subprotocols=[Subprotocol(SUBPROTOCOL_MSGPACK)], max_size=None)
        protocol.send_request(protocol.connect())
        lazy = LazyClient(sock, protocol)
        await lazy.flush()
        await lazy.read_frames(1)
        await lazy.send(MsgpackCodec().encode(Hello(id="h1")))
        await lazy.read_frames(2)
        yield lazy


class RawClient:
    """A client that says whatever it likes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    def say(self, data: bytes) -> None:
        self._writer.write(data)

    async def hear(self, end: bytes) -> bytes:
        """What the server says up to here."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await self._reader.readuntil(end)

    async def hear_all(self) -> bytes:
        """What the server says before it ends the connection, in whatever way."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            with suppress(ConnectionResetError):
                return await self._reader.read()
        return b""


@asynccontextmanager
async def raw_client(server: Serving) -> AsyncIterator[RawClient]:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    try:
        yield RawClient(reader, writer)
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


async def fill_buffers(server: Serving, seated: bool = False) -> None:
    """Send views until the only client's buffers are full; the last has version 100."""
    peer = server.hub.only_peer()
    for version in range(1, 101):
        peer.send_view(TABLE, version, seated, view(version, padding=100_000))
        await asyncio.sleep(0)  # lets the writer write


def lost_connections(monkeypatch: pytest.MonkeyPatch, protocol: type[Any]) -> asyncio.Event:
    """Set as soon as the server has lost a connection, however its client still holds on to it."""
    return calls(monkeypatch, protocol, "connection_lost")


def calls(monkeypatch: pytest.MonkeyPatch, protocol: type[Any], method: str) -> asyncio.Event:
    """Set as soon as the method has been called."""
    called = asyncio.Event()
    original = getattr(protocol, method)

    def tell(self: Any, *args: Any) -> None:
        original(self, *args)
        called.set()

    monkeypatch.setattr(protocol, method, tell)
    return called
