"""Seats that ask for a bot, and who is offered them."""

from protocol import commands as said
from protocol.options import TableOptions
from protocol.pushes import BotWanted
from tests.server.hub.house import HOUSE_KEY, PAIR, House
from tests.server.hub.peers import FakePeer, new_id
from tests.server.hub.virtual import calm, pass_time, virtual


async def bot_of(house: House, *levels: str, house_bot: bool = False) -> FakePeer:
    """A bot that offers itself."""
    bot = await house.guest("Bot", bot=True, house=HOUSE_KEY if house_bot else None)
    await bot.do(said.ServeBots(id=new_id(), levels=levels or ("greedy",)))
    return bot


def offers(bot: FakePeer) -> list[BotWanted]:
    return [message for message in bot.messages if isinstance(message, BotWanted)]


def seats(bot: FakePeer) -> list[int]:
    return [offer.seat for offer in offers(bot)]


@virtual
async def test_a_seat_that_asks_is_offered_at_once() -> None:
    async with House() as house:
        bot, ann = await bot_of(house), await house.guest("Ann")
        table = await house.seated(ann)
        await ann.do(said.AskBot(id=new_id(), table=table, level="greedy"))
        await calm()
        assert offers(bot) == [BotWanted(table=table, seat=1, level="greedy", invite=None)]
        await bot.do(said.Sit(id=new_id(), table=table, seat=1))
        await pass_time(10)
        assert len(offers(bot)) == 1


@virtual
async def test_several_seats_are_offered_one_after_the_other() -> None:
    async with House() as house:
        first, second = await bot_of(house), await bot_of(house)
        ann = await house.guest("Ann")
        await ann.do(said.Create(id=new_id(), options=TableOptions(seats=5), bots=4))
        await calm()
        assert sorted(seats(first) + seats(second)) == [1, 2, 3, 4]
        assert len(seats(first)) == len(seats(second)) == 2


@virtual
async def test_who_does_not_come_makes_room_for_the_next() -> None:
    async with House() as house:
        lazy, keen = await bot_of(house), await bot_of(house)
        ann = await house.guest("Ann")
        await ann.do(said.Create(id=new_id(), options=PAIR, bots=1))
        await calm()
        assert (len(offers(lazy)), len(offers(keen))) == (1, 0)
        await pass_time(1.5)
        assert (len(offers(lazy)), len(offers(keen))) == (1, 0)
        await pass_time(2)
        assert (len(offers(lazy)), len(offers(keen))) == (1, 1)
        await pass_time(2)
        assert len(offers(lazy)) == 2


@virtual
async def test_who_is_gone_is_offered_nothing() -> None:
    async with House() as house:
        gone, there = await bot_of(house), await bot_of(house)
        await house.hub.gone(gone)
        ann = await house.guest("Ann")
        await ann.do(said.Create(id=new_id(), options=PAIR, bots=1))
        await calm()
        assert (offers(gone), seats(there)) == ([], [1])


@virtual
async def test_only_bots_of_the_wanted_kind_are_asked() -> None:
    async with House() as house:
        greedy, random = await bot_of(house, "greedy"), await bot_of(house, "random", "other")
        ann = await house.guest("Ann")
        await ann.do(said.Create(id=new_id(), options=PAIR, bots=1, level="other"))
        await ann.do(said.Create(id=new_id(), options=PAIR, bots=1, level="nobody"))
        await pass_time(10)
        assert offers(greedy) == []
        assert {offer.level for offer in offers(random)} == {"other"}


@virtual
async def test_who_comes_later_hears_of_the_seats_that_still_ask() -> None:
    async with House() as house:
        ann = await house.guest("Ann")
        await ann.do(said.Create(id=new_id(), options=PAIR, bots=1))
        await pass_time(30)
        bot = await bot_of(house)
        await calm()
        assert seats(bot) == [1]
        await bot.do(said.ServeBots(id=new_id(), levels=("greedy", "random")))
        await pass_time(2.5)
        assert seats(bot) == [1, 1]


@virtual
async def test_people_cannot_offer_themselves_as_bots() -> None:
    async with House() as house:
        ann = await house.guest("Ann")
        assert (await ann.refused(said.ServeBots(id=new_id(), levels=("greedy",)))).code == "not_allowed"


@virtual
async def test_a_seat_that_was_cleared_is_offered_no_more() -> None:
    async with House() as house:
        bot, ann = await bot_of(house), await house.guest("Ann")
        made = await ann.do(said.Create(id=new_id(), options=PAIR, bots=1))
        assert made.table is not None
        await calm()
        await ann.do(said.Stand(id=new_id(), table=made.table, seat=1))
        await pass_time(10)
        assert seats(bot) == [1]


@virtual
async def test_the_other_process_offers_its_bots_too() -> None:
    async with House(hubs=2) as house:
        bot = await house.guest("Bot", house.hubs[1], bot=True)
        await bot.do(said.ServeBots(id=new_id(), levels=("greedy",)))
        ann = await house.guest("Ann")
        await ann.do(said.Create(id=new_id(), options=PAIR, bots=1))
        await pass_time(1.5)
        assert seats(bot) == [1]


@virtual
async def test_strangers_who_only_pretend_to_serve_cannot_keep_seats_empty() -> None:
    async with House() as house:
        for _ in range(5):
            await bot_of(house)
        ours = await bot_of(house, house_bot=True)
        ann = await house.guest("Ann")
        await ann.do(said.Create(id=new_id(), options=PAIR, bots=1))
        await calm()
        assert len(offers(ours)) == 1


@virtual
async def test_a_house_bot_that_lets_seats_pass_makes_room_too() -> None:
    async with House() as house:
        ours, stranger = await bot_of(house, house_bot=True), await bot_of(house)
        ann = await house.guest("Ann")
        table = (await ann.do(said.Create(id=new_id(), options=PAIR, bots=1))).table
        assert table is not None
        await pass_time(8)
        assert len(offers(ours)) > 0
        assert len(offers(stranger)) > 0
        await ours.do(said.Sit(id=new_id(), table=table, seat=1))
        await pass_time(3)
        before = len(offers(ours))
        await ann.do(said.Create(id=new_id(), options=PAIR, bots=1))
        await calm()
        assert len(offers(ours)) == before + 1
