"""One person at one table: what happens is told, what is typed is sent."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Final

from clients.client import Client
from clients.errors import Refused
from clients.running import cancelled
from clients.terminal.telling import Teller
from protocol.pushes import View

HELP: Final = """\
  keep, turn               keep your hand as it was dealt, or turn all of it
  show 3-5                 lay down your third to fifth card; show 3 for one card
  scout left 4             take the left card of the set; it becomes your fourth card
  scout right turned 1     take the right card, turned; it becomes your first card
  scout left 4 show 3-5    Scout & Show, once a round: the Show counts in the hand after the Scout
  legal                    list what you may do now
  next                     go on after a round's result
  bots                     ask for a bot on each free seat
  table                    draw the table again
  leave                    leave the table for good
  quit                     end the program; `bigtop play` brings you back"""
YOUR_TURN: Final = "Type a move, `legal` or `help`."
NEXT: Final = "Type `next` for the next round."
OFFER: Final = "Type `bots` to fill the free seats with bots."
SOME: Final = 40
"""So many legal moves are listed; there can be over a thousand."""


class Game:
    """See the module."""

    def __init__(self, client: Client, table: str, teller: Teller) -> None:
        self._client = client
        self._table = table
        self._teller = teller
        self._follower = client.follow(table)
        self._hinted: set[str] = set()

    async def play(self, lines: AsyncIterator[str]) -> int:
        """Play until the match is over, the table is closed, or the person has had enough; the exit code."""
        tasks = {asyncio.ensure_future(self._follow()), asyncio.ensure_future(self._read(lines))}
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            return max(task.result() for task in done)
        finally:
            await cancelled(tasks)

    async def _follow(self) -> int:
        async for view, steps in self._follower.course():
            self._teller.tell(view, steps)
            if view.status == "over":
                return 0
            await self._prompt(view)
        if self._follower.closed and not (self._follower.view is not None and self._follower.view.closed):
            self._teller.closed(self._follower.closed)
        return 0 if self._follower.closed == "left" else 1

    async def _prompt(self, view: View) -> None:
        """Say what may be typed, each thing once for each time it is due; be ready without being asked."""
        if view.you is not None and view.status == "open" and not view.seats[view.you].ready:
            with suppress(Refused):
                await self._client.ready(self._table)
        due = {
            YOUR_TURN: view.decision is not None,
            NEXT: view.status == "break" and view.you is not None and not view.seats[view.you].next,
            OFFER: view.bots_offered,
        }
        for hint, holds in due.items():
            if holds and hint not in self._hinted:
                self._teller.say(hint)
        self._hinted = {hint for hint, holds in due.items() if holds}

    async def _read(self, lines: AsyncIterator[str]) -> int:
        async for line in lines:
            if line == "quit":
                break
            try:
                await self._do(line)
            except Refused as refused:
                self._teller.say(refused.message)
            if line == "leave":
                break
        return 0

    async def _do(self, line: str) -> None:
        view = self._follower.view
        match line.lower():
            case "":
                pass
            case "help":
                self._teller.say(HELP)
            case "legal":
                await self._legal()
            case "next":
                await self._client.next(self._table, view.game.round if view and view.game else 1)
            case "bots":
                await self._ask_for_bots(view)
            case "table":
                if view is not None:
                    self._teller.draw(view)
            case "leave":
                await self._client.leave(self._table)
            case move if view is not None and view.decision is not None:
                await self._client.play(self._table, view.decision, move)
            case _:
                self._teller.say("Nothing is asked of you now; `help` tells what you can type.")

    async def _legal(self) -> None:
        legal = await self._client.legal(self._table)
        if not legal.moves:
            self._teller.say("Nothing is asked of you now.")
            return
        self._teller.say("\n".join(f"  {move}" for move in legal.moves[:SOME]))
        if len(legal.moves) > SOME or legal.more:
            self._teller.say(f"  and {len(legal.moves) - SOME}{' or more' if legal.more else ''} others.")

    async def _ask_for_bots(self, view: View | None) -> None:
        for seat, known in enumerate(view.seats if view is not None else ()):
            if known.name is None and known.asked is None:
                await self._client.ask_bot(self._table, seat)
