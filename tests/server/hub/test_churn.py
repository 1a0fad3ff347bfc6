"""Players who come, go, sit, stand and look on in any order, on two hubs, with everything late that can be late.

Whatever the order, nobody gets a view that was made for another player, and in the end everybody has the newest.
"""

import asyncio
from random import Random

import pytest

from protocol import commands as said
from protocol.commands import AnyCommand
from protocol.options import TableOptions
from protocol.pushes import View
from server.store.base import PUBLIC
from server.store.memory import Delivery, deliver_at_once
from server.table.fold import Step
from tests.server.hub.house import House
from tests.server.hub.meddling import nothing
from tests.server.hub.peers import FakePeer, new_id
from tests.server.hub.test_world import seeds
from tests.server.hub.virtual import pass_time, virtual

LATE_S = 0.3
STEPS = 25


class Churn:
    """One course with a seed."""

    def __init__(self, house: House, random: Random) -> None:
        self.house = house
        self.random = random
        self.peers: list[FakePeer] = []
        self.gone: list[FakePeer] = []
        self.table = ""

    async def late(self, name: str) -> None:
        await asyncio.sleep(self.random.uniform(0, 0.05))

    def deliver(self, delivery: Delivery) -> None:
        asyncio.get_running_loop().call_later(self.random.uniform(0, LATE_S), delivery.hand_over)

    async def run(self) -> None:
        host = await self.house.guest("Host")
        self.table = await self.house.seated(host, options=TableOptions(seats=3, move_seconds=5))
        self.house.core.deliver = self.deliver
        for store in self.house.stores:
            store.before = store.after = self.late
        await asyncio.gather(self.live("Ann"), self.live("Bob"), self.live("Cem"), self.live("Dan"), self.go_on(host))
        self.house.core.deliver = deliver_at_once
        for store in self.house.stores:
            store.before = store.after = nothing
        await pass_time(20)

    async def go_on(self, host: FakePeer) -> None:
        self.peers.append(host)
        for _ in range(STEPS):
            await self.do_something(host)

    async def live(self, name: str) -> None:
        """One player, with up to three connections at any hubs, which act at the same time."""
        first = await self.house.guest(name, self.random.choice(self.house.hubs))
        self.peers.append(first)
        await asyncio.gather(*(self.connection(first) for _ in range(3)))

    async def connection(self, first: FakePeer) -> None:
        for _ in range(3):
            peer = await self.house.again(first, self.random.choice(self.house.hubs))
            self.peers.append(peer)
            for _ in range(STEPS // 3):
                await self.do_something(peer)
            if self.random.random() < 0.6:
                self.peers.remove(peer)
                self.gone.append(peer)
                await peer.hub.gone(peer)

    async def do_something(self, peer: FakePeer) -> None:
        await asyncio.sleep(self.random.uniform(0, 0.3))
        table = self.table
        commands: list[AnyCommand] = [
            said.Watch(id=new_id(), table=table),
            said.Sit(id=new_id(), table=table),
            said.Sit(id=new_id(), table=table, seat=self.random.randrange(3)),
            said.Stand(id=new_id(), table=table),
            said.Ready(id=new_id(), table=table),
            said.Leave(id=new_id(), table=table),
            said.Legal(id=new_id(), table=table),
        ]
        working = asyncio.create_task(peer.hub.handle(peer, self.random.choice(commands)))
        if self.random.random() < 0.1:
            await asyncio.sleep(self.random.uniform(0, 0.1))
            working.cancel()
        await asyncio.gather(working, return_exceptions=True)

    def check(self) -> None:
        steps = self.house.steps(self.table)
        for peer in (*self.peers, *self.gone):
            for view in peer.every:
                check_view(view, peer, steps)
        for peer in self.peers:
            live = peer.hub._tables.hold(self.table)
            attachment = live.attachments.get(peer.id)
            seat = steps[-1].table.seat_of(peer.player)
            if attachment is not None:
                assert (peer.views[self.table].version, peer.views[self.table].you) == (len(steps), seat)
                assert attachment.audience == (peer.player if seat is not None else PUBLIC)
        for hub, store in zip(self.house.hubs, self.house.stores, strict=True):
            attached = hub._tables.hold(self.table).attachments
            told = {audience for _, audience in store.inner._subscriptions._on_view}
            assert told == {attachment.audience for attachment in attached.values()}
            assert not any(peer.id in attached for peer in self.gone)


def check_view(view: View, peer: FakePeer, steps: list[Step]) -> None:
    """It was made for this player, or for everybody."""
    state = steps[view.version - 1].table
    assert view.you in (None, state.seat_of(peer.player))
    if view.game is not None:
        assert view.game.viewer == view.you
        hand = None if view.you is None else state.rules.observe(state.game, view.you).hand
        assert view.game.hand == hand


@pytest.mark.parametrize("seed", seeds(4, 12))
@virtual
async def test_everybody_sees_what_is_theirs(seed: int) -> None:
    random = Random(seed)
    async with House(hubs=1 + seed % 2) as house:
        churn = Churn(house, random)
        await churn.run()
        churn.check()
        for peer in list(churn.peers):
            await peer.hub.gone(peer)
        await pass_time(20)
        for hub, store in zip(house.hubs, house.stores, strict=True):
            assert not store.inner._subscriptions._on_view
            assert not store.inner._subscriptions._on_entry
            assert not any(live.needed for live in hub._tables.all_held())
