"""Frames that no honest client sends, over real sockets."""

import asyncio
import logging
from dataclasses import replace

import pytest
from structlog.typing import EventDict

from protocol import errors
from protocol.closing import (
    BAD_FRAME,
    FLOODING,
    FRAME_TOO_LARGE,
)
from protocol.codec import MsgpackCodec
from protocol.commands import Hello, Ping
from protocol.pushes import Done, Error, Pong
from protocol.values import MAX_FRAME_BYTES, SUBPROTOCOL_JSON
from server.web import protocols
from server.web.socket import Socket
from tests.server.web.serving import (
    HOUSE_KEY,
    OPTIONS,
    calls,
    client,
    fill_buffers,
    happens,
    lazy_client,
    raw_client,
    serving,
)


class TestHostileFrames:
    @pytest.mark.parametrize("frame", [b"", b"\xc1", b"\x81", b"\xdf\xff\xff\xff\xff", b"\x91" * 1000, "{}"])
    async def test_unreadable(self, frame: bytes | str) -> None:
        async with serving() as server, client(server) as ann:
            await ann.hello()
            await ann.connection.send(frame)
            await ann.assert_closed(BAD_FRAME)

    @pytest.mark.parametrize("frame", ["", "{", "[" * 10_000, "null", b"{}"])
    async def test_unreadable_json(self, frame: bytes | str) -> None:
        async with serving() as server, client(server, SUBPROTOCOL_JSON) as ann:
            await ann.hello()
            await ann.connection.send(frame)
            await ann.assert_closed(BAD_FRAME)

    async def test_text_that_is_not_unicode(self) -> None:
        async with serving() as server, client(server, SUBPROTOCOL_JSON) as ann:
            await ann.hello()
            await ann.connection.send(b"\xff", text=True)
            await ann.assert_closed_with(1007, "")

    async def test_too_large(self) -> None:
        async with serving() as server, client(server) as ann:
            await ann.connection.send(bytes(MAX_FRAME_BYTES + 1))
            await ann.assert_closed(FRAME_TOO_LARGE)

    @pytest.mark.parametrize(
        "frame",
        [
            b"\x82\xff\0\0\0\0\x10\0\0\0" + bytes(4),
            b"\x81\x81" + bytes(4) + b"\xff",
            b"\x81\x81" + bytes(4) + b"\xff" + b"\x88\x80" + bytes(4),
            b"\xf2\x80" + bytes(4),
        ],
        ids=["far too large", "no Unicode", "no Unicode and a close", "reserved bits"],
    )
    async def test_a_bad_frame_while_something_waits_to_be_written(
        self,
        frame: bytes,
        caplog: pytest.LogCaptureFixture,
        logged: list[EventDict],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        refused = calls(monkeypatch, protocols.WebSocketProtocol, "handle_parser_exception")
        async with serving() as server, lazy_client(server) as eve:
            peer = server.hub.only_peer()
            assert isinstance(peer, Socket)
            server.hub.hold = asyncio.Event()
            await eve.send(MsgpackCodec().encode(Ping(id="p1")))
            await happens(server.hub.held)  # and so the reader does not hear of the end before the writer
            transport = peer._transport.transport  # type: ignore[attr-defined]  # of the protocol below
            transport.set_write_buffer_limits(high=2**30)
            await fill_buffers(server)
            await eve.send_raw(frame)
            await happens(refused)
            assert transport.get_write_buffer_size() > 0
            peer.send(Done(re="d1"))
            await eve.read_all()
            server.hub.hold.set()
            await happens(server.hub.left)
        assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []
        assert [entry for entry in logged if entry["log_level"] not in ("debug", "info")] == []

    async def test_far_too_large_in_pieces(self) -> None:
        async with serving() as server, client(server) as ann:
            await ann.connection.send([bytes(MAX_FRAME_BYTES)] * 5)
            await ann.read_all()
            assert ann.connection.close_code == 1009

    async def test_a_bad_message_is_answered_and_no_end(self) -> None:
        async with serving() as server, client(server) as ann:
            await ann.hello()
            await ann.connection.send(b"\x82\xa4kind\xa3fly\xa2id\xa2x1")
            answer = await ann.hear()
            assert isinstance(answer, Error)
            assert (answer.code, answer.re) == (errors.UNKNOWN_KIND.code, "x1")
            assert await ann.ask(Ping(id="p1")) == Pong(re="p1")

    async def test_a_message_of_some_pieces_and_a_pong(self) -> None:
        async with serving() as server, client(server) as ann:
            await ann.hello()
            packed = MsgpackCodec().encode(Ping(id="p1"))
            await ann.connection.pong(b"x")
            await ann.connection.send([packed[:5], packed[5:6], packed[6:]])
            assert await ann.hear() == Pong(re="p1")

    async def test_a_bad_handshake(self) -> None:
        async with serving() as server, raw_client(server) as eve:
            eve.say(b"GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
            assert (await eve.hear_all()).startswith(b"HTTP/1.1 400")


class TestFloods:
    async def test_a_flood(self) -> None:
        async with serving(replace(OPTIONS, commands_per_second=1, burst=5)) as server, lazy_client(server) as eve:
            for number in range(80):
                await eve.send(MsgpackCodec().encode(Ping(id=f"p{number}")))
            assert await eve.read_all() == FLOODING.code
            kinds = [type(MsgpackCodec().decode_message(frame)) for frame in eve.frames[2:]]
            assert kinds == [Pong] * 4 + [Error] * 50

    async def test_the_house_bots_may_be_fast(self) -> None:
        async with serving(replace(OPTIONS, commands_per_second=1, burst=5)) as server, client(server) as bot:
            await bot.hello(Hello(id="h1", house=HOUSE_KEY))
            for number in range(80):
                assert await bot.ask(Ping(id=f"p{number}")) == Pong(re=f"p{number}")

    async def test_a_flood_of_pings(self) -> None:
        async with serving() as server, lazy_client(server) as eve:
            for _ in range(300):
                await eve.ping(b"x")
            assert await eve.read_all() is None
            await happens(server.hub.left)

    async def test_a_flood_of_pongs(self) -> None:
        async with serving() as server, lazy_client(server) as eve:
            for _ in range(300):
                await eve.send_raw(b"\x8a\x80\0\0\0\0")
            assert await eve.read_all() is None
            await happens(server.hub.left)

    async def test_a_message_of_countless_pieces(self) -> None:
        async with serving() as server, lazy_client(server) as eve:
            await eve.send_raw(b"\x02\x80\0\0\0\0")
            for _ in range(300):
                await eve.send_raw(b"\x00\x80\0\0\0\0")
            assert await eve.read_all() is None
            await happens(server.hub.left)

    async def test_the_pongs_for_a_peer_that_does_not_read_do_not_pile_up(self) -> None:
        async with serving() as server, lazy_client(server) as eve:
            await fill_buffers(server)
            peer = server.hub.only_peer()
            assert isinstance(peer, Socket)
            transport = peer._transport.transport  # type: ignore[attr-defined]  # of the protocol below
            waiting = transport.get_write_buffer_size()
            server.hub.hold = asyncio.Event()
            for _ in range(50):
                await eve.ping(b"x" * 100)
            await eve.send(MsgpackCodec().encode(Ping(id="p1")))
            await happens(server.hub.held)  # and so the pings have been read
            assert transport.get_write_buffer_size() == waiting
            server.hub.hold.set()
