"""Whole matches against the fake server in memory: bots, the service, rematches, restarts."""

import asyncio
from random import Random

import pytest

from clients.address import Place
from clients.bots.playing import MatchEnd, play_match
from clients.bots.service import Service, told
from clients.bots.single import Plan, play_plan
from clients.bots.strategies import Strategy, load
from clients.client import Client
from clients.errors import Refused, Stopped
from clients.scout import legal_moves
from engine.scout import Move, ScoutView
from protocol import errors
from protocol.options import TableOptions
from protocol.pushes import Error
from tests.clients.fake import FakeServer, Link, Refusal, Table
from tests.clients.network import Network, no_sleep

GREEDY = load("greedy")


async def match(network: Network, strategies: list[Strategy]) -> list[MatchEnd]:
    """One match with a bot for each strategy."""

    async def one(index: int, table: str, strategy: Strategy) -> MatchEnd:
        async with network.client(f"Bot {index}") as client:
            await client.sit(table)
            return await play_match(client, table, strategy, rng=Random(index), think=0.1, sleep=no_sleep)

    async with network.client("Host") as host:
        table = (await host.create(TableOptions(seats=len(strategies)), seat=None)).table
        assert table is not None
        async with asyncio.timeout(60):
            return await asyncio.gather(*(one(index, table, strategy) for index, strategy in enumerate(strategies)))


async def test_a_match_is_played_to_its_end() -> None:
    ends = await match(Network(FakeServer()), [GREEDY, load("random"), GREEDY])
    assert {end.reason for end in ends} == {"over"}
    assert len({end.points for end in ends}) == 1
    assert sorted(end.names[end.seat or 0] for end in ends) == ["Bot 0", "Bot 1", "Bot 2"]
    assert ends[0].winners


@pytest.mark.parametrize("every", [13, 17, 24])
async def test_a_match_survives_lost_connections_and_each_move_counts_once(every: int) -> None:
    network = Network(FakeServer(), break_every=every)
    ends = await match(network, [GREEDY, GREEDY, GREEDY])
    assert {end.reason for end in ends} == {"over"}
    assert network.breaks >= 3
    (table,) = network.server.tables.values()
    assert network.server.played == sum(table.decisions.values())


async def test_two_players() -> None:
    ends = await match(Network(FakeServer(2)), [GREEDY, load("random")])
    assert [end.reason for end in ends] == ["over", "over"]


async def test_a_bad_move_or_a_failing_strategy_gives_way_to_a_legal_move(caplog: pytest.LogCaptureFixture) -> None:
    def cheat(view: ScoutView, rng: Random) -> str:
        return rng.choice(["show 1-45", "win", "show 1"])

    def broken(view: ScoutView, rng: Random) -> Move:
        raise ZeroDivisionError

    ends = await match(Network(FakeServer()), [cheat, broken, GREEDY])
    assert {end.reason for end in ends} == {"over"}
    assert "was refused" in caplog.text
    assert "the strategy failed" in caplog.text


async def test_a_seat_that_is_lost_before_the_start() -> None:
    network = Network(FakeServer())
    async with network.client() as client:
        done = await client.create(TableOptions(seats=3))
        assert done.table is not None
        playing = asyncio.ensure_future(play_match(client, done.table, GREEDY))
        await anext(client.follow(done.table))
        async for view in client.follow(done.table):
            if view.seats[0].ready:
                break
        await client.stand(done.table)
        end = await playing
    assert end.reason == "stood"
    assert told("Ada", end) == f"Ada lost the seat at {done.table} before the start."


async def test_a_table_that_is_closed() -> None:
    network = Network(FakeServer())
    async with network.client() as client:
        done = await client.create(TableOptions(seats=3))
        assert done.table is not None
        follower = client.follow(done.table)
        playing = asyncio.ensure_future(play_match(client, done.table, GREEDY))
        await anext(follower)
        network.server.close(done.table, "operator")
        end = await playing
    assert (end.reason, end.names) == ("operator", ("Ada", "", ""))
    assert told("Ada", end) == f"{done.table} was closed (operator)."
    assert told("Ada", MatchEnd("t", "over", 0, ("Ada", "Bo"), (3, 4), (1,))) == "t is over: Ada 3, Bo 4. Bo won."


async def test_a_table_that_was_never_seen() -> None:
    network = Network(FakeServer())
    async with network.client() as client:
        playing = asyncio.ensure_future(play_match(client, "nosuchtable0", GREEDY))
        await asyncio.sleep(0)  # lets it begin to follow
        client.forget("nosuchtable0")
        assert await playing == MatchEnd("nosuchtable0", "left")


class Moody(FakeServer):
    """Refuses some commands the first time, for reasons that pass or that do not."""

    def __init__(self, *codes: tuple[str, bool]) -> None:
        super().__init__()
        self.codes = list(codes)

    def handle(self, link, command):  # type: ignore[no-untyped-def]  # as its base
        if type(command).__name__ == "Play" and self.codes:
            code, retry = self.codes.pop()
            link.send(Error(re=command.id, code=code, message=code, retry=retry, after_ms=None))
            if not retry:
                table = self.tables[command.table]
                link.send(table.view(table.seat_of(link.player), events=False))
            return
        super().handle(link, command)


async def test_refusals_that_pass_are_waited_for() -> None:
    ends = await match(Network(Moody(("seat_reserved", True), ("not_over", True))), [GREEDY] * 3)
    assert {end.reason for end in ends} == {"over"}


async def test_a_strategy_sees_only_its_own_view() -> None:
    seen: list[ScoutView] = []

    def look(view: ScoutView, rng: Random) -> Move:
        seen.append(view)
        return rng.choice(legal_moves(view))

    await match(Network(FakeServer()), [look, GREEDY, GREEDY])
    assert {view.viewer for view in seen} == {2}  # seats are renumbered at the start
    assert all(view.hand for view in seen)


class TestPlans:
    async def play(self, network: Network, plans: list[Plan]) -> tuple[list[bool], list[str]]:
        said: list[str] = []

        async def one(index: int, plan: Plan) -> bool:
            async with network.client(f"Bot {index}") as client:
                return await play_plan(client, plan, said.append, no_sleep)

        async with asyncio.timeout(60):
            return await asyncio.gather(*(one(index, plan) for index, plan in enumerate(plans))), said

    async def test_quick_matches(self) -> None:
        plan = Plan(GREEDY, seats=3, matches=2)
        done, said = await self.play(Network(FakeServer()), [plan] * 3)
        assert done == [True] * 3
        assert sum(" is over: " in line for line in said) == 6

    async def test_a_table_and_its_rematch(self) -> None:
        network = Network(FakeServer())
        async with network.client("Host") as host:
            table = (await host.create(TableOptions(seats=2), seat=None)).table
            assert table is not None
            place = Place("ws://memory/ws", table)
            done, said = await self.play(network, [Plan(GREEDY, place)] * 2)
        assert done == [True, True]
        assert said.count(f"Bot 0 sits at {table}.") == 1

    async def test_a_rematch(self) -> None:
        network = Network(FakeServer())
        async with network.client("Host") as host:
            table = (await host.create(TableOptions(seats=2), seat=None)).table
            assert table is not None
        place = Place("ws://memory/ws", table)

        async def guest() -> bool:
            async with network.client("Guest") as client:
                await client.sit(table)
                await play_match(client, table, GREEDY, sleep=no_sleep)
                while len(network.server.tables) == 1:
                    await client.ping()
                (_, again) = network.server.tables
                await client.sit(again)
                return (await play_match(client, again, GREEDY, sleep=no_sleep)).reason == "over"

        done, finished = await asyncio.gather(self.play(network, [Plan(GREEDY, place, matches=2)]), guest())
        assert done[0] == [True]
        assert finished

    async def test_a_table_that_is_full(self) -> None:
        network = Network(FakeServer())
        async with network.client("Host") as host:
            done = await host.create(TableOptions(seats=2), seat=None)
            assert done.table is not None
            for name in ("Bo", "Cy"):
                guest = await network.client(name).__aenter__()
                await guest.sit(done.table)
                await guest.close()
            with pytest.raises(Refused, match="No such seat is free"):
                await self.play(network, [Plan(GREEDY, Place("ws://memory/ws", done.table))])

    @pytest.mark.parametrize("named", [True, False])
    async def test_a_match_that_was_begun_before_a_restart_of_the_bot(self, named: bool) -> None:
        network = Network(FakeServer())
        async with network.client("Bo") as bo:
            table = (await bo.quick(2)).table
            assert table is not None
            async with network.client("Ada") as ada:
                await ada.sit(table)
                token = ada.token
            place = Place("ws://memory/ws", table) if named else None

            async def again() -> bool:
                async with network.client("Ada", token=token) as ada:
                    return await play_plan(ada, Plan(GREEDY, place), lambda line: None, no_sleep)

            ends = await asyncio.gather(again(), play_match(bo, table, GREEDY, sleep=no_sleep))
        assert ends[0] is True
        assert len(network.server.tables) == 1

    async def test_a_closed_table_ends_the_plan(self) -> None:
        network = Network(FakeServer())
        async with network.client("Host") as host:
            table = (await host.create(TableOptions(seats=2), seat=None)).table
            assert table is not None
            follower = host.follow(table)
            plan = asyncio.ensure_future(self.play(network, [Plan(GREEDY, Place("ws://memory/ws", table))]))
            async for view in follower:
                if view.seats[0].ready:
                    break
            network.server.close(table, "operator")
            done, said = await plan
        assert done == [False]
        assert said[-1] == f"{table} was closed (operator)."


class TestService:
    def service(self, network: Network, said: list[str], most: int = 5, token: str | None = None) -> Service:
        def enter(index: int) -> Client:
            return network.client(f"House {index}", token=token)

        levels = {"greedy": GREEDY, "random": load("random")}
        return Service(enter, levels, most=most, say=said.append, sleep=no_sleep)

    async def over(self, client: Client, table: str) -> None:
        async with asyncio.timeout(60):
            async for view in client.follow(table):
                if view.status == "over":
                    return

    @pytest.mark.parametrize("every", [0, 31])
    async def test_it_fills_tables_with_bots(self, every: int) -> None:
        network, said = Network(FakeServer(), break_every=every), list[str]()
        serving = asyncio.ensure_future(self.service(network, said).run())
        async with network.client("Host") as host:
            tables = []
            for seats in (4, 3):
                done = await host.create(TableOptions(seats=seats), seat=None, bots=seats, level="random")
                assert done.table is not None
                tables.append(done.table)
            for table in tables:
                await self.over(host, table)
        serving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await serving
        assert said[0] == "House 0 serves bots: greedy, random."
        assert sum("sits at" in line for line in said) == 7

    async def test_it_hears_again_of_seats_for_which_nobody_was_free(self) -> None:
        network, said = Network(FakeServer()), list[str]()
        serving = asyncio.ensure_future(self.service(network, said, most=2).run())
        async with network.client("Host") as host, network.client("Guest") as guest:
            first = (await host.create(TableOptions(seats=3), seat=None, bots=3)).table
            second = (await host.create(TableOptions(seats=2), seat=None, bots=2, level="greedy")).table
            third = (await host.create(TableOptions(seats=2), seat=None, bots=2, level="unheard-of")).table
            assert first is not None
            assert second is not None
            assert third is not None
            await self.over(host, second)
            table = network.server.tables[first]
            free = next(seat for seat, known in enumerate(table.seats) if known.name is None)
            await guest.sit(first, free)
            await play_match(guest, first, GREEDY, sleep=no_sleep)
            assert all(seat.name is None for seat in network.server.tables[third].seats)
        serving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await serving

    async def test_a_player_with_too_many_tables_gives_way_to_the_next_and_a_taken_seat_is_let_go(self) -> None:
        class Strict(FakeServer):
            def _sit(self, link: Link, table: Table, seat: int) -> int:
                if self.players_name(link) == "House 0":
                    raise Refusal(errors.TOO_MANY_TABLES)
                if self.players_name(link) == "House 1" and seat == 2:
                    raise Refusal(errors.NO_FREE_SEAT)
                return super()._sit(link, table, seat)

            def players_name(self, link: Link) -> str:
                return next(name for player, name, _ in self.players.values() if player == link.player)

        network, said = Network(Strict()), list[str]()
        serving = asyncio.ensure_future(self.service(network, said).run())
        async with network.client("Host") as host:
            table = (await host.create(TableOptions(seats=2), seat=None, bots=2)).table
            assert table is not None
            await self.over(host, table)
            other = (await host.create(TableOptions(seats=3), seat=None, bots=1)).table
            assert other is not None
            while len(said) < 5:
                await host.ping()
            await host.ping()
            assert all(seat.name is None for seat in network.server.tables[other].seats)
        serving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await serving
        assert {line.split(" sits")[0] for line in said if " sits at " in line} == {"House 1", "House 2"}

    async def test_it_ends_when_the_connection_is_gone_for_good(self) -> None:
        network, said = Network(FakeServer()), list[str]()
        serving = asyncio.ensure_future(self.service(network, said).run())
        async with network.client("Host") as host:
            await host.ping()
            while not said:
                await host.ping()
            network.restart(4503)
        with pytest.raises(Stopped):
            await serving

    async def test_it_takes_up_its_matches_again(self) -> None:
        network, said = Network(FakeServer()), list[str]()
        async with network.client("Host") as host:
            done = await host.create(TableOptions(seats=2), seat=0)
            assert done.table is not None
            async with network.client("House 0") as before:
                await before.sit(done.table)
                token = before.token
            serving = asyncio.ensure_future(self.service(network, said, token=token).run(resume=1))
            end = await play_match(host, done.table, GREEDY, sleep=no_sleep)
            assert end.reason == "over"
            while len(said) < 2:
                await host.ping()
        serving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await serving
        assert any(line.startswith(f"{done.table} is over") for line in said)
