"""The asyncio shell, against scripted connections in memory: entering, and asking."""

import asyncio

import pytest
from msgspec.structs import replace

from clients.errors import ClientError, Refused, Stopped, Unreachable
from protocol import errors
from protocol.commands import Command, Hello, Leave, Ping, Play, Sit
from protocol.pushes import Done, Error, LegalMoves, LobbyPage, Pong
from tests.clients.script import TABLE, TOKEN, WELCOME, Peer, ScriptedServer, only_greet, refusal, session


class TestEntering:
    async def test_the_client_knows_who_it_is(self) -> None:
        server, tokens = ScriptedServer(only_greet), list[str]()
        async with server.client(on_token=tokens.append) as client:
            assert (client.name, client.token, tokens, client.online) == ("Ada", TOKEN, [TOKEN], True)
        await server.assert_done()

    async def test_nobody_answers(self) -> None:
        server = ScriptedServer(None)
        with pytest.raises(Unreachable, match="No server answers"):
            async with server.client():
                pass

    async def test_a_patient_client_keeps_trying(self) -> None:
        server = ScriptedServer(None, None, only_greet)
        async with server.client(patient=True):
            pass
        assert len(server.slept) == 2
        assert server.slept[0] <= 0.2 < server.slept[1] * 2
        await server.assert_done()

    async def test_a_refused_hello(self) -> None:
        async def script(peer: Peer) -> None:
            peer.say(WELCOME)
            hello = await peer.expect(Hello)
            peer.say(refusal(hello.id, errors.NOT_HOUSE))

        server = ScriptedServer(script)
        with pytest.raises(Refused) as caught:
            async with server.client():
                pass
        assert caught.value.code == "not_house"
        assert "not_house" in repr(caught.value)

    async def test_a_close_code_that_says_stop(self) -> None:
        async def script(peer: Peer) -> None:
            peer.lose(4501)

        with pytest.raises(Stopped, match="no subprotocol that the server speaks") as caught:
            async with ScriptedServer(script).client():
                pass
        assert caught.value.code == 4501

    async def test_a_token_that_cannot_be_stored(self) -> None:
        def full(token: str) -> None:
            raise ClientError("No room.")

        with pytest.raises(ClientError, match="No room"):
            async with ScriptedServer(only_greet).client(on_token=full):
                pass

    async def test_an_error_of_its_own_ends_the_client(self, caplog: pytest.LogCaptureFixture) -> None:
        def broken(token: str) -> None:
            raise ZeroDivisionError

        with pytest.raises(Stopped, match="ZeroDivisionError"):
            async with ScriptedServer(only_greet).client(on_token=broken):
                pass
        assert "error of its own" in caplog.text

    async def test_a_server_that_says_nothing_is_given_up(self, monkeypatch: pytest.MonkeyPatch) -> None:
        async def silent(peer: Peer) -> None:
            pass

        monkeypatch.setattr("clients.client.HELLO_SECONDS", 0)
        server = ScriptedServer(silent, None)
        with pytest.raises(Unreachable):
            async with server.client():
                pass

    async def test_a_closed_client_refuses_everything(self) -> None:
        server = ScriptedServer(only_greet)
        async with server.client() as client:
            follower = client.follow(TABLE)
        with pytest.raises(Stopped):
            await client.ping()
        with pytest.raises(Stopped):
            await anext(follower)
        with pytest.raises(Stopped):
            await anext(client.follow("othertable00"))
        assert [push async for push in client.pushes()] == []


class TestRequests:
    async def test_each_command_as_a_method(self) -> None:
        async def script(peer: Peer) -> None:
            await peer.greet()
            for kind in ("Create", "Quick", "Watch", "Sit", "Stand", "AskBot", "Ready", "Play", "Next", "Mind"):
                command = await peer.expect(Command)
                assert type(command).__name__ == kind
                peer.say(Done(re=command.id, table=TABLE))
            command = await peer.expect(Command)
            peer.say(LegalMoves(re=command.id, table=TABLE, decision=None, moves=(), more=False))
            command = await peer.expect(Command)
            peer.say(LobbyPage(re=command.id, tables=()))
            command = await peer.expect(Command)
            peer.say(Pong(re=command.id))
            await peer.done(Leave)

        server = ScriptedServer(script)
        async with server.client() as client:
            assert (await client.create()).table == TABLE
            await client.quick(3)
            await client.watch(TABLE)
            await client.sit(TABLE)
            await client.stand(TABLE)
            await client.ask_bot(TABLE)
            await client.ready(TABLE, commit=False)
            await client.play(TABLE, 1, "keep")
            await client.next(TABLE, 1)
            await client.mind(TABLE, 2)
            assert (await client.legal(TABLE)).moves == ()
            assert (await client.lobby()).tables == ()
            await client.ping()
            await client.leave(TABLE)
        await server.assert_done()

    async def test_a_refusal_is_raised(self) -> None:
        async def script(peer: Peer) -> None:
            await peer.greet()
            play = await peer.expect(Play)
            peer.say(Error(re=play.id, code="illegal_move", message="Too weak.", detail="not_stronger", retry=False))

        async with ScriptedServer(script).client() as client:
            with pytest.raises(Refused, match="Too weak") as caught:
                await client.play(TABLE, 1, "show 1")
        refused = caught.value
        assert (refused.code, refused.detail, refused.retry) == ("illegal_move", "not_stronger", False)

    async def test_the_wrong_kind_of_answer(self) -> None:
        async def script(peer: Peer) -> None:
            await peer.greet()
            peer.say(Pong(re=(await peer.expect(Sit)).id))

        async with ScriptedServer(script).client() as client:
            with pytest.raises(Stopped, match="answered Sit with Pong"):
                await client.sit(TABLE)

    async def test_too_fast_is_waited_for_and_sent_again(self) -> None:
        async def script(peer: Peer) -> None:
            await peer.greet()
            sit = await peer.expect(Sit)
            peer.say(refusal(sit.id, errors.TOO_FAST, 3000))
            assert await peer.done(Sit) == sit

        server = ScriptedServer(script)
        async with server.client() as client:
            await client.sit(TABLE)
        assert server.slept == [3.0]
        await server.assert_done()

    async def test_a_cancelled_request_is_forgotten(self) -> None:
        server = ScriptedServer(only_greet)
        async with server.client() as client:
            task = asyncio.ensure_future(client.ping())
            await asyncio.sleep(0)  # lets the task begin
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert not client._waiting

    async def test_commands_keep_to_the_pace_of_the_server(self) -> None:
        async def script(peer: Peer) -> None:
            peer.say(replace(WELCOME, limits=replace(WELCOME.limits, commands_per_second=2, burst=3)))
            peer.say(session((await peer.expect(Hello)).id))
            for _ in range(4):
                peer.say(Pong(re=(await peer.expect(Ping)).id))

        server = ScriptedServer(script)
        async with server.client(clock=lambda: 0.0) as client:
            for _ in range(4):
                await client.ping()
        assert len(server.slept) == 3
        await server.assert_done()
