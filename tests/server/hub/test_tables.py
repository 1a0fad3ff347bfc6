"""What is held in memory is one copy, whatever happens to it at the same time."""

import asyncio

import pytest

from protocol import commands as said
from server.store.base import Head
from server.table import acts
from server.table.acts import Cause
from server.table.refusal import Refused
from server.table.state import Table
from tests.server.hub.house import House
from tests.server.hub.meddling import Countdown, fail, nothing
from tests.server.hub.peers import new_id
from tests.server.hub.virtual import calm, virtual

UNKNOWN = "0" * 12


def ask_a_bot(table: Table, *_: object) -> tuple[acts.AnyAct, ...]:
    return (acts.BotAsked(1, "x"),)


def no_acts(table: Table, *_: object) -> tuple[acts.AnyAct, ...]:
    return ()


@virtual
async def test_a_change_that_waited_for_a_forgotten_copy_works_on_the_new_one() -> None:
    async with House() as house:
        table = await house.seated(await house.guest("Ann"))
        tables = house.hub._tables
        old = await tables.live(table)
        async with old.lock:
            changing = asyncio.create_task(tables.change(table, ask_a_bot))
            reading = asyncio.create_task(tables.live(table, sure=True))
            await calm()
            del tables._lives[table]
            await tables.live(table)
        await asyncio.gather(changing, reading)
        assert (await tables.live(table)) is not old
        assert (await tables.live(table)).table == house.table(table)
        assert house.table(table).seats[1].asked == "x"


@virtual
async def test_a_copy_that_somebody_works_on_is_not_forgotten() -> None:
    async with House() as house:
        ann = await house.guest("Ann")
        table = await house.seated(ann)
        await ann.do(said.Leave(id=new_id(), table=table))
        tables = house.hub._tables
        live = await tables.live(table)
        async with live.lock:
            tables.forget(live)
            assert tables.held(table) is live
        tables.forget(live)
        tables.forget(live)
        assert tables.held(table) is None


@virtual
async def test_tables_that_do_not_exist_are_not_kept() -> None:
    async with House(hubs=2) as house:
        ann = await house.guest("Ann")
        replies = await asyncio.gather(
            *(ann.refused(said.Watch(id=new_id(), table=UNKNOWN)) for _ in range(3)),
        )
        assert {reply.code for reply in replies} == {"no_such_table"}
        tables = house.hub._tables
        assert not await tables.answered(UNKNOWN, Cause("p", "id", b""))
        for work in (tables.change(UNKNOWN, no_acts), tables.change(UNKNOWN, no_acts), tables.steps(UNKNOWN)):
            with pytest.raises(Refused):
                await work
        assert tables.all_held() == []


@virtual
async def test_a_creation_waits_for_who_finds_that_there_is_no_such_table() -> None:
    async with House() as house:
        ann = await house.guest("Ann")
        tables = house.hub._tables
        gate = asyncio.Event()

        async def wait(name: str) -> None:
            if name == "load":
                await gate.wait()

        house.store.before = wait
        looking = [asyncio.create_task(tables.change(UNKNOWN, no_acts)) for _ in range(2)]
        await calm()
        made = house.hub._answers._making._created(house.hub._connections[ann.id].player, said.Create(id="c"))
        creating = asyncio.create_task(tables.create(UNKNOWN, made, Cause(ann.player, "c", b"")))
        await calm()
        gate.set()
        answers = await asyncio.gather(*looking, creating, return_exceptions=True)
        assert isinstance(answers[0], Refused)
        live = tables.held(UNKNOWN)
        assert live is not None
        assert live.table == house.table(UNKNOWN)


@virtual
async def test_a_table_whose_log_is_unreadable_can_be_asked_about_again() -> None:
    async with House() as house:
        ann = await house.guest("Ann")
        table = await house.seated(ann)
        tables = house.hub._tables
        live = await tables.live(table)
        version = live.head.version
        await ann.do(said.AskBot(id=new_id(), table=table))
        house.core.logs[table].append((b"x" * 8, b"\xc1"))
        live.stale = True
        for _ in range(3):
            with pytest.raises(Refused) as refused:
                await tables.live(table)
            assert refused.value.code.code == "internal"
        house.core.logs[table].pop()
        assert (await tables.live(table)).table == house.table(table)
        assert live.head.version == version + 1


@virtual
async def test_a_part_of_a_log_that_can_be_read_is_not_taken_without_the_rest() -> None:
    async with House(hubs=2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob", house.hubs[1])
        table = await house.seated(ann)
        house.core.deliver = lambda delivery: None
        await bob.do(said.Sit(id=new_id(), table=table))
        house.core.logs[table].append((b"x" * 8, b"\xc1"))
        live = house.hub._tables.hold(table)
        for _ in range(2):
            with pytest.raises(Refused):
                await house.hub._tables.live(table, sure=True)
            assert live.table == house.steps_until(table, 1)
        house.core.logs[table].pop()
        assert (await house.hub._tables.live(table, sure=True)).table == house.table(table)


@virtual
async def test_a_failure_nobody_waits_for_any_more_is_no_noise() -> None:
    async with House() as house:
        ann = await house.guest("Ann")
        table = await house.seated(ann)
        house.store.before = Countdown(0, fail)
        asking = asyncio.create_task(ann.hub.handle(ann, said.AskBot(id=new_id(), table=table)))
        await asyncio.sleep(0)
        asking.cancel()
        await calm()
        assert not house.hub._tables._under_way


@virtual
async def test_news_that_cannot_be_read_makes_a_hub_ask() -> None:
    async with House(hubs=2) as house:
        table = await house.seated(await house.guest("Ann"))
        live = house.hub._tables.hold(table)
        house.hub._tables.on_entry(table, Head(2, b"x" * 8), b"\xc1")
        assert (live.stale, live.head.version) == (True, 1)
        assert (await house.hub._tables.live(table)).table == house.table(table)
        assert not live.stale


@virtual
async def test_the_steps_of_a_table_that_goes_on_meanwhile_are_not_kept() -> None:
    async with House() as house:
        ann = await house.guest("Ann")
        table = await house.seated(ann)

        async def go_on(name: str) -> None:
            if name == "load":
                house.store.before = nothing
                await ann.do(said.AskBot(id=new_id(), table=table))

        house.store.before = go_on
        assert len(await house.hub._tables.steps(table)) == 2
        live = house.hub._tables.hold(table)
        await ann.do(said.Ready(id=new_id(), table=table))
        assert [step.table.version for step in await house.hub._tables.steps(table)] == [1, 2, 3]
        assert live.steps is not None


@virtual
async def test_a_log_that_ends_in_the_middle_of_the_reading_is_no_record() -> None:
    """It is deleted, or damaged, after the hub has looked and before it goes through it."""
    for entries, code in (([], "no_such_table"), ([(b"x" * 8, b"\xc1")], "internal")):
        async with House() as house:
            table = await house.seated(await house.guest("Ann"))
            house.core.logs[table] = entries
            with pytest.raises(Refused) as refused:
                await house.hub._tables.steps(table)
            assert refused.value.code.code == code
            assert await house.hub.record(table, None) is None
