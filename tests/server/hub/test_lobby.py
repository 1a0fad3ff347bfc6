"""The page of public tables, and those who follow it."""

from itertools import pairwise
from typing import Any

from protocol import commands as said
from protocol.pushes import AnyMessage, LobbyPage
from protocol.values import MAX_LOBBY_TABLES
from tests.server.hub.house import PRIVATE_PAIR, House
from tests.server.hub.peers import FakePeer, new_id
from tests.server.hub.virtual import clock, pass_time, virtual


class Follower(FakePeer):
    """Keeps every page with the time at which it came."""

    def __init__(self, hub: Any) -> None:
        super().__init__(hub)
        self.pages: list[tuple[int, LobbyPage]] = []

    def send_latest(self, key: str, message: AnyMessage) -> None:
        super().send_latest(key, message)
        if isinstance(message, LobbyPage):
            assert (key, message.re) == ("lobby", None)
            self.pages.append((clock(), message))


async def follower(house: House) -> Follower:
    peer = Follower(house.hub)
    await peer.hello("Follower")
    assert isinstance(await peer.ask(said.Lobby(id=new_id(), follow=True)), LobbyPage)
    await pass_time(3)
    peer.pages.clear()
    return peer


@virtual
async def test_open_tables_come_first_and_the_newest_of_them() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        running = await house.started(ann, bob)
        opened = []
        for _ in range(2):
            await pass_time(1)
            opened.append(await house.seated(ann))
        await house.seated(ann, options=PRIVATE_PAIR)
        page = await ann.ask(said.Lobby(id="l"))
        assert isinstance(page, LobbyPage)
        assert page.re == "l"
        assert [table.table for table in page.tables] == [*reversed(opened), running]
        assert [table.status for table in page.tables] == ["open", "open", "running"]
        assert [seat.name for seat in page.tables[0].seats] == ["Ann", None]


@virtual
async def test_a_table_that_is_over_is_gone_from_the_page() -> None:
    async with House() as house:
        await house.over(await house.guest("Ann"), await house.guest("Bob"))
        assert (await house.hub.lobby()).tables == ()


@virtual
async def test_the_page_is_sent_when_it_changes_and_at_most_once_a_second() -> None:
    async with House() as house:
        ann = await house.guest("Ann")
        peer = await follower(house)
        for _ in range(25):
            await house.seated(ann)
            await pass_time(0.1)
        await pass_time(5)
        assert 3 <= len(peer.pages) <= 4
        assert all(later - earlier >= 1000 for (earlier, _), (later, _) in pairwise(peer.pages))
        assert len(peer.pages[-1][1].tables) == 25


@virtual
async def test_that_tables_grow_older_is_no_change() -> None:
    async with House() as house:
        ann = await house.guest("Ann")
        await house.seated(ann)
        peer = await follower(house)
        await pass_time(30)
        assert peer.pages == []
        await ann.do(said.Watch(id=new_id(), table=await house.seated(await house.guest("Bob"))))
        await pass_time(2)
        assert peer.pages[-1][1].tables[0].spectators == 1


@virtual
async def test_who_has_enough_is_sent_no_more() -> None:
    async with House() as house:
        ann = await house.guest("Ann")
        peer, other = await follower(house), await follower(house)
        await peer.ask(said.Lobby(id=new_id(), follow=False))
        await house.hub.gone(other)
        await house.seated(ann)
        await pass_time(3)
        assert peer.pages == other.pages == []


@virtual
async def test_the_page_is_no_longer_than_it_may_be() -> None:
    async with House() as house:
        for _ in range(3):
            ann = await house.guest("Ann")
            for _ in range(40):
                await house.seated(ann)
        assert len((await house.hub.lobby()).tables) == MAX_LOBBY_TABLES
