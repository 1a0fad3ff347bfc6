"""Connections over real sockets."""

import asyncio
from dataclasses import replace

import pytest
from starlette.types import Message
from starlette.websockets import WebSocket
from structlog.typing import EventDict

from protocol.closing import (
    FULL,
    INTERNAL,
    NO_SUBPROTOCOL,
    SILENT,
    TOKEN_UNKNOWN,
)
from protocol.commands import Create, Hello, Lobby, Ping, Watch
from protocol.pushes import Done, LobbyPage, Pong, Presence, Welcome
from protocol.values import SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK
from server.web import sockets
from server.web.sockets import Sockets
from tests.server.web.fakes import TABLE, UNKNOWN_TOKEN, FakeHub, view
from tests.server.web.serving import (
    OPTIONS,
    client,
    fill_buffers,
    happens,
    lazy_client,
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

    async def test_a_bug_in_the_hub(self, logged: list[EventDict]) -> None:
        async with serving() as server, client(server) as ann:
            await ann.hello()
            await ann.say(Create(id="c1"))
            await ann.assert_closed(INTERNAL)
        assert _faults(logged) == ["RuntimeError"]
        assert "a bug in the hub" not in repr(logged), "nobody knows what else a message tells"

    async def test_a_frame_that_cannot_be_transcoded(self, logged: list[EventDict]) -> None:
        async with serving() as server, client(server, SUBPROTOCOL_JSON) as ann:
            await ann.hello()
            server.hub.only_peer().send_view(TABLE, 1, False, b"\xc1")
            await ann.assert_closed_with(1006, "")
        assert _faults(logged) == ["DecodeError"]


def _faults(logged: list[EventDict]) -> list[str]:
    """What kinds of mistakes were logged."""
    return [entry["fault"].split()[0] for entry in logged if entry["log_level"] == "error"]


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
