"""Connections over real sockets."""

import asyncio
import logging
from dataclasses import replace

import pytest
from starlette.types import Message
from starlette.websockets import WebSocket

from protocol import errors
from protocol.closing import (
    BAD_FRAME,
    FLOODING,
    FRAME_TOO_LARGE,
    FULL,
    INTERNAL,
    NO_SUBPROTOCOL,
    SILENT,
    TOKEN_UNKNOWN,
    TOO_SLOW,
)
from protocol.codec import MsgpackCodec
from protocol.commands import Create, Hello, Lobby, Ping, Watch
from protocol.pushes import Done, Error, LobbyPage, Pong, Presence, View, Welcome
from protocol.values import MAX_FRAME_BYTES, SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK
from server.web import protocols, run, sockets
from server.web.outbox import OutboxLimits
from server.web.socket import Patience, Socket
from server.web.sockets import Sockets
from tests.server.web.fakes import TABLE, UNKNOWN_TOKEN, FakeHub, view
from tests.server.web.serving import (
    HOUSE_KEY,
    OPTIONS,
    calls,
    client,
    fill_buffers,
    happens,
    lazy_client,
    lost_connections,
    serving,
)

BOTH = pytest.mark.parametrize("subprotocol", [SUBPROTOCOL_MSGPACK, SUBPROTOCOL_JSON])


class TestGreeting:
    @BOTH
    async def test_the_server_speaks_first(self, subprotocol: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sockets, "version", lambda _name: "1.2.3")
        async with serving() as server, client(server, subprotocol) as ann:
            welcome = await ann.hear()
            assert isinstance(welcome, Welcome)
            assert welcome.server == "bigtop/1.2.3"
            assert welcome.limits == OPTIONS.limits
            assert ann.connection.subprotocol == subprotocol

    async def test_who_says_nothing_is_closed(self) -> None:
        async with serving(replace(OPTIONS, hello_ms=20)) as server, client(server) as ann:
            await ann.assert_closed(SILENT)
            assert server.hub.calls == ["start"], "the hub never knew of it"

    async def test_an_unknown_token(self) -> None:
        async with serving() as server, client(server) as ann:
            await ann.say(Hello(id="h1", token=UNKNOWN_TOKEN))
            await ann.assert_closed(TOKEN_UNKNOWN)

    @pytest.mark.parametrize("offered", ["bigtop.v9.msgpack", "chat"])
    async def test_another_subprotocol(self, offered: str) -> None:
        async with serving() as server, client(server, offered) as other:
            await other.assert_closed(NO_SUBPROTOCOL)
            assert other.connection.subprotocol == offered, "else a browser would not show the code"

    async def test_no_subprotocol(self) -> None:
        async with serving() as server, client(server, None) as other:
            await other.assert_closed(NO_SUBPROTOCOL)

    async def test_one_that_it_speaks_among_others(self) -> None:
        async with serving() as server, client(server, "chat", SUBPROTOCOL_JSON) as other:
            assert other.connection.subprotocol == SUBPROTOCOL_JSON

    async def test_too_many_connections(self) -> None:
        async with serving(replace(OPTIONS, connections=1)) as server:
            async with client(server) as ann, client(server) as ben:
                await ben.assert_closed(FULL)
                await ann.hello()
            await happens(server.hub.left)
            async with client(server) as cat:
                await cat.hello()


class TestCommands:
    async def test_both_subprotocols_say_the_same(self) -> None:
        async with (
            serving() as server,
            client(server, SUBPROTOCOL_MSGPACK) as ann,
            client(server, SUBPROTOCOL_JSON) as ben,
        ):
            assert await ann.hello() == await ben.hello()
            for peer in server.hub.peers.values():
                peer.send_view(TABLE, 3, True, view(3))
            assert await ann.hear() == await ben.hear()
            for command in (Ping(id="p1"), Lobby(id="l1"), Watch(id="w1", table=TABLE)):
                assert await ann.ask(command) == await ben.ask(command)
            assert await ann.hear() == await ben.hear()

    async def test_they_are_handed_over_one_after_the_other(self) -> None:
        async with serving() as server, client(server) as ann:
            await ann.hello()
            server.hub.hold = asyncio.Event()
            for number in range(3):
                await ann.say(Ping(id=f"p{number}"))
            await happens(server.hub.held)
            assert len(server.hub.commands) == 2, "hello and the first ping; the others wait"
            server.hub.hold.set()
            assert [await ann.hear() for _ in range(3)] == [Pong(re=f"p{number}") for number in range(3)]

    async def test_replies_and_pushes_keep_their_order(self) -> None:
        async with serving() as server, client(server) as ann:
            await ann.hello()
            assert isinstance(await ann.ask(Lobby(id="l1")), LobbyPage)
            assert isinstance(await ann.hear(), Presence)

    async def test_a_bug_in_the_hub(self, caplog: pytest.LogCaptureFixture) -> None:
        async with serving() as server, client(server) as ann:
            await ann.hello()
            await ann.say(Create(id="c1"))
            await ann.assert_closed(INTERNAL)
        assert "a bug in the hub" in caplog.text

    async def test_a_frame_that_cannot_be_transcoded(self, caplog: pytest.LogCaptureFixture) -> None:
        async with serving() as server, client(server, SUBPROTOCOL_JSON) as ann:
            await ann.hello()
            server.hub.only_peer().send_view(TABLE, 1, False, b"\xc1")
            await ann.assert_closed_with(1006, "")
        assert "could not be written" in caplog.text


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
        self, frame: bytes, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
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

    async def test_a_message_of_some_pieces_and_a_pong(self) -> None:
        async with serving() as server, client(server) as ann:
            await ann.hello()
            packed = MsgpackCodec().encode(Ping(id="p1"))
            await ann.connection.pong(b"x")
            await ann.connection.send([packed[:5], packed[5:6], packed[6:]])
            assert await ann.hear() == Pong(re="p1")

    async def test_a_bad_handshake(self) -> None:
        async with serving() as server:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(b"GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
            assert (await reader.read()).startswith(b"HTTP/1.1 400")
            writer.close()
            await writer.wait_closed()

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


class TestSlowReaders:
    async def test_a_spectator_loses_views_but_not_the_newest(self) -> None:
        async with serving() as server, lazy_client(server) as eve:
            await fill_buffers(server)
            versions = [0]
            while versions[-1] < 100:
                await eve.read_frames(len(eve.frames) + 1)
                versions = [view.version for view in views(eve.frames)]
            assert versions == sorted(versions)
            assert len(versions) < 50
            await eve.send(MsgpackCodec().encode(Ping(id="p1")))
            await eve.read_frames(len(eve.frames) + 1)
            assert MsgpackCodec().decode_message(eve.frames[-1]) == Pong(re="p1")

    async def test_a_seat_is_disconnected(self) -> None:
        options = replace(OPTIONS, outbox=OutboxLimits(seat_seconds=0.05))
        async with serving(options) as server, lazy_client(server) as eve:
            await fill_buffers(server, seated=True)
            await happens(server.hub.left)
            assert await eve.read_all() == TOO_SLOW.code

    async def test_who_reads_nothing_at_all_is_cut_off(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(protocols, "CLOSE_SECONDS", 0.01)
        monkeypatch.setattr(protocols, "LINGER_SECONDS", 0.02)
        lost = lost_connections(monkeypatch, protocols.WebSocketProtocol)
        options = replace(OPTIONS, patience=Patience(write=0.05))
        async with serving(options) as server, lazy_client(server):
            await fill_buffers(server)
            await happens(server.hub.left)
            await happens(lost)

    async def test_who_answers_no_ping_is_cut_off(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(run, "PING_SECONDS", 0.05)
        monkeypatch.setattr(protocols, "LINGER_SECONDS", 0.02)
        lost = lost_connections(monkeypatch, protocols.WebSocketProtocol)
        async with serving() as server, lazy_client(server):
            await fill_buffers(server)
            await happens(server.hub.left)
            await happens(lost)

    async def test_too_many_replies_wait(self) -> None:
        options = replace(OPTIONS, outbox=OutboxLimits(frames=3))
        async with serving(options) as server, client(server) as ann:
            await ann.hello()
            peer = server.hub.only_peer()
            for number in range(4):
                peer.send(Done(re=f"d{number}"))
            peer.send(Done(re="dropped"))
            peer.send_view(TABLE, 1, True, view(1))
            peer.send_latest("presence", Presence(table=TABLE, seats=(), spectators=0))
            peer.close(INTERNAL.code, "a second close changes nothing")
            await ann.assert_closed(TOO_SLOW)

    async def test_a_close_that_is_not_taken(self) -> None:
        options = replace(OPTIONS, patience=Patience(close=0.05))
        async with serving(options) as server, lazy_client(server) as eve:
            await fill_buffers(server)
            server.hub.only_peer().close(INTERNAL.code, INTERNAL.name)
            await happens(server.hub.left)
            assert await eve.read_all() is None


class TestEnds:
    async def test_a_client_that_is_turned_away_has_gone_already(self) -> None:
        said: list[str] = []

        async def receive() -> Message:
            return {"type": "websocket.connect"}

        async def send(message: Message) -> None:
            said.append(message["type"])
            if message["type"] == "websocket.close":
                raise OSError

        scope = {"type": "websocket", "subprotocols": [], "state": {}}
        await Sockets(FakeHub(), OPTIONS).serve(WebSocket(scope, receive, send))
        assert said == ["websocket.accept", "websocket.close"]

    async def test_the_client_closes(self) -> None:
        async with serving() as server:
            async with client(server) as ann:
                await ann.hello()
            await happens(server.hub.left)
            assert server.hub.calls == ["start", "gone"]

    async def test_the_client_vanishes(self) -> None:
        async with serving() as server, client(server) as ann:
            await ann.hello()
            ann.connection.transport.abort()
            await happens(server.hub.left)

    async def test_the_client_vanishes_while_the_hub_is_at_work(self) -> None:
        async with serving() as server, client(server) as ann:
            await ann.hello()
            server.hub.hold = asyncio.Event()
            await ann.say(Ping(id="p1"))
            await happens(server.hub.held)
            ann.connection.transport.abort()
            server.hub.hold.set()
            await happens(server.hub.left)

    async def test_the_client_half_closes(self) -> None:
        async with serving() as server, lazy_client(server) as eve:
            eve.half_close()
            await happens(server.hub.left)
            assert await eve.read_all() is None

    async def test_the_client_half_closes_and_does_not_read(self) -> None:
        async with serving() as server, lazy_client(server) as eve:
            await fill_buffers(server)
            eve.half_close()
            await happens(server.hub.left)

    async def test_the_hub_closes_after_what_it_sent(self) -> None:
        async with serving() as server, client(server) as ann:
            await ann.hello()
            peer = server.hub.only_peer()
            peer.send(Done(re="d1"))
            peer.close(INTERNAL.code, INTERNAL.name)
            assert await ann.hear() == Done(re="d1")
            await ann.assert_closed(INTERNAL)


def views(frames: list[bytes]) -> list[View]:
    messages = [MsgpackCodec().decode_message(frame) for frame in frames]
    return [message for message in messages if isinstance(message, View)]
