"""Several connections of one player at different processes see the same tables."""

import pytest

from protocol import commands as said
from server.store.base import StoreError
from tests.server.hub.house import PRIVATE_PAIR, House
from tests.server.hub.meddling import at, fail, nothing
from tests.server.hub.peers import FakePeer, new_id
from tests.server.hub.virtual import calm, virtual


@virtual
async def test_a_seat_taken_at_one_process_is_shown_at_the_other() -> None:
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        elsewhere = [await house.again(peer, house.hubs[1]) for peer in (ann, bob)]
        table = await house.seated(ann, bob, options=PRIVATE_PAIR)
        await calm()
        assert [peer.views[table].you for peer in elsewhere] == [0, 1]
        assert not elsewhere[0].messages[1:], "nobody asked for anything there"


@pytest.mark.parametrize("command", [said.Quick(id="quick"), said.Create(id="create", seat=0)])
@virtual
async def test_however_it_was_taken(command: said.Quick | said.Create) -> None:
    async with House(hubs=2) as house:
        ann = await house.guest("Ann", house.hubs[1])
        other = await house.again(ann, house.hub)
        table = (await ann.do(command)).table
        assert table is not None
        await calm()
        assert other.views[table].you == 0


@virtual
async def test_a_seat_that_was_only_thought_of_is_not_shown() -> None:
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        cem = await house.guest("Cem")
        there = await house.again(cem, house.hubs[1])
        table = await house.seated(ann, bob)
        await cem.refused(said.Sit(id=new_id(), table=table))
        await calm()
        assert table not in there.views


@virtual
async def test_the_last_connection_ends_the_watching() -> None:
    async with House(hubs=2) as house:
        ann = await house.guest("Ann")
        again = await house.again(ann)
        watched = house.store.inner._subscriptions._on_seat
        assert list(watched) == [ann.player]
        await house.hub.gone(ann)
        assert list(watched) == [ann.player]
        await house.hub.gone(again)
        assert not watched


@virtual
async def test_a_hello_that_fails_at_it_can_be_said_again() -> None:
    async with House(hubs=2) as house:
        ann = await house.guest("Ann")
        peer = FakePeer(house.hub)
        house.store.before = at("watch_seats", fail)
        refused = await peer.refused(said.Hello(id=new_id(), token=ann.token))
        assert refused.code == "store_down"
        house.store.before = nothing
        await peer.hello(None, token=ann.token)
        await house.hub.gone(peer)
        assert list(house.store.inner._subscriptions._on_seat) == [ann.player]


@virtual
async def test_a_store_that_fails_while_a_seat_is_looked_for_does_no_harm() -> None:
    async with House(hubs=2) as house:
        ann = await house.guest("Ann")
        there = await house.again(ann, house.hubs[1])

        async def down(name: str) -> None:
            raise StoreError("away")

        house.stores[1].before = at("load", down)
        table = await house.seated(ann)
        await calm()
        assert table not in there.views
