"""Players who are at two machines at once: what they send reaches two processes in the same moment.

Half of their moves are one command, with one id, on both connections: it has one effect and the same answer on both.
The others are two commands for one decision: one is carried out, and the other finds the decision made.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from random import Random

from clients.client import Client
from clients.dialogue import Who
from clients.errors import Refused
from protocol.commands import Play
from protocol.errors import STALE_DECISION
from protocol.options import TableOptions
from protocol.pushes import AnyReply, Done, View
from tests.end_to_end.noting import Log, Noted, choose_move
from tests.faults.notebook import Match

SAME_COMMAND = "same_command"
SAME_MOMENT = "same_moment"
LIMIT_SECONDS = 600


class Twin:
    """One player with a connection to each of two machines.

    Attributes:
        log: what was acknowledged.
        sent: how often what was sent twice, by kind.
        wrong: what should not have been.
    """

    def __init__(self, first: Client, second: Client, rng: Random, pause: float) -> None:
        self._clients = (first, second)
        self._rng = rng
        self._pause = pause
        self.log = Log()
        self.sent = Counter[str]()
        self.wrong: list[str] = []

    async def play(self, table: str) -> None:
        """Play a match to its end."""
        done = 0
        first = self._clients[0]
        async for view in first.follow(table):
            shown = time.monotonic()
            self.log.saw(view)
            if view.status == "over":
                self.log.over = True
                return
            if view.status == "break" and view.game is not None and view.you is not None:
                if not view.seats[view.you].next:
                    await first.next(table, view.game.round)
            elif view.decision is not None and view.decision != done:
                await asyncio.sleep(self._pause)
                await self._move(view, shown)
                done = view.decision

    async def _move(self, view: View, shown: float) -> None:
        kind = self._rng.choice((SAME_COMMAND, SAME_MOMENT))
        first = self._command(view)
        second = first if kind == SAME_COMMAND else self._command(view)
        asked = time.monotonic()
        answers = await asyncio.gather(
            *(_answer(client, play) for client, play in zip(self._clients, (first, second), strict=True))
        )
        self.sent[kind] += 1
        done = [(play, answer) for play, answer in zip((first, second), answers, strict=True) if type(answer) is Done]
        if kind == SAME_COMMAND:
            good = len(done) == 2 and answers[0] == answers[1]
        else:
            good = len(done) == 1 and STALE_DECISION.code in answers
        if not good:
            self.wrong.append(f"{view.table}: {kind}, and the answers were {answers}")
        for play, answer in done[:1] if kind == SAME_COMMAND else done:
            assert view.you is not None
            assert answer.version is not None
            self.log.moves.append(Noted(view.you, play.move, answer.version, shown, asked, time.monotonic()))

    def _command(self, view: View) -> Play:
        assert view.decision is not None
        move = choose_move(view, self._rng)
        return Play(id=self._clients[0].new_id(), table=view.table, decision=view.decision, move=move)


async def _answer(client: Client, command: Play) -> AnyReply | str:
    """The answer, or the code of a refusal."""
    try:
        return await client.request(command)
    except Refused as refused:
        return refused.code


async def twins_match(servers: Sequence[str], rng: Random, pause: float) -> tuple[Match, Counter[str], list[str]]:
    """A match between two such players. Returns what they noted, how often what was sent, and what was wrong."""
    async with AsyncExitStack() as stack:

        async def enter(server: str, name: str, token: str | None) -> Client:
            client = Client(server, Who(name=name, bot=True), token=token, patient=True)
            return await stack.enter_async_context(client)

        players: list[Twin] = []
        firsts: list[Client] = []
        for number in range(2):
            first = await enter(servers[number], f"Twin {number}", None)
            second = await enter(servers[1 - number], f"Twin {number}", first.token)
            firsts.append(first)
            players.append(Twin(first, second, Random(rng.random()), pause))
        table = (await firsts[0].create(TableOptions(seats=2, move_seconds=LIMIT_SECONDS))).table
        assert table is not None
        await firsts[1].sit(table)
        await asyncio.gather(*(client.ready(table) for client in firsts))
        await asyncio.gather(*(player.play(table) for player in players))
    sent, wrong = Counter[str](), list[str]()
    for player in players:
        sent += player.sent
        wrong += player.wrong
    return Match(table, [player.log for player in players]), sent, wrong
