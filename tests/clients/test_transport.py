"""The WebSocket itself, over real sockets."""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosedError
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from clients.bots.playing import play_match
from clients.bots.strategies import load
from clients.client import connect
from clients.errors import BadAddress, Unreachable
from clients.transport import Lost, _nobody, dial
from protocol.codec import codec_for
from protocol.commands import Ping
from protocol.options import TableOptions
from protocol.pushes import Pong
from protocol.values import SUBPROTOCOL_MSGPACK
from tests.clients.fake import FakeServer
from tests.clients.network import listening

CODEC = codec_for(SUBPROTOCOL_MSGPACK)
PROTOCOLS = [Subprotocol(SUBPROTOCOL_MSGPACK)]


@asynccontextmanager
async def server(handler: Any, **options: Any) -> AsyncIterator[str]:
    options.setdefault("subprotocols", PROTOCOLS)
    async with serve(handler, "127.0.0.1", 0, **options) as listener:
        yield f"ws://127.0.0.1:{next(iter(listener.sockets)).getsockname()[1]}/ws"


async def test_messages_both_ways_and_no_compression() -> None:
    seen: list[object] = []

    async def handler(websocket: ServerConnection) -> None:
        assert websocket.request is not None
        seen.append(websocket.request.headers.get("Sec-WebSocket-Extensions"))
        seen.append(CODEC.decode_command(await websocket.recv()))
        await websocket.send(CODEC.encode(Pong(re="1")))
        await websocket.close(4000)

    async with server(handler) as url:
        transport = await dial(url)
        await transport.send(Ping(id="1"))
        assert await transport.receive() == Pong(re="1")
        with pytest.raises(Lost) as lost:
            await transport.receive()
        assert lost.value.code == 4000
        with pytest.raises(Lost):
            await transport.send(Ping(id="2"))
        await transport.close()
    assert seen == [None, Ping(id="1")]


async def test_what_this_client_does_not_know_is_left_out(caplog: pytest.LogCaptureFixture) -> None:
    async def handler(websocket: ServerConnection) -> None:
        await websocket.send(b"\x81\xa4kind\xa5other")
        await websocket.send(CODEC.encode(Pong(re="1")))
        await websocket.send(b"\xc1")
        await websocket.wait_closed()

    async with server(handler) as url:
        transport = await dial(url)
        assert await transport.receive() == Pong(re="1")
        assert "left out" in caplog.text
        with pytest.raises(Lost) as lost:
            await transport.receive()
        assert lost.value.code is None


@pytest.mark.parametrize(("status", "retry"), [(404, False), (403, False), (429, True), (502, True), (503, True)])
async def test_an_http_answer(status: int, retry: bool) -> None:
    def refuse(connection: ServerConnection, request: Request) -> Response:
        return connection.respond(HTTPStatus(status), "no")

    async with server(None, process_request=refuse) as url:
        with pytest.raises(Unreachable, match=f"HTTP status {status}") as caught:
            await dial(url)
    assert caught.value.retry is retry


async def test_another_protocol() -> None:
    async def handler(websocket: ServerConnection) -> None:
        await websocket.wait_closed()

    async with server(handler, subprotocols=None) as url:
        with pytest.raises(Unreachable, match="no protocol") as caught:
            await dial(url)
    assert not caught.value.retry


async def test_no_web_socket_at_all() -> None:
    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"220 mail.example\r\n")
        writer.close()

    async with await asyncio.start_server(greet, "127.0.0.1", 0) as listener:
        port = listener.sockets[0].getsockname()[1]
        with pytest.raises(Unreachable, match="does not answer as a Bigtop server"):
            await dial(f"ws://127.0.0.1:{port}/ws")


async def test_a_server_that_dies_before_the_handshake(monkeypatch: pytest.MonkeyPatch) -> None:
    async def dead(url: str, **options: object) -> None:
        raise ConnectionClosedError(None, None)

    monkeypatch.setattr("clients.transport.open_websocket", dead)
    with pytest.raises(Unreachable, match="does not answer") as caught:
        await dial("ws://127.0.0.1:1/ws")
    assert caught.value.retry


async def test_nobody_there() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"ws://127.0.0.1:{free.getsockname()[1]}/ws"
    with pytest.raises(Unreachable) as caught:
        await dial(url)
    assert str(caught.value) == f"No server answers at {url}; is one running there?"


async def test_no_tls() -> None:
    async def handler(websocket: ServerConnection) -> None:
        await websocket.wait_closed()

    async with server(handler) as url:
        with pytest.raises(Unreachable, match="does not speak TLS"):
            await dial(url.replace("ws:", "wss:"))


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (ssl.SSLCertVerificationError(), "cannot be trusted"),
        (socket.gaierror(-2, "Name or service not known"), "The host in URL cannot be found."),
        (TimeoutError(), "No server answers at URL in time."),
        (OSError("Multiple exceptions: [Errno 111]"), "No server answers at URL; is one running there?"),
    ],
)
def test_why_nobody_answers(error: OSError, sentence: str) -> None:
    if isinstance(error, ssl.SSLCertVerificationError):
        error.verify_message = "self-signed certificate"
    assert sentence in _nobody("URL", error)


async def test_no_address() -> None:
    with pytest.raises(BadAddress, match="no WebSocket address"):
        await dial("http://127.0.0.1/ws")


async def test_a_match_over_sockets_with_restarts_of_the_server() -> None:
    """Every second restart refuses connections for a moment, as a real one does."""
    fake = FakeServer()
    greedy = load("greedy")

    async def one(url: str, name: str, table: str) -> str:
        async with connect(url, name=name, bot=True) as client:
            await client.sit(table)
            return (await play_match(client, table, greedy)).reason

    async with listening(fake) as (url, listener), connect(url, name="Host") as host:
        table = (await host.create(TableOptions(seats=3), seat=None)).table
        assert table is not None
        bots = [asyncio.ensure_future(one(url, name, table)) for name in ("Ada", "Bo", "Cy")]
        restarts = 0
        async with asyncio.timeout(60):
            async for view in host.follow(table):
                if view.version > 12 * (restarts + 1) and restarts < 3:
                    restarts += 1
                    for connection in list(listener.connections):
                        await connection.close(4000)
                if view.status == "over":
                    break
            assert await asyncio.gather(*bots) == ["over"] * 3
    assert restarts == 3
