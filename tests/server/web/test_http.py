"""What can be read over plain HTTP."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import suppress

import httpx
import pytest

from server.web import protocols
from server.web.app import build_app
from server.web.http import SECURITY_HEADERS
from server.web.sockets import Sockets
from tests.server.web.fakes import TABLE, TOKEN, FakeHub
from tests.server.web.serving import OPTIONS, Serving, client, happens, lost_connections, serving

OTHER_TABLE = "s" * 12


@pytest.fixture
def hub() -> FakeHub:
    return FakeHub()


@pytest.fixture
async def http(hub: FakeHub) -> AsyncIterator[httpx.AsyncClient]:
    app = build_app(hub, Sockets(hub, OPTIONS))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://scout.test") as client:
        yield client


class TestHealth:
    async def test_it_is_healthy_whatever_the_store_does(self, http: httpx.AsyncClient, hub: FakeHub) -> None:
        hub.trouble = "The disk is full."
        answer = await http.get("/health")
        assert (answer.status_code, answer.text) == (200, "ok\n")

    async def test_it_is_ready(self, http: httpx.AsyncClient) -> None:
        answer = await http.get("/ready")
        assert (answer.status_code, answer.text) == (200, "ok\n")

    async def test_it_says_why_it_is_not_ready(self, http: httpx.AsyncClient, hub: FakeHub) -> None:
        hub.trouble = "The disk is full."
        answer = await http.get("/ready")
        assert (answer.status_code, answer.text) == (503, "The disk is full.\n")


class TestTables:
    async def test_the_lobby(self, http: httpx.AsyncClient) -> None:
        answer = await http.get("/tables")
        assert answer.headers["content-type"] == "application/json"
        assert answer.json() == {"kind": "lobby", "re": None, "tables": []}

    async def test_without_a_store(self, http: httpx.AsyncClient, hub: FakeHub) -> None:
        hub.trouble = "The disk is full."
        answer = await http.get("/tables")
        assert answer.status_code == 503
        assert "disk" not in answer.text


class TestRecords:
    async def test_a_public_one(self, http: httpx.AsyncClient) -> None:
        answer = await http.get(f"/records/{TABLE}")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        assert answer.text == '[Game "scout"]\n'

    @pytest.mark.parametrize("scheme", ["Bearer", "bearer"])
    async def test_a_private_one(self, http: httpx.AsyncClient, scheme: str) -> None:
        answer = await http.get(f"/records/{OTHER_TABLE}", headers={"Authorization": f"{scheme} {TOKEN}"})
        assert (answer.status_code, answer.text) == (200, "private\n")

    @pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer x", f"Basic {TOKEN}", f"Bearer {TOKEN} "])
    async def test_not_without_a_token(self, http: httpx.AsyncClient, header: str | None) -> None:
        headers = {} if header is None else {"Authorization": header}
        assert (await http.get(f"/records/{OTHER_TABLE}", headers=headers)).status_code == 404

    async def test_a_token_in_the_address_opens_nothing(self, http: httpx.AsyncClient) -> None:
        assert (await http.get(f"/records/{OTHER_TABLE}?token={TOKEN}")).status_code == 404

    @pytest.mark.parametrize("table", ["x", "T" * 12, "t" * 13, "t" * 11 + "é", "t" * 12 + "%0a"])
    async def test_what_is_no_table(self, http: httpx.AsyncClient, hub: FakeHub, table: str) -> None:
        hub.trouble = "It is not even asked."
        assert (await http.get(f"/records/{table}")).status_code == 404

    async def test_without_a_store(self, http: httpx.AsyncClient, hub: FakeHub) -> None:
        hub.trouble = "The disk is full."
        assert (await http.get(f"/records/{TABLE}")).status_code == 503


class TestPages:
    async def test_the_first_page(self, http: httpx.AsyncClient) -> None:
        answer = await http.get("/")
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert "bigtop watch --bots 4 http://scout.test<" in answer.text

    @pytest.mark.parametrize("command", ["play", "watch", "bot"])
    async def test_an_invitation(self, http: httpx.AsyncClient, command: str) -> None:
        answer = await http.get(f"/t/{TABLE}")
        assert f"<code>bigtop {command} http://scout.test/t/{TABLE}</code>" in answer.text

    async def test_an_invitation_to_a_private_table(self, http: httpx.AsyncClient) -> None:
        answer = await http.get(f"/t/{TABLE}?invite=abcd-efgh")
        assert f"<code>bigtop play 'http://scout.test/t/{TABLE}?invite=abcd-efgh'</code>" in answer.text

    async def test_an_invite_code_that_is_none(self, http: httpx.AsyncClient) -> None:
        answer = await http.get(f"/t/{TABLE}?invite=<script>")
        assert "script" not in answer.text

    async def test_what_is_no_table(self, http: httpx.AsyncClient) -> None:
        assert (await http.get("/t/<script>")).status_code == 404

    async def test_the_address_that_players_use(self, hub: FakeHub) -> None:
        app = build_app(hub, Sockets(hub, OPTIONS), "https://scout.example.org")
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://inside") as client:
            assert f"https://scout.example.org/t/{TABLE}<" in (await client.get(f"/t/{TABLE}")).text

    async def test_a_host_that_is_html(self, http: httpx.AsyncClient) -> None:
        answer = await http.get("/", headers={"Host": "<script>"})
        assert "<script>" not in answer.text


@pytest.mark.parametrize("path", ["/", "/health", "/tables", f"/t/{TABLE}", "/nowhere", f"/records/{OTHER_TABLE}"])
async def test_every_answer_has_the_security_headers(http: httpx.AsyncClient, path: str) -> None:
    answer = await http.get(path)
    for name, value in SECURITY_HEADERS:
        assert answer.headers.get_list(name.decode()) == [value.decode()]


@pytest.mark.parametrize("path", ["/", "/tables", "/ws"])
async def test_nothing_can_be_posted(http: httpx.AsyncClient, path: str) -> None:
    assert (await http.post(path)).status_code in (404, 405)


async def get(server: Serving, target: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"GET " + target + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return answer


class TestOverTheWire:
    async def test_it_does_not_tell_what_it_is_made_of(self) -> None:
        async with serving() as server:
            answer = await get(server, b"/health")
            assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
            assert b"\r\nserver:" not in answer.lower()

    async def test_nothing_is_logged(self, caplog: pytest.LogCaptureFixture) -> None:
        async with serving() as server:
            await get(server, b"/records/x?token=secret")
            await get(server, b"/ws?token=secret")
        assert "secret" not in caplog.text

    async def test_a_request_that_never_ends(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(protocols, "REQUEST_SECONDS", 0.05)
        lost = lost_connections(monkeypatch, protocols.HttpProtocol)
        async with serving() as server:
            _, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(b"GET /health HTTP/1.1\r\nHost:")
            await happens(lost)
            writer.close()

    async def test_a_second_request_that_never_ends(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(protocols, "REQUEST_SECONDS", 0.2)
        lost = lost_connections(monkeypatch, protocols.HttpProtocol)
        async with serving() as server:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert (await reader.readuntil(b"ok\n")).startswith(b"HTTP/1.1 200")
            writer.write(b"GET /health HTTP/1.1\r\nHost:")
            await happens(lost)
            writer.close()

    @pytest.mark.parametrize("headers", [b"Content-Length: 9", b"Transfer-Encoding: chunked"])
    async def test_a_body_that_never_ends(self, headers: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(protocols, "REQUEST_SECONDS", 0.2)
        lost = lost_connections(monkeypatch, protocols.HttpProtocol)
        async with serving() as server:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(b"POST /health HTTP/1.1\r\nHost: localhost\r\n" + headers + b"\r\n\r\n")
            assert (await reader.readuntil(b"Method Not Allowed")).startswith(b"HTTP/1.1 405")
            writer.write(b"1")
            await happens(lost)
            writer.close()

    async def test_empty_lines_after_an_answer(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(protocols, "IDLE_SECONDS", 0.2)
        lost = lost_connections(monkeypatch, protocols.HttpProtocol)
        async with serving() as server:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert (await reader.readuntil(b"ok\n")).startswith(b"HTTP/1.1 200")
            writer.write(b"\r\n")
            await happens(lost)
            writer.close()

    async def test_too_many_connections(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(protocols, "PLAIN_CONNECTIONS", 2)
        async with serving() as server, client(server) as ann, client(server) as ben:
            plain = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(3)]
            with suppress(ConnectionResetError):
                assert await plain[0][0].read() == b"", "the oldest has to go"
            async with client(server) as cat:
                for player in (ann, ben, cat):
                    await player.hello()
            for reader, writer in plain[2:]:
                writer.write(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
                assert (await reader.readuntil(b"ok\n")).startswith(b"HTTP/1.1 200")
            for _, writer in plain:
                writer.close()

    @pytest.mark.parametrize(
        ("start", "piece"),
        [
            (b"GET /", b"a"),
            (b"GET /health HTTP/1.1\r\nA: ", b"a"),
            (b"GET /health HTTP/1.1\r\n", b"A: a\r\n"),
            (b"POST /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n", b"a"),
            (b"POST /health HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n"),
        ],
        ids=["address", "header", "headers", "body", "chunks"],
    )
    async def test_a_request_that_is_too_large(
        self, start: bytes, piece: bytes, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(protocols, "REQUEST_SECONDS", 60.0)
        lost = lost_connections(monkeypatch, protocols.HttpProtocol)
        async with serving() as server:
            _, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(start + piece * (protocols.REQUEST_BYTES // len(piece)))
            await happens(lost)
            writer.close()

    async def test_a_request_that_is_just_not_too_large(self) -> None:
        async with serving() as server:
            head = b"GET /health HTTP/1.1\r\nHost: localhost\r\nA: "
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            for _ in range(2):
                writer.write(head + b"a" * (protocols.REQUEST_BYTES - len(head) - 4) + b"\r\n\r\n")
                assert (await reader.readuntil(b"ok\n")).startswith(b"HTTP/1.1 200")
            writer.close()

    async def test_many_requests_at_once(self) -> None:
        async with serving() as server:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n" * 1000)
            for _ in range(1000):
                assert (await reader.readuntil(b"ok\n")).startswith(b"HTTP/1.1 200")
            writer.close()

    async def test_a_handshake_with_a_large_header(
        self, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lost = lost_connections(monkeypatch, protocols.WebSocketProtocol)
        async with serving() as server:
            _, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(b"GET /ws HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nA: ")
            writer.write(b"a" * 12_000 + b"\r\n\r\n")
            await happens(lost)
            writer.close()
        assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []
