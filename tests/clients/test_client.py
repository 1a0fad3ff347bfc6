"""The asyncio shell, against scripted connections in memory."""

import asyncio

import pytest
from msgspec.structs import replace

from clients.client import Client
from clients.dialogue import Resumed, Who
from clients.errors import ClientError, Refused, Stopped, Unreachable
from clients.transport import Lost
from protocol import errors
from protocol.commands import AnyCommand, Command, Events, Hello, Leave, Ping, Play, Ready, Reveal, Sit, Watch
from protocol.pushes import Closed, Done, Error, EventLog, GoingAway, LegalMoves, LobbyPage, Pong, Presence, Step
from protocol.table_events import BotsOffered
from tests.clients.script import TABLE, TOKEN, WELCOME, Peer, ScriptedServer, session
from tests.clients.views import table_view


def refusal(re: str, code: errors.ErrorCode, after_ms: int | None = None) -> Error:
    return Error(re=re, code=code.code, message=code.meaning, retry=code.retry, after_ms=after_ms)


async def only_greet(peer: Peer) -> None:
    await peer.greet()


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


class TestFollowing:
    async def test_only_the_newest_view(self) -> None:
        async def script(peer: Peer) -> None:
            await peer.greet()
            peer.say(*(table_view(version=version) for version in (1, 2, 4)))
            await peer.done(Watch)

        server = ScriptedServer(script)
        async with server.client() as client:
            await client.watch(TABLE)
            follower = client.follow(TABLE)
            assert (follower.view and follower.view.version, follower.table) == (4, TABLE)
            assert (await anext(follower)).version == 4
            assert not follower.missed

    async def test_a_gap_is_noticed(self) -> None:
        step = asyncio.Event()

        async def script(peer: Peer) -> None:
            await peer.greet()
            peer.say(table_view(version=1))
            await step.wait()
            peer.say(table_view(version=3), Presence(table=TABLE, seats=(True, False, False), spectators=1))
            peer.say(Closed(table=TABLE, reason="empty"))

        async with ScriptedServer(script).client() as client:
            follower = client.follow(TABLE)
            assert (await anext(follower)).version == 1
            step.set()
            assert (await anext(follower)).version == 3
            assert follower.missed
            with pytest.raises(StopAsyncIteration):
                await anext(follower)
            assert follower.presence is not None
            assert follower.closed == "empty"

    async def test_the_course_has_no_gap(self) -> None:
        told = asyncio.Event()

        async def script(peer: Peer) -> None:
            await peer.greet()
            peer.say(table_view(version=1))
            await told.wait()
            peer.say(
                table_view(version=2, events=(BotsOffered(),)),
                table_view(version=5, events=(BotsOffered(),)),
                table_view(version=6, events=(BotsOffered(),)),
            )
            events = await peer.expect(Events, since=2)
            steps = tuple(step_at(version) for version in (3, 4, 5, 6, 7))
            peer.say(EventLog(re=events.id, table=TABLE, since=2, steps=steps, more=False))
            await told.wait()
            peer.say(table_view(version=7, events=(BotsOffered(),), closed="empty", status="closed"))

        server = ScriptedServer(script)
        versions: list[int] = []
        async with server.client() as client:
            async for _, steps in client.follow(TABLE).course():
                versions += (step.version for step in steps)
                told.set()
        assert versions == [2, 3, 4, 5, 6, 7]
        await server.assert_done()

    async def test_what_the_server_does_not_tell_is_left_out(self) -> None:
        async def script(peer: Peer) -> None:
            await peer.greet()
            peer.say(table_view(version=4))
            peer.say(refusal((await peer.expect(Events, since=0)).id, errors.NO_SUCH_TABLE))

        async with ScriptedServer(script).client() as client:
            async for view, steps in client.follow(TABLE).course(since=0):
                assert (view.version, steps) == (4, [])
                break

    async def test_a_forgotten_table_ends_its_followers(self) -> None:
        async with ScriptedServer(only_greet).client() as client:
            follower = client.follow(TABLE)
            client.forget(TABLE)
            client.forget(TABLE)
            assert [view async for view in follower] == []
            assert follower.closed == "left"

    async def test_ready_commits_to_a_nonce_and_tells_it(self) -> None:
        async def script(peer: Peer) -> None:
            await peer.greet()
            ready = await peer.done(Ready)
            assert ready.commitment is not None
            peer.say(table_view(version=2, status="revealing", you=0, commitments=(ready.commitment,)))
            reveal = await peer.done(Reveal)
            assert reveal.nonce == bytes(32).hex()

        server = ScriptedServer(script)
        async with server.client() as client:
            await client.ready(TABLE)
            await server.assert_done()


def step_at(version: int) -> Step:
    return Step(version=version, head="0" * 64, by="player", events=(BotsOffered(),))
