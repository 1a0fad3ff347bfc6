"""Draining and stopping."""

import asyncio

from protocol import commands as said
from protocol.pushes import GoingAway
from tests.server.hub.house import House
from tests.server.hub.peers import FakePeer, new_id
from tests.server.hub.virtual import calm, pass_time, virtual


@virtual
async def test_everybody_is_told_and_nothing_more_is_taken() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        await house.hub.drain("for tea", 2000)
        for peer in (ann, bob):
            assert peer.messages[-1] == GoingAway(reason="for tea", after_ms=2000)
        for refusal in (
            await ann.refused(said.Create(id=new_id())),
            await ann.refused(said.Ping(id=new_id())),
            await FakePeer(house.hub).refused(said.Hello(id=new_id())),
        ):
            assert refusal.code == "going_away"
            assert refusal.retry
            assert refusal.after_ms is not None
        assert await house.hub.check() == "The server is stopping."


@virtual
async def test_what_is_under_way_is_finished_first() -> None:
    async with House() as house:
        ann = await house.guest("Ann")
        gate = asyncio.Event()

        async def wait(name: str) -> None:
            if name == "commit":
                await gate.wait()

        house.store.before = wait
        making = asyncio.create_task(ann.do(said.Create(id=new_id())))
        await calm()
        draining = asyncio.create_task(house.hub.drain("", 0))
        await calm()
        assert not draining.done()
        gate.set()
        done = await making
        await draining
        assert done.table in ann.views


@virtual
async def test_a_stop_waits_for_the_change_of_a_connection_that_was_cut() -> None:
    async with House() as house:
        ann = await house.guest("Ann")
        gate = asyncio.Event()

        async def wait(name: str) -> None:
            if name == "commit":
                await gate.wait()

        house.store.before = wait
        making = asyncio.create_task(ann.hub.handle(ann, said.Create(id=new_id())))
        await calm()
        making.cancel()
        await calm()
        stopping = asyncio.create_task(house.hub.stop())
        await pass_time(1)
        assert not stopping.done()
        gate.set()
        await stopping
        assert len(house.core.logs) == 1
        house.hubs.clear()


@virtual
async def test_who_was_never_there_can_go() -> None:
    async with House() as house:
        await house.hub.gone(FakePeer(house.hub))
