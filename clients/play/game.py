"""One person at one table: what happens is told, what is typed is sent."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Final

from clients.client import Client
from clients.errors import Refused
from clients.play.words import HELP, LEAVE, QUIT, hints
from clients.running import cancelled
from clients.terminal.drawing import now
from clients.terminal.legal import legal_lines
from clients.terminal.presence import telling_presence
from clients.terminal.records import record_sentence
from clients.terminal.sentences import clean
from clients.terminal.telling import Teller
from protocol.pushes import View

GRACE: Final = 1.0
"""Seconds that commands typed before `quit` may still take, while the server can be talked to."""
Lines = asyncio.Queue[str | None]


class Game:
    """See the module. With `lasting`, the end of a match is not the end: a rematch is offered."""

    def __init__(self, client: Client, table: str, teller: Teller, *, lasting: bool = False) -> None:
        self._client = client
        self._table = table
        self._teller = teller
        self._lasting = lasting
        self._follower = client.follow(table)
        self._hinted: list[str] = []
        self._over = False
        self._asking = False

    async def play(self, lines: AsyncIterator[str]) -> int:
        """Play until the match is over, the table is closed, or the person has had enough; the exit code."""
        queue = Lines()
        work = asyncio.ensure_future(self._work(queue))
        tasks = {work, asyncio.ensure_future(self._follow()), asyncio.ensure_future(self._read(lines, queue, work))}
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            return max(task.result() for task in done)
        finally:
            await cancelled(tasks)

    async def _follow(self) -> int:
        while True:
            follower = self._follower
            async with telling_presence(follower, self._teller):
                async for view, steps in follower.course():
                    self._teller.tell(view, steps)
                    if view.status == "over" and not self._over:
                        self._over = True
                        self._teller.say(record_sentence(self._client, view))
                    if self._over and not (self._lasting and view.you is not None and not view.seats[view.you].left):
                        return 0
                    await self._prompt(view)
            if follower is self._follower:
                break
        if self._over:
            return 0
        if follower.closed and not (follower.view is not None and follower.view.closed):
            self._teller.closed(follower.closed)
        return 0 if follower.closed == "left" else 1

    async def _prompt(self, view: View) -> None:
        """Say what may be typed, each thing once for each time it is due; be ready without being asked."""
        if view.you is not None and view.status == "open" and not view.seats[view.you].ready:
            with suppress(Refused):
                await self._client.ready(self._table)
        due = [] if self._asking else hints(view)
        for hint in due:
            if hint not in self._hinted:
                self._teller.say(hint)
        self._hinted = due

    async def _read(self, lines: AsyncIterator[str], queue: Lines, work: "asyncio.Task[int]") -> int:
        """Hand over what is typed; `quit` does not wait for commands whose answer may never come."""
        async for line in lines:
            if line.lower() == QUIT:
                queue.put_nowait(None)
                await asyncio.wait({work}, timeout=GRACE if self._client.online else 0)
                return 0
            queue.put_nowait(line)
        queue.put_nowait(None)
        await asyncio.wait({work})
        return 0

    async def _work(self, queue: Lines) -> int:
        while (line := await queue.get()) is not None:
            try:
                await self._do(line)
            except Refused as refused:
                self._teller.say(refused.message)
            if line.lower() == LEAVE:
                break
        return 0

    async def _do(self, line: str) -> None:
        view = self._follower.view
        if view is not None and view.you is not None and view.seats[view.you].minded:
            await self._client.legal(self._table)  # whatever is sent gives the seat back
            view = self._follower.view
        word, _, rest = line.strip().partition(" ")
        match line.lower():
            case "":
                pass
            case "help":
                self._teller.say(HELP)
            case "legal":
                await self._legal(view)
            case "next":
                await self._client.next(self._table, view.game.round if view and view.game else 1)
            case "bots":
                await self._ask_for_bots(view)
            case "table":
                if view is not None:
                    self._teller.draw(view)
            case "rematch":
                await self._rematch()
            case "leave":
                await self._client.leave(self._table)
            case _ if word.lower() == "mind" and view is not None:
                await self._mind(view, rest.strip())
            case move if view is not None and view.decision is not None:
                await self._client.play(self._table, view.decision, move)
            case _:
                self._nothing(view, "; `help` tells what you can type")

    def _nothing(self, view: View | None, more: str = "") -> None:
        self._teller.say(f"Nothing is asked of you now{more}.")
        if view is not None:
            self._teller.say(now(view))

    async def _legal(self, view: View | None) -> None:
        legal = await self._client.legal(self._table)
        moves = [*legal.moves]
        while legal.more and legal.moves:
            legal = await self._client.legal(self._table, offset=len(moves))
            moves += legal.moves
        if not moves or legal.decision is None:
            self._nothing(view)
            return
        newest = self._follower.view
        hand = newest.game.hand if newest is not None and newest.game is not None else None
        self._teller.say("\n".join(legal_lines(moves, hand or ())))

    async def _ask_for_bots(self, view: View | None) -> None:
        for seat, known in enumerate(view.seats if view is not None else ()):
            if known.name is None and known.asked is None:
                await self._client.ask_bot(self._table, seat)

    async def _mind(self, view: View, who: str) -> None:
        """Vote against a seat, by its player's name or its number."""
        names = [clean(seat.name or "").casefold() for seat in view.seats]
        if who.casefold() in names and who:
            await self._client.mind(self._table, names.index(who.casefold()))
        elif who.isdecimal() and 1 <= int(who) <= len(names):
            await self._client.mind(self._table, int(who) - 1)
        else:
            self._teller.say("Say for whom: `mind` with a player's name, or the number of a seat from the top.")

    async def _rematch(self) -> None:
        """Go on at the table of the rematch, which is made if nobody has made it yet."""
        self._asking = True
        try:
            done = await self._client.rematch(self._table)
        finally:
            self._asking = False
        assert done.table is not None
        if done.table == self._table:
            return
        old, self._table, self._over = self._table, done.table, False
        self._follower, self._hinted = self._client.follow(done.table), []
        self._teller.begin()
        self._teller.say(f"The rematch is at table {done.table}.")
        self._client.forget(old)  # ends the follower that `_follow` reads
