"""HTTP over real sockets: nobody can hold on to more than is theirs."""

import asyncio
import logging
from contextlib import AsyncExitStack

import pytest
from structlog.typing import EventDict

from server.web import protocols
from tests.server.web.serving import RawClient, client, happens, lost_connections, raw_client, serving

HEAD = b"GET /health HTTP/1.1\r\nHost: localhost\r\n"


@pytest.fixture
def lost(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Set when the server has let go of a connection."""
    return lost_connections(monkeypatch, protocols.HttpProtocol)


async def assert_well(http: RawClient) -> None:
    assert (await http.hear(b"ok\n")).startswith(b"HTTP/1.1 200 OK\r\n")


class TestSilence:
    async def test_it_does_not_tell_what_it_is_made_of(self) -> None:
        async with serving() as server, raw_client(server) as http:
            http.say(HEAD + b"\r\n")
            assert b"\r\nserver:" not in (await http.hear(b"ok\n")).lower()

    @pytest.mark.parametrize("path", [b"/records/x", b"/ws"])
    async def test_nothing_is_logged(
        self, path: bytes, caplog: pytest.LogCaptureFixture, logged: list[EventDict]
    ) -> None:
        async with serving() as server, raw_client(server) as http:
            http.say(b"GET " + path + b"?token=secret HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            assert (await http.hear_all()).startswith(b"HTTP/1.1 404")
        assert "secret" not in caplog.text
        assert "secret" not in repr(logged)


class TestTime:
    async def test_a_request_that_never_ends(self, lost: asyncio.Event, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(protocols, "REQUEST_SECONDS", 0.05)
        async with serving() as server, raw_client(server) as http:
            http.say(b"GET /health HTTP/1.1\r\nHost:")
            await happens(lost)

    async def test_a_second_request_that_never_ends(self, lost: asyncio.Event, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(protocols, "REQUEST_SECONDS", 0.2)
        async with serving() as server, raw_client(server) as http:
            http.say(HEAD + b"\r\n")
            await assert_well(http)
            http.say(b"GET /health HTTP/1.1\r\nHost:")
            await happens(lost)

    @pytest.mark.parametrize("header", [b"Content-Length: 9", b"Transfer-Encoding: chunked"])
    async def test_a_body_that_never_ends(
        self, header: bytes, lost: asyncio.Event, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(protocols, "REQUEST_SECONDS", 0.2)
        async with serving() as server, raw_client(server) as http:
            http.say(b"POST /health HTTP/1.1\r\nHost: localhost\r\n" + header + b"\r\n\r\n")
            assert (await http.hear(b"Method Not Allowed")).startswith(b"HTTP/1.1 405")
            http.say(b"1")
            await happens(lost)

    async def test_empty_lines_after_an_answer(self, lost: asyncio.Event, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(protocols, "IDLE_SECONDS", 0.2)
        async with serving() as server, raw_client(server) as http:
            http.say(HEAD + b"\r\n")
            await assert_well(http)
            http.say(b"\r\n")
            await happens(lost)


class TestNumber:
    async def test_too_many_connections(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(protocols, "PLAIN_CONNECTIONS", 2)
        async with serving() as server, client(server) as ann, client(server) as ben, AsyncExitStack() as stack:
            oldest, _, newest = [await stack.enter_async_context(raw_client(server)) for _ in range(3)]
            assert await oldest.hear_all() == b"", "it has to go"
            async with client(server) as cat:
                for player in (ann, ben, cat):
                    await player.hello()
            newest.say(HEAD + b"\r\n")
            await assert_well(newest)

    async def test_many_requests_at_once(self) -> None:
        async with serving() as server, raw_client(server) as http:
            http.say((HEAD + b"\r\n") * 1000)
            for _ in range(1000):
                await assert_well(http)


class TestSize:
    @pytest.mark.parametrize(
        ("start", "piece"),
        [
            (b"GET /", b"a"),
            (HEAD + b"A: ", b"a"),
            (HEAD, b"A: a\r\n"),
            (b"POST /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n", b"a"),
            (b"POST /health HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n"),
        ],
        ids=["address", "header", "headers", "body", "chunks"],
    )
    async def test_a_request_that_is_too_large(
        self, start: bytes, piece: bytes, lost: asyncio.Event, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(protocols, "REQUEST_SECONDS", 60.0)
        async with serving() as server, raw_client(server) as http:
            http.say(start + piece * (protocols.REQUEST_BYTES // len(piece)))
            await happens(lost)

    async def test_a_request_that_is_just_not_too_large(self) -> None:
        head = HEAD + b"A: "
        async with serving() as server, raw_client(server) as http:
            for _ in range(2):
                http.say(head + b"a" * (protocols.REQUEST_BYTES - len(head) - 4) + b"\r\n\r\n")
                await assert_well(http)

    async def test_a_handshake_with_a_large_header(
        self, caplog: pytest.LogCaptureFixture, logged: list[EventDict], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lost = lost_connections(monkeypatch, protocols.WebSocketProtocol)
        async with serving() as server, raw_client(server) as http:
            http.say(b"GET /ws HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nA: ")
            http.say(b"a" * 12_000 + b"\r\n\r\n")
            await happens(lost)
        assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []
        assert [entry for entry in logged if entry["log_level"] not in ("debug", "info")] == []
