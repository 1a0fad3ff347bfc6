"""Connections that are lost and closed, scripted and in memory."""

import asyncio

import pytest

from clients.client import Client
from clients.dialogue import Resumed, Who
from clients.errors import Stopped
from clients.transport import Lost
from protocol.commands import AnyCommand, Ping, Play, Watch
from protocol.pushes import GoingAway
from protocol.table_events import BotsOffered
from tests.clients.script import TABLE, WELCOME, Peer, ScriptedServer, only_greet
from tests.clients.views import table_view


class TestReconnecting:
    async def test_an_unanswered_move_is_sent_again_with_its_id(self) -> None:
        plays = []

        async def first(peer: Peer) -> None:
            await peer.greet()
            plays.append(await peer.expect(Play))
            peer.lose(4000)

        async def second(peer: Peer) -> None:
            await peer.greet(token=None)
            plays.append(await peer.done(Play))

        server = ScriptedServer(first, None, second)
        async with server.client() as client:
            done = await client.play(TABLE, 3, "turn")
        assert done.table == TABLE
        assert plays[0] == plays[1]
        assert server.slept[0] <= 0.2
        await server.assert_done()

    @pytest.mark.parametrize(("code", "grows"), [(4000, False), (None, False), (4003, True), (4001, True)])
    async def test_delays_grow_only_while_there_is_trouble(self, code: int | None, grows: bool) -> None:
        async def broken(peer: Peer) -> None:
            await peer.greet()
            peer.lose(code)

        well = asyncio.Event()

        async def last(peer: Peer) -> None:
            await peer.greet()
            well.set()

        server = ScriptedServer(*[broken] * 5, last)
        async with server.client():
            await well.wait()
        assert (max(server.slept) > 0.8) is grows

    async def test_going_away_says_how_long_to_wait(self) -> None:
        listening = asyncio.Event()

        async def first(peer: Peer) -> None:
            await peer.greet()
            await listening.wait()
            peer.say(GoingAway(reason="restart", after_ms=1500))
            peer.lose(4000)

        server = ScriptedServer(first, only_greet)
        async with server.client() as client:
            pushes = client.pushes()
            listening.set()
            assert isinstance(await anext(pushes), GoingAway)
            assert isinstance(await anext(pushes), Resumed)
        assert server.slept == [1.5]
        await server.assert_done()

    async def test_a_send_that_fails_is_no_error(self) -> None:
        class Deaf(Peer):
            async def send(self, command: AnyCommand) -> None:
                raise Lost

        server = ScriptedServer(only_greet)
        peers: list[Peer] = []

        async def dial(url: str) -> Peer:
            if peers:
                return await server.dial(url)
            peers.append(Deaf())
            peers[0].say(WELCOME)
            peers[0].lose(None)
            return peers[0]

        client = Client("ws://x", Who(), dial=dial, sleep=server.sleep)
        async with client:
            assert client.online
        await server.assert_done()

    async def test_a_new_guest_after_the_server_forgot_the_player(self) -> None:
        async def first(peer: Peer) -> None:
            await peer.greet()
            peer.say(table_view(version=7, events=(BotsOffered(),)))
            await peer.done(Watch)
            peer.lose(4100)

        async def second(peer: Peer) -> None:
            hello = await peer.greet(token="n" * 32)
            assert hello.token is None
            await peer.done(Watch)
            peer.say(table_view(version=2))

        server = ScriptedServer(first, second)
        async with server.client() as client:
            await client.watch(TABLE)
            follower = client.follow(TABLE)
            async for view in follower:
                if view.version == 2:
                    break
            assert client.token == "n" * 32
        await server.assert_done()


class TestClosing:
    async def test_at_the_moment_when_the_connection_is_lost(self) -> None:
        ending = asyncio.Event()

        class Slow(Peer):
            async def send(self, command: AnyCommand) -> None:
                await super().send(command)
                if isinstance(command, Ping):
                    try:
                        self.lose(4000)
                        await asyncio.Event().wait()
                    finally:
                        ending.set()
                        await asyncio.sleep(0)  # gives way to who closes the client

        server = ScriptedServer(only_greet, only_greet, peer=Slow)
        client = await server.client().__aenter__()
        asking = asyncio.ensure_future(client.ping())
        async with asyncio.timeout(5):
            await ending.wait()
            await client.close()
        with pytest.raises(Stopped):
            await asking
        assert not client._tasks
        assert server.slept == [], "nor does it try again"

    async def test_who_is_cancelled_meanwhile_hears_of_it(self) -> None:
        closing = asyncio.Event()

        class Slow(Peer):
            async def close(self) -> None:
                closing.set()
                await asyncio.Event().wait()

        async def work() -> None:
            async with ScriptedServer(only_greet, peer=Slow).client():
                pass

        working = asyncio.ensure_future(work())
        await closing.wait()
        working.cancel()
        with pytest.raises(asyncio.CancelledError):
            await working

    async def test_an_error_of_its_own_in_sending_is_told(self, caplog: pytest.LogCaptureFixture) -> None:
        class Broken(Peer):
            async def send(self, command: AnyCommand) -> None:
                await super().send(command)
                if isinstance(command, Ping):
                    self.lose(4000)
                    raise ZeroDivisionError

        async with ScriptedServer(only_greet, peer=Broken).client() as client:
            with pytest.raises(Stopped, match="ZeroDivisionError"):
                await client.ping()
        assert "error of its own" in caplog.text
