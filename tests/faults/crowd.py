"""A crowd of players in one process, who play match after match and note what was acknowledged.

    python -m tests.faults.crowd PLAN

PLAN is a JSON file. They begin no more matches after a line on standard input, and then think less. When standard input
closes, they stop where they are.
"""

import asyncio
import sys
from collections.abc import Sequence
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from random import Random

import msgspec
import uvloop

from clients.client import Client
from clients.dialogue import Who
from clients.errors import ClientError, Refused
from protocol.options import TableOptions
from protocol.pushes import View
from tests.end_to_end.noting import Log, Think, play_and_note
from tests.faults.notebook import Match, Notebook, Watch

STUCK_SECONDS = 60.0
"""How long a table may go without a move."""
HASTE = 1 / 3
"""What part of the usual time players think when they are to finish."""
LIMIT_SECONDS = 600
"""The limit for a move: no fault takes so long that a minder would have to play."""


class Plan(msgspec.Struct):
    """What a crowd does.

    Attributes:
        servers: where it may connect.
        sizes: how many players each table has.
        think: seconds that a player thinks on average.
        notes: the file to write to.
        seed: for all choices.
    """

    servers: list[str]
    sizes: list[int]
    think: float
    notes: str
    seed: int


class Crowd:
    """All tables."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._notebook = Notebook(Path(plan.notes))
        self._finishing = asyncio.Event()

    async def run(self) -> None:
        """Play until told to finish."""
        rng = Random(self._plan.seed)
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._listen())
                for size in self._plan.sizes:
                    tasks.create_task(self._group(size, Random(rng.random())))
        finally:
            self._notebook.close()

    async def _listen(self) -> None:
        reader = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        if not await reader.readline():
            raise KeyboardInterrupt
        self._finishing.set()

    async def _group(self, size: int, rng: Random) -> None:
        """People who play one match after the other with each other, each time connected anew."""
        tokens: list[str | None] = [None] * size
        while not self._finishing.is_set():
            clients = [self._client(f"P{seat}", token, rng) for seat, token in enumerate(tokens)]
            try:
                async with asyncio.timeout(STUCK_SECONDS):
                    await asyncio.gather(*(client.__aenter__() for client in clients))
                await self._match(clients, rng)
            except TimeoutError:
                self._notebook.write(Match("", [], f"waiting for an answer for too long: {_state(clients)}"))
            finally:
                tokens = [client.token for client in clients]
                await asyncio.gather(*(client.close() for client in clients), return_exceptions=True)

    def _client(self, name: str, token: str | None, rng: Random) -> Client:
        who = Who(name=name, bot=True)
        watch = Watch(self._notebook)
        return Client(self._plan.servers, who, token=token, patient=True, dial=watch.dial, chance=rng.random)

    async def _match(self, clients: Sequence[Client], rng: Random) -> None:
        try:
            async with asyncio.timeout(STUCK_SECONDS):
                table = await _seated(clients, rng)
        except Refused as refused:  # a Redis that lost its data does not know the table or the player any more
            self._notebook.refusals[f"not seated: {refused.code}"] += 1
            await asyncio.sleep(0.2)
            return
        match = Match(table, [Log() for _ in clients], "stopped in the middle")
        try:
            match.failure = await self._play(clients, match, rng)
        finally:
            self._notebook.write(match)
        async with asyncio.timeout(STUCK_SECONDS):
            for client in clients:
                with suppress(Refused):
                    await client.leave(table)

    async def _play(self, clients: Sequence[Client], match: Match, rng: Random) -> str | None:
        """Play a match to its end; why that was not possible, if it was not."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(STUCK_SECONDS) as limit, asyncio.TaskGroup() as tasks:

                def noted() -> None:
                    limit.reschedule(loop.time() + STUCK_SECONDS)

                for client, log in zip(clients, match.logs, strict=True):
                    play = play_and_note(client, match.table, Random(rng.random()), log, noted, self._thinking(rng))
                    tasks.create_task(play)
        except TimeoutError:
            return f"no move for too long: {_state(clients, match.table)}"
        except ExceptionGroup as group:
            known, others = group.split(ClientError)
            if others is not None:
                raise
            assert known is not None
            return "; ".join(sorted(f"{type(error).__name__}: {error}" for error in known.exceptions))
        return None

    def _thinking(self, rng: Random) -> Think:
        async def think(view: View) -> None:
            """Choices that all make at once are made without thinking: so that they do meet."""
            assert view.game is not None
            if view.game.phase == "play":
                haste = HASTE if self._finishing.is_set() else 1.0
                await asyncio.sleep(self._plan.think * 2 * rng.random() * haste)

        return think


def _state(clients: Sequence[Client], table: str = "") -> str:
    """Where each client stands, for whoever looks for the reason."""
    return ", ".join(f"{_stands(client)} {_sees(client.follow(table).view)}" for client in clients)


def _stands(client: Client) -> str:
    line = "on" if client.online else "off"
    return f"{client.name} {line}line at {client.url} waits for {sorted(client._waiting)}"


def _sees(view: View | None) -> str:
    if view is None:
        return "and sees nothing"
    seats = "".join("n" if seat.next else "r" if seat.ready else "m" if seat.minded else "-" for seat in view.seats)
    return f"and sees {view.version} {view.status} as {view.you} of {seats}, decision {view.decision}"


async def _seated(clients: Sequence[Client], rng: Random) -> str:
    """A table where all have sat down and are ready. Raises `Refused`."""
    maker = rng.choice(clients)
    table = (await maker.create(TableOptions(seats=len(clients), move_seconds=LIMIT_SECONDS))).table
    assert table is not None
    await asyncio.gather(*(client.sit(table) for client in clients if client is not maker))
    await asyncio.gather(*(client.ready(table) for client in clients))
    return table


def sizes(tables: int) -> list[int]:
    """How many players sit at each table: mostly two, whose matches are short, and some of all other numbers."""
    kinds = cycle((2, 2, 3, 2, 2, 4, 2, 2, 2, 5))
    return [next(kinds) for _ in range(tables)]


def main() -> None:
    plan = msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Plan)
    with suppress(KeyboardInterrupt), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(Crowd(plan).run())


if __name__ == "__main__":
    main()
