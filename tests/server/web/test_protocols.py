"""What lies between a socket and a connection: frames in pieces, together, too early or against the rules."""

import asyncio

import pytest
from starlette.websockets import WebSocket
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

from protocol.codec import MsgpackCodec
from protocol.commands import AnyCommand, Hello, Ping
from protocol.pushes import Pong, Session, Welcome
from protocol.values import SUBPROTOCOL_MSGPACK
from server.web.protocols import WebSocketProtocol
from server.web.socket import Socket
from server.web.sockets import Sockets
from tests.server.web.serving import PATIENCE_SECONDS, calls, happens, lazy_client, serving


def framed(command: AnyCommand) -> bytes:
    return Frame(Opcode.BINARY, MsgpackCodec().encode(command)).serialize(mask=True)


PINGS = [framed(Ping(id=f"p{number}")) for number in range(3)]
PONGS = [Pong(re=f"p{number}") for number in range(3)]


async def test_many_in_one_piece_and_one_in_many() -> None:
    async with serving() as server, lazy_client(server) as eve:
        await eve.send_raw(b"".join(PINGS))
        for byte in b"".join(PINGS):
            await eve.send_raw(bytes((byte,)))
            await asyncio.sleep(0)
        await eve.read_frames(8)
        assert [MsgpackCodec().decode_message(frame) for frame in eve.frames[2:]] == 2 * PONGS


async def test_nothing_is_read_while_commands_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving() as server, lazy_client(server) as eve:
        peer = server.hub.only_peer()
        assert isinstance(peer, Socket)
        transport = peer._transport
        assert isinstance(transport, WebSocketProtocol)
        server.hub.hold = asyncio.Event()
        await eve.send_raw(PINGS[0])
        await happens(server.hub.held)
        for ping, paused in zip(PINGS[1:], (False, True), strict=True):
            read = calls(monkeypatch, WebSocketProtocol, "data_received")
            await eve.send_raw(ping)
            await happens(read)
            assert transport.read_paused == paused
        server.hub.hold.set()
        await eve.read_frames(5)
        assert not transport.read_paused
        assert [MsgpackCodec().decode_message(frame) for frame in eve.frames[2:]] == PONGS


async def test_who_speaks_before_the_handshake_is_answered_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Part of a frame is with websockets then, and so must be the rest."""
    asked, go = asyncio.Event(), asyncio.Event()
    serve = Sockets.serve

    async def slow(self: Sockets, websocket: WebSocket) -> None:
        asked.set()
        await go.wait()
        await serve(self, websocket)

    monkeypatch.setattr(Sockets, "serve", slow)
    async with serving() as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        client = ClientProtocol(parse_uri(server.ws), subprotocols=[Subprotocol(SUBPROTOCOL_MSGPACK)])
        client.send_request(client.connect())
        writer.write(b"".join(client.data_to_send()))
        await happens(asked)
        read = calls(monkeypatch, WebSocketProtocol, "data_received")
        hello = MsgpackCodec().encode(Hello(id="h1"))
        writer.write(bytes((0x82, 0x80 | len(hello), 0, 0, 0, 0)))  # not masked by chance, so that the rest is the same
        await happens(read)
        go.set()
        client.receive_data(await reader.readuntil(b"\r\n\r\n"))
        writer.write(hello + PINGS[0])
        heard: list[type] = []
        while heard[-1:] != [Pong]:
            async with asyncio.timeout(PATIENCE_SECONDS):
                client.receive_data(await reader.read(4096))
            frames = [event for event in client.events_received() if isinstance(event, Frame)]
            heard += [type(MsgpackCodec().decode_message(bytes(frame.data))) for frame in frames]
        assert heard == [Welcome, Session, Pong]
        writer.close()
        await happens(server.hub.left)


async def test_a_message_in_the_middle_of_another() -> None:
    async with serving() as server, lazy_client(server) as eve:
        await eve.send_raw(b"\x02\x80\0\0\0\0" + b"\x82\x80\0\0\0\0")
        assert await eve.read_all() == 1002


async def test_nothing_is_heard_after_a_close() -> None:
    async with serving() as server, lazy_client(server) as eve:
        await eve.send_raw(b"\x88\x80\0\0\0\0" + PINGS[0])
        await happens(server.hub.left)
        assert [type(command) for command in server.hub.commands] == [Hello]
