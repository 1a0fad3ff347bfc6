"""Ways to the fake server: in memory, and over a real socket."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from clients.client import Client
from clients.dialogue import Who
from clients.transport import Lost
from protocol.codec import codec_for
from protocol.commands import AnyCommand
from protocol.pushes import AnyMessage
from protocol.values import SUBPROTOCOL_MSGPACK
from tests.clients.fake import FakeServer, Link
from tests.clients.script import WELCOME


class Wire:
    """A connection to the fake server in memory."""

    def __init__(self, network: "Network") -> None:
        self._network = network
        self._queue: asyncio.Queue[AnyMessage | Lost] = asyncio.Queue()
        self.link = Link(self._queue.put_nowait)
        self._gone: Lost | None = None
        self._queue.put_nowait(WELCOME)

    async def send(self, command: AnyCommand) -> None:
        if self._gone is not None:
            raise self._gone
        await self._network.carry(self, command)

    async def receive(self) -> AnyMessage:
        message = await self._queue.get()
        if isinstance(message, Lost):
            raise message
        return message

    async def close(self) -> None:
        self.lose(None)

    def lose(self, code: int | None) -> None:
        if self._gone is None:
            self._gone = Lost(code)
            self._network.server.links.discard(self.link)
            self._network.wires.discard(self)
            self._queue.put_nowait(self._gone)


class Network:
    """Connects clients with a fake server. Every so many commands all connections break, before or after one."""

    def __init__(self, server: FakeServer, *, break_every: int = 0) -> None:
        self.server = server
        self.wires: set[Wire] = set()
        self.breaks = 0
        self._carried = 0
        self._break_every = break_every

    async def carry(self, wire: Wire, command: AnyCommand) -> None:
        self._carried += 1
        breaks = self._break_every and self._carried % self._break_every == 0
        self.breaks += bool(breaks)
        if not breaks or self.breaks % 2:
            self.server.handle(wire.link, command)
        if breaks:
            self.restart()
        await asyncio.sleep(0)  # gives way, as a socket would

    def restart(self, code: int | None = 4000) -> None:
        for wire in list(self.wires):
            wire.lose(code)

    async def dial(self, url: str) -> Wire:
        wire = Wire(self)
        self.wires.add(wire)
        return wire

    def client(self, name: str = "Ada", *, bot: bool = True, **options: Any) -> Client:
        return Client("ws://memory/ws", Who(name=name, bot=bot), dial=self.dial, sleep=no_sleep, **options)


async def no_sleep(seconds: float) -> None:
    await asyncio.sleep(0)  # gives way, as a real sleep would


@asynccontextmanager
async def listening(server: FakeServer) -> AsyncIterator[tuple[str, Server]]:
    """The fake server on a free loopback port."""
    codec = codec_for(SUBPROTOCOL_MSGPACK)

    async def serve_one(websocket: ServerConnection) -> None:
        outbox: asyncio.Queue[AnyMessage] = asyncio.Queue()
        link = Link(outbox.put_nowait)
        outbox.put_nowait(WELCOME)

        async def write() -> None:
            while True:
                await websocket.send(codec.encode(await outbox.get()))

        writer = asyncio.ensure_future(write())
        try:
            async for frame in websocket:
                server.handle(link, codec.decode_command(frame))
        finally:
            server.links.discard(link)
            writer.cancel()
            with suppress(asyncio.CancelledError, ConnectionClosed):
                await writer

    protocols = [Subprotocol(SUBPROTOCOL_MSGPACK)]
    async with serve(serve_one, "127.0.0.1", 0, subprotocols=protocols, compression=None) as listener:
        port = next(iter(listener.sockets)).getsockname()[1]
        yield f"ws://127.0.0.1:{port}/ws", listener
