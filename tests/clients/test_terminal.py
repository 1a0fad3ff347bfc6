"""Watching and playing in the terminal, against the fake server in memory."""

import asyncio
import io
from collections.abc import AsyncIterator

import pytest

from clients.bots.playing import play_match
from clients.bots.strategies import load
from clients.client import Client
from clients.play import game
from clients.play.game import Game
from clients.terminal.connection import BACK, LOST, NEW, RESTARTS, telling_connection
from clients.terminal.lines import typed_lines
from clients.terminal.telling import Teller
from clients.watch.command import watch
from protocol.options import TableOptions
from protocol.pushes import GoingAway, Presence
from protocol.table_events import RematchMade
from tests.clients.fake import FakeServer
from tests.clients.network import Network, no_sleep

GREEDY = load("greedy")


async def open_table(client: Client, seats: int = 3, seat: int | None = None) -> str:
    table = (await client.create(TableOptions(seats=seats), seat=seat)).table
    assert table is not None
    return table


async def bot(network: Network, name: str, table: str) -> None:
    async with network.client(name) as client:
        await client.sit(table)
        await play_match(client, table, GREEDY, sleep=no_sleep)


class TestWatching:
    @pytest.mark.parametrize("every", [0, 29])
    async def test_a_match_from_the_first_seat_to_the_last_point(self, every: int) -> None:
        network, out = Network(FakeServer(), break_every=every), io.StringIO()
        async with network.client("Eve", bot=False) as client:
            table = await open_table(client)
            bots = [bot(network, name, table) for name in ("Ada", "Bo", "Cy")]
            async with asyncio.timeout(60):
                code, *_ = await asyncio.gather(watch(client, table, Teller(out)), *bots)
        text = out.getvalue()
        assert code == 0
        for sentence in ("Ada, a bot, sits down on seat 1.", "Bo is ready.", "The match begins.", "Round 3 is dealt"):
            assert text.count(sentence) == 1, sentence
        assert text.count("Points ") == 3
        shown = text.count(" shows ")
        moves = network.server.played - 9 - text.count(" scouts ") + text.count(" and at once shows ")
        assert shown == moves  # nothing is told twice, nothing is left out
        assert "The match is over: " in text

    async def test_a_person_is_given_time_to_look_at_each_step(self) -> None:
        network, out, slept = Network(FakeServer()), io.StringIO(), list[float]()

        async def sleep(seconds: float) -> None:
            slept.append(seconds)
            await no_sleep(seconds)

        async with network.client("Eve", bot=False) as client:
            table = await open_table(client, 2)
            watching = watch(client, table, Teller(out), pause=0.7, sleep=sleep)
            await asyncio.gather(watching, *(bot(network, name, table) for name in ("Ada", "Bo")))
        assert slept == [0.7] * (len(network.server.tables[table].log) - 1)

    async def test_a_table_that_is_closed(self) -> None:
        network, out = Network(FakeServer()), io.StringIO()
        async with network.client() as client:
            table = await open_table(client)
            watching = asyncio.ensure_future(watch(client, table, Teller(out)))
            while not out.getvalue():
                await client.ping()
            network.server.close(table, "empty")
            assert await watching == 1
        assert out.getvalue().endswith("The table is closed: nobody is left.\n")


async def play(network: Network, client: Client, table: str, *lines: str) -> tuple[int, str]:
    """What a person sees who types these lines and then closes the input."""

    async def typed() -> AsyncIterator[str]:
        for line in lines:
            await client.ping()
            yield line

    out = io.StringIO()
    async with asyncio.timeout(30):
        code = await Game(client, table, Teller(out)).play(typed())
    return code, out.getvalue()


async def until(client: Client, out: io.StringIO, text: str) -> None:
    """Wait until a text was printed."""
    while text not in out.getvalue():
        await client.ping()
        await asyncio.sleep(0.01)


class TestPlaying:
    async def test_a_whole_match(self) -> None:
        """The person asks what is legal and plays the first of it."""
        network, out = Network(FakeServer()), io.StringIO()
        async with network.client("Ada", bot=False) as client:
            table = await open_table(client, 3, seat=0)

            async def typist() -> AsyncIterator[str]:
                answered = None
                async for view in client.follow(table):
                    if view.status == "break" and view.you is not None and not view.seats[view.you].next:
                        yield "next"
                    elif view.decision not in (None, answered):
                        answered = view.decision
                        yield "legal"
                        yield (await client.legal(table)).moves[0]
                await asyncio.Event().wait()

            teller = Teller(out)
            bots = [bot(network, name, table) for name in ("Bo", "Cy")]
            async with asyncio.timeout(60):
                code, *_ = await asyncio.gather(Game(client, table, teller).play(typist()), *bots)
        text = out.getvalue()
        assert code == 0
        for sentence in (
            "You are ready.",
            "It is your turn.",
            "Keep or turn your hand: type `keep` or `turn`.",
            "Type a move, `legal` or `help`.",
            "  Cards/captured/tokens/S&S: ",
            "Your hand:",
            "Type `next`",
        ):
            assert sentence in text
        assert "  keep  turn\n" in text
        assert "The match is over" in text
        assert text.count(f"The record of the match: http://memory/records/{table}\n") == 1
        assert "Type `rematch`" not in text

    async def test_the_words(self) -> None:
        network = Network(FakeServer())
        async with network.client("Ada", bot=False) as client:
            table = await open_table(client, 3, seat=0)
            code, text = await play(network, client, table, "", "help", "legal", "next", "table", "show 1", "bots")
            assert code == 0
            assert "scout left 4 show 3-5" in text
            assert "Nothing is asked of you now." in text
            assert "Nothing is asked of you now; `help`" in text
            assert text.count("Table table0000000, for 3 players") == 2
            assert [seat.asked for seat in network.server.tables[table].seats] == [None, "", ""]

    async def test_quitting_keeps_the_seat_and_leaving_does_not(self) -> None:
        network = Network(FakeServer())
        async with network.client("Ada", bot=False) as client:
            table = await open_table(client, 3, seat=0)
            assert (await play(network, client, table, "quit", "leave"))[0] == 0
            assert table in {table for wire in network.wires for table in wire.link.watching}
            assert (await play(network, client, table, "leave", "never typed"))[0] == 0
            assert table not in {table for wire in network.wires for table in wire.link.watching}

    async def test_a_refused_move_explains_itself(self) -> None:
        network = Network(FakeServer())
        async with network.client("Ada", bot=False) as client:
            table = await open_table(client, 2, seat=0)
            other = asyncio.ensure_future(bot(network, "Bo", table))
            follower = client.follow(table)
            await client.ready(table)
            async for view in follower:
                if view.decision is not None:
                    break
            code, text = await play(network, client, table, "", "win", "show 1-99", "keep")
            other.cancel()
            with pytest.raises(asyncio.CancelledError):
                await other
        assert "A move is one of: keep, turn, show 3-5" in text
        assert "Write show 3-5 for the third to the fifth card" in text
        assert code == 0

    async def test_a_long_list_of_legal_moves_is_short(self) -> None:
        network = Network(FakeServer(3))
        async with network.client("Ada", bot=False) as client:
            table = await open_table(client, 3, seat=0)
            others = [asyncio.ensure_future(bot(network, name, table)) for name in ("Bo", "Cy")]
            await client.ready(table)
            async for view in client.follow(table):
                if view.decision is None or view.game is None:
                    continue
                if view.game.phase == "play" and len((await client.legal(table)).moves) > 40:
                    break
                await client.play(table, view.decision, (await client.legal(table)).moves[0])
            _, text = await play(network, client, table, "", "legal")
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
        shown = text[text.index("Type a move") :]
        assert "Scouts: 52; Scout & Shows: " in shown
        assert len(shown.splitlines()) < 12

    async def test_quit_does_not_wait_for_a_command(self, monkeypatch: pytest.MonkeyPatch) -> None:
        network = Network(FakeServer())
        async with network.client("Ada", bot=False) as client:
            table = await open_table(client, 3, seat=0)
            monkeypatch.setattr(client, "legal", lambda table: asyncio.Event().wait())
            monkeypatch.setattr(game, "GRACE", 0.01)

            async def typed() -> AsyncIterator[str]:
                yield "legal"
                await client.ping()
                yield "QUIT"
                await asyncio.Event().wait()

            async with asyncio.timeout(5):
                assert await Game(client, table, Teller(io.StringIO())).play(typed()) == 0

    async def test_a_vote_against_a_seat_by_name_or_number(self, monkeypatch: pytest.MonkeyPatch) -> None:
        network, votes = Network(FakeServer()), list[int]()

        async def mind(table: str, seat: int) -> None:
            votes.append(seat)

        async with network.client("Ada", bot=False) as client:
            table = await open_table(client, 3, seat=0)
            monkeypatch.setattr(client, "mind", mind)
            _, text = await play(network, client, table, "", "mind ada", "MIND 3", "mind 4", "mind")
        assert votes == [0, 2]
        assert text.count("Say for whom: `mind` with") == 2

    async def test_whatever_is_typed_gives_a_minded_seat_back(self, monkeypatch: pytest.MonkeyPatch) -> None:
        network, sent = Network(FakeServer()), list[str]()
        async with network.client("Ada", bot=False) as client:
            table = await open_table(client, 3, seat=0)
            network.server.tables[table].change(0, minded=True)

            async def legal(table: str) -> None:
                sent.append(table)

            monkeypatch.setattr(client, "legal", legal)
            await client.watch(table)
            await play(network, client, table, "", "hello")
        assert sent[-1:] == [table]

    async def test_a_rematch(self) -> None:
        network, out = Network(FakeServer()), io.StringIO()
        async with network.client("Ada", bot=False) as client:
            table = await open_table(client, 3, seat=0)

            async def typed() -> AsyncIterator[str]:
                await until(client, out, "ready")
                network.server.tables[table].status = "over"
                network.server._show(network.server.tables[table], events=False)
                await until(client, out, "Type `rematch` to play again, or `quit`.")
                yield "Rematch"
                await until(client, out, "Table table0000001, for 3 players")

            async with asyncio.timeout(10):
                assert await Game(client, table, Teller(out), lasting=True).play(typed()) == 0
        assert "The rematch is at table table0000001." in out.getvalue()
        assert "to join it" not in out.getvalue()

    async def test_somebody_elses_rematch_and_the_end_of_the_table(self) -> None:
        network, out = Network(FakeServer()), io.StringIO()
        async with network.client("Ada", bot=False) as client:
            table = await open_table(client, 3, seat=0)

            async def typed() -> AsyncIterator[str]:
                await until(client, out, "ready")
                network.server.tables[table].status = "over"
                network.server.tables[table].rematch = "table0000001"
                network.server._publish(network.server.tables[table], RematchMade(seat=1, table="table0000001"))
                await until(client, out, "Type `rematch` to join it, or `quit`.")
                network.server.close(table, "empty")
                await asyncio.Event().wait()
                yield ""

            async with asyncio.timeout(10):
                assert await Game(client, table, Teller(out), lasting=True).play(typed()) == 0
        assert "Seat 2 asks for a rematch, at table table0000001." in out.getvalue()

    async def test_who_is_away(self) -> None:
        network, out = Network(FakeServer()), io.StringIO()
        async with network.client("Eve", bot=False) as client, network.client("Ada", bot=False) as ada:
            table = await open_table(client)
            await ada.sit(table)
            watching = asyncio.ensure_future(watch(client, table, Teller(out)))
            await until(client, out, "(free)")
            for here, told in ((False, "Ada is away."), (True, "Ada is here again.")):
                for wire in network.wires:
                    wire.link.send(Presence(table=table, seats=(here, False, False), spectators=1))
                await until(client, out, told)
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
        assert out.getvalue().count("away") == 1

    async def test_a_table_that_is_closed(self) -> None:
        network = Network(FakeServer())
        async with network.client("Ada", bot=False) as client:
            table = await open_table(client, 3, seat=0)

            async def typed() -> AsyncIterator[str]:
                await client.ping()
                network.server.close(table, "operator")
                await asyncio.Event().wait()
                yield ""

            out = io.StringIO()
            assert await Game(client, table, Teller(out)).play(typed()) == 1
        assert out.getvalue().endswith("The operator closed the table.\n")


async def test_lines_end_with_the_input() -> None:
    assert [line async for line in typed_lines(io.StringIO(" keep \n\nquit"))] == ["keep", "", "quit"]


async def test_the_connection_is_told_of() -> None:
    network, said, new = Network(FakeServer()), list[str](), asyncio.Event()

    def say(line: str) -> None:
        said.append(line)
        if line == NEW:
            new.set()

    async with network.client() as client, telling_connection(client, say):
        for wire in network.wires:
            wire.link.send(GoingAway(reason="restart", after_ms=0))
        await client.ping()
        network.restart()
        await client.ping()
        network.server.players.clear()
        network.restart()
        await new.wait()
    assert said == [RESTARTS, BACK, LOST, NEW]
