"""Following tables, against scripted connections in memory."""

import asyncio

import pytest

from protocol import errors
from protocol.commands import Events, Ready, Reveal, Watch
from protocol.pushes import Closed, EventLog, Presence, Step
from protocol.table_events import BotsOffered
from tests.clients.script import TABLE, Peer, ScriptedServer, only_greet, refusal
from tests.clients.views import table_view


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
