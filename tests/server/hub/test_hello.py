"""Who is there: guests, tokens, the house key, and a hello that has to be said again."""

import hashlib

import pytest

from protocol import closing
from protocol import commands as said
from protocol.pushes import Pong, Session
from tests.server.hub.house import HOUSE_KEY, House
from tests.server.hub.meddling import Countdown, fail
from tests.server.hub.peers import FakePeer, new_id
from tests.server.hub.virtual import pass_time, virtual


@virtual
async def test_a_guest_gets_a_name_and_a_token_once() -> None:
    async with House() as house:
        peer = FakePeer(house.hub)
        session = await peer.hello(None)
        assert session.name == f"Guest {session.player[:4]}"
        assert session.token is not None
        again = await FakePeer(house.hub).hello(None, token=session.token)
        assert (again.player, again.name, again.token) == (session.player, session.name, None)


@virtual
async def test_who_comes_back_may_take_another_name() -> None:
    async with House() as house:
        ann = await house.guest("Ann")
        assert (await FakePeer(house.hub).hello("  Anna  B ", token=ann.token)).name == "Anna B"
        assert (await FakePeer(house.hub).hello(None, token=ann.token)).name == "Anna B"


@virtual
async def test_only_the_hash_of_a_token_is_stored() -> None:
    async with House() as house:
        ann = await house.guest("Ann")
        assert list(house.core.tokens) == [hashlib.sha256(ann.token.encode()).digest()]
        assert ann.token not in repr(vars(house.core))


@virtual
async def test_the_first_command_is_hello_and_it_is_said_once() -> None:
    async with House() as house:
        peer = FakePeer(house.hub)
        assert (await peer.refused(said.Ping(id=new_id()))).code == "hello_first"
        await peer.hello("Ann")
        assert (await peer.refused(said.Hello(id=new_id()))).code == "hello_twice"
        assert isinstance(await peer.ask(said.Ping(id=new_id())), Pong)


@pytest.mark.parametrize(
    ("hello", "code"),
    [
        (said.Hello(id="h1", name="\u202e"), "bad_name"),
        (said.Hello(id="h1", token="x" * 48), "token_unknown"),
        (said.Hello(id="h1", house="not the key"), "not_house"),
    ],
)
@virtual
async def test_a_hello_that_was_refused_can_be_said_again(hello: said.Hello, code: str) -> None:
    async with House() as house:
        peer = FakePeer(house.hub)
        assert (await peer.refused(hello)).code == code
        assert (await peer.refused(said.Ping(id=new_id()))).code == "hello_first"
        assert house.core.players == {}
        await peer.hello("Ann")
        assert isinstance(await peer.ask(said.Ping(id=new_id())), Pong)


@virtual
async def test_who_has_an_unknown_token_is_told_to_start_afresh() -> None:
    async with House() as house:
        peer = FakePeer(house.hub)
        await peer.refused(said.Hello(id=new_id(), token="x" * 48))
        assert peer.closed == closing.TOKEN_UNKNOWN.code


@virtual
async def test_there_is_no_house_without_a_key() -> None:
    async with House(house_key="") as house:
        assert (await FakePeer(house.hub).refused(said.Hello(id=new_id(), house=""))).code == "not_house"


@virtual
async def test_the_house_may_come_in() -> None:
    async with House() as house:
        assert isinstance(await FakePeer(house.hub).hello("Bot", bot=True, house=HOUSE_KEY), Session)


@virtual
async def test_a_hello_that_fails_for_the_store_can_be_said_again() -> None:
    async with House() as house:
        ann = await house.guest("Ann")
        await house.seated(ann)
        for passed in range(3):
            peer = FakePeer(house.hub)
            hello = said.Hello(id=new_id(), token=ann.token, name=f"Ann {passed}")
            house.store.before = Countdown(passed, fail)
            assert (await peer.refused(hello)).code == "store_down"
            assert isinstance(await peer.ask(hello), Session)


@virtual
async def test_a_hello_lists_the_tables_and_their_views_follow() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.started(ann, bob)
        again = FakePeer(house.hub)
        session = await again.hello(None, token=bob.token)
        assert [(mine.table, mine.seat, mine.status, mine.to_act) for mine in session.tables] == [
            (table, 1, "running", True)
        ]
        assert again.views[table].you == 1


@virtual
async def test_a_match_that_is_over_is_shown_for_a_while() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.over(ann, bob)
        assert [mine.status for mine in (await FakePeer(house.hub).hello(None, token=ann.token)).tables] == ["over"]
        await pass_time(601)
        assert (await FakePeer(house.hub).hello(None, token=ann.token)).tables == ()
        assert table not in house.core.seats[ann.player]


@virtual
async def test_who_left_for_good_is_not_brought_back() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.started(ann, bob)
        await bob.do(said.Leave(id=new_id(), table=table))
        assert (await FakePeer(house.hub).hello(None, token=bob.token)).tables == ()


@virtual
async def test_who_sits_down_while_a_hello_looks_is_not_struck_out() -> None:
    """The note of a seat is checked, found wrong, and right again before it is struck out."""
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.seated(ann)
        await house.core.stores[0].add_seat(bob.player, table)

        async def sit_first(name: str) -> None:
            if name == "drop_seat":
                house.stores[1].before = other
                await bob.do(said.Sit(id=new_id(), table=table))

        other = house.stores[1].before
        house.stores[1].before = sit_first
        session = await FakePeer(house.hubs[1]).hello(None, token=bob.token)
        assert [mine.table for mine in session.tables] == [table]
        assert table in house.core.seats[bob.player]
