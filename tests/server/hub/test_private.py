"""A private table does not exist for those who have no business there."""

import pytest

from protocol import commands as said
from protocol.commands import AnyCommand
from protocol.options import TableOptions
from protocol.pushes import Error
from tests.server.hub.house import PRIVATE_PAIR, House
from tests.server.hub.peers import new_id
from tests.server.hub.test_bots import bot_of, offers
from tests.server.hub.virtual import pass_time, virtual

UNKNOWN = "z" * 12


def knocks(table: str) -> list[AnyCommand]:
    """Everything that can be said to a table."""
    wrong = "wron-gwro-ngwr"
    return [
        said.Watch(id="k1", table=table),
        said.Watch(id="k2", table=table, invite=wrong),
        said.Sit(id="k3", table=table),
        said.Sit(id="k4", table=table, seat=1, invite=wrong),
        said.Stand(id="k5", table=table),
        said.AskBot(id="k6", table=table),
        said.Ready(id="k7", table=table),
        said.Reveal(id="k8", table=table, nonce="0" * 64),
        said.Play(id="k9", table=table, decision=1, move="show 1"),
        said.Next(id="k10", table=table, round=1),
        said.Leave(id="k11", table=table),
        said.Mind(id="k12", table=table, seat=1),
        said.Rematch(id="k13", table=table),
        said.Events(id="k14", table=table),
        said.Legal(id="k15", table=table),
    ]


async def stranger_sees_nothing(house: House, table: str) -> None:
    stranger = await house.guest("Stranger")
    for unknown, known in zip(knocks(UNKNOWN), knocks(table), strict=True):
        expected, reply = await stranger.ask(unknown), await stranger.ask(known)
        assert isinstance(reply, Error)
        assert reply.code == "no_such_table"
        assert reply == expected
    assert stranger.views == {}
    assert stranger.latest == {}
    assert stranger.player not in repr(house.entries(table))
    assert (await house.hub.lobby()).tables == ()
    assert await house.hub.record(table, None) is None
    assert await house.hub.record(table, stranger.token) is None


@pytest.mark.parametrize("hubs", [1, 2])
@virtual
async def test_strangers_cannot_tell_it_from_one_that_does_not_exist(hubs: int) -> None:
    async with House(hubs) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.seated(ann, options=PRIVATE_PAIR)
        await stranger_sees_nothing(house, table)
        await bob.do(said.Sit(id=new_id(), table=table, invite=house.table(table).invite))
        for peer in (ann, bob):
            await peer.do(said.Ready(id=new_id(), table=table))
        await stranger_sees_nothing(house, table)
        await house.play(table, ann, bob, until=lambda state: state.status == "over")
        await stranger_sees_nothing(house, table)


@virtual
async def test_the_invite_opens_it() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        made = await ann.do(said.Create(id=new_id(), options=PRIVATE_PAIR))
        assert made.table is not None
        assert made.invite is not None
        watching = await bob.do(said.Watch(id=new_id(), table=made.table, invite=made.invite))
        assert watching.invite is None, "only seats and the creator are told it"
        assert bob.views[made.table].invite is None
        await bob.ask(said.Events(id=new_id(), table=made.table))
        sitting = await bob.do(said.Sit(id=new_id(), table=made.table))
        assert sitting.invite == made.invite


@virtual
async def test_the_creator_needs_no_seat_and_no_invite() -> None:
    async with House() as house:
        ann = await house.guest("Ann")
        made = await ann.do(said.Create(id=new_id(), options=PRIVATE_PAIR, seat=None))
        assert made.table is not None
        assert made.invite is not None
        again = await house.again(ann)
        assert (await again.do(said.Watch(id=new_id(), table=made.table))).invite == made.invite


@virtual
async def test_who_is_expected_at_a_rematch_needs_no_invite() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.over(ann, bob, options=PRIVATE_PAIR)
        again = await ann.do(said.Rematch(id=new_id(), table=table))
        assert again.table is not None
        assert (await bob.do(said.Sit(id=new_id(), table=again.table))).seat == 1
        await stranger_sees_nothing(house, again.table)


@virtual
async def test_its_record_is_for_its_seats() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        watcher = await house.guest("Cem")
        table = await house.started(ann, bob, options=PRIVATE_PAIR)
        await watcher.do(said.Watch(id=new_id(), table=table, invite=house.table(table).invite))
        assert await house.hub.record(table, ann.token) is None, "not before the end"
        await house.play(table, ann, bob, until=lambda state: state.status == "over")
        assert await house.hub.record(table, ann.token) == await house.hub.record(table, bob.token) is not None
        assert await house.hub.record(table, watcher.token) is None
        assert await house.hub.record(table, "x" * 48) is None


@virtual
async def test_its_seats_may_share_its_record() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        watcher = await house.guest("Cem")
        table = await house.started(ann, bob, options=PRIVATE_PAIR)
        invite, code = house.table(table).invite, house.table(table).share
        assert invite is not None
        assert code is not None
        await watcher.do(said.Watch(id=new_id(), table=table, invite=invite))
        assert await house.hub.share(table, ann.token) is None, "not before the end"
        assert await house.hub.record(table, None, code) is None
        await house.play(table, ann, bob, until=lambda state: state.status == "over")
        assert await house.hub.share(table, ann.token) == await house.hub.share(table, bob.token) == code
        for other in (watcher.token, "x" * 48, None):
            assert await house.hub.share(table, other) is None
        text = await house.hub.record(table, None, code)
        assert text == await house.hub.record(table, ann.token)
        assert text is not None
        assert code not in text, "who reads it cannot tell by which link"
        for wrong in (invite, "0000-0000-0000"):
            assert await house.hub.record(table, None, wrong) is None
        assert await house.hub.share("0" * 12, ann.token) is None


@virtual
async def test_a_public_record_needs_no_code() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.started(ann, bob, options=TableOptions(seats=2))
        await house.play(table, ann, bob, until=lambda state: state.status == "over")
        assert await house.hub.share(table, None) == ""
        assert await house.hub.record(table, None, "0000-0000-0000") is not None


@virtual
async def test_its_wish_for_a_bot_is_told_to_the_house_only() -> None:
    async with House() as house:
        own, foreign = await bot_of(house, house_bot=True), await bot_of(house)
        ann = await house.guest("Ann")
        made = await ann.do(said.Create(id=new_id(), options=PRIVATE_PAIR, bots=1))
        await pass_time(10)
        assert {(offer.table, offer.seat, offer.invite) for offer in offers(own)} == {(made.table, 1, made.invite)}
        assert offers(foreign) == []


@virtual
async def test_a_player_who_stood_up_is_a_stranger_again() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.seated(ann, bob, options=PRIVATE_PAIR)
        await bob.do(said.Leave(id=new_id(), table=table))
        back = await house.again(bob)
        assert (await back.refused(said.Watch(id=new_id(), table=table))).code == "no_such_table"
