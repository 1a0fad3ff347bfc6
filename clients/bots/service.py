"""Filling seats that ask for a bot, at many tables at once.

A player has one seat at a table, so a service has several players, each with a connection of its own. The first one
hears which seats ask; a seat goes to the first player who is not at that table yet, and a new player comes in when
there is none.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, suppress

from clients.bots.playing import MatchEnd, play_match
from clients.bots.strategies import Strategy
from clients.client import Client
from clients.dialogue import Resumed
from clients.errors import ClientError, Refused
from protocol.errors import TOO_MANY_TABLES
from protocol.pushes import BotWanted

Enter = Callable[[int], Client]
"""Makes the client of a player, counted from 0; it is entered by the service."""


class Service:
    """Serves bots until it is cancelled or the first connection is gone for good."""

    def __init__(
        self,
        enter: Enter,
        strategies: Mapping[str, Strategy],
        *,
        most: int,
        say: Callable[[str], None],
        think: float = 0.0,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._enter = enter
        self._strategies = strategies
        self._most = most
        self._say = say
        self._think = think
        self._sleep = sleep
        self._players: list[Client] = []
        self._busy: dict[str, set[int]] = {}
        self._wanted: set[tuple[str, int]] = set()
        self._entering = asyncio.Lock()
        self._declined = False

    async def run(self, resume: int = 0) -> None:
        """Serve. The first `resume` players come in at once, to take up again what they had been playing."""
        try:
            async with AsyncExitStack() as stack, asyncio.TaskGroup() as tasks:
                await self._serve(resume, stack, tasks)
        except ExceptionGroup as group:
            errors, others = group.split(ClientError)
            raise (leaf(others) if others else leaf(errors)) from None

    async def _serve(self, resume: int, stack: AsyncExitStack, tasks: asyncio.TaskGroup) -> None:
        first = await self._new_player(stack, tasks)
        pushes = first.pushes()
        for _ in range(1, min(resume, self._most)):
            await self._new_player(stack, tasks)
        await self._offer()
        self._say(f"{first.name} serves bots: {', '.join(self._strategies)}.")
        async for push in pushes:
            if isinstance(push, BotWanted):
                self._hear(push, stack, tasks)
        await first.ping()  # raises what ended the connection

    async def _offer(self) -> None:
        """Also has the server name again all seats that still ask."""
        self._declined = False
        await self._players[0].serve_bots(tuple(self._strategies))

    async def _new_player(self, stack: AsyncExitStack, tasks: asyncio.TaskGroup) -> Client:
        index = len(self._players)
        player = await stack.enter_async_context(self._enter(index))
        self._players.append(player)
        watch = player.pushes()
        self._take_up(index, tasks)

        async def listen() -> None:
            async for push in watch:
                if isinstance(push, Resumed):
                    self._take_up(index, tasks)

        tasks.create_task(listen())
        return player

    def _take_up(self, index: int, tasks: asyncio.TaskGroup) -> None:
        """Go on with matches that this player sits at, after a restart of either side."""
        for table in self._players[index].tables:
            if table.status not in ("over", "closed") and index not in self._busy.get(table.table, ()):
                self._busy.setdefault(table.table, set()).add(index)
                tasks.create_task(self._play(index, table.table, ""))

    def _hear(self, wanted: BotWanted, stack: AsyncExitStack, tasks: asyncio.TaskGroup) -> None:
        seat = (wanted.table, wanted.seat)
        if seat not in self._wanted and (not wanted.level or wanted.level in self._strategies):
            self._wanted.add(seat)
            tasks.create_task(self._fill(wanted, stack, tasks))

    async def _fill(self, wanted: BotWanted, stack: AsyncExitStack, tasks: asyncio.TaskGroup) -> None:
        """Sit down with the first player who can, and play; somebody else's bot may have been faster."""
        try:
            index = await self._sit(wanted, stack, tasks)
        finally:
            self._wanted.discard((wanted.table, wanted.seat))
        if index is not None:
            await self._play(index, wanted.table, wanted.level)

    async def _sit(self, wanted: BotWanted, stack: AsyncExitStack, tasks: asyncio.TaskGroup) -> int | None:
        for index in range(self._most):
            busy = self._busy.setdefault(wanted.table, set())
            if index in busy:
                continue
            busy.add(index)
            try:
                async with self._entering:
                    while len(self._players) <= index:
                        await self._new_player(stack, tasks)
                player = self._players[index]
                await player.sit(wanted.table, wanted.seat, wanted.invite)
            except Refused as refused:
                self._unbusy(index, wanted.table)
                if refused.code != TOO_MANY_TABLES.code:
                    return None
            else:
                self._say(f"{player.name} sits at {wanted.table}, seat {wanted.seat + 1}.")
                return index
        self._declined = True
        return None

    async def _play(self, index: int, table: str, level: str) -> None:
        player = self._players[index]
        strategy = self._strategies.get(level) or next(iter(self._strategies.values()))
        try:
            end = await play_match(player, table, strategy, think=self._think, sleep=self._sleep)
            self._say(told(player.name, end))
            with suppress(Refused):
                await player.leave(table)
            player.forget(table)
        finally:
            self._unbusy(index, table)
        if self._declined:
            await self._offer()

    def _unbusy(self, index: int, table: str) -> None:
        busy = self._busy.get(table, set())
        busy.discard(index)
        if not busy:
            self._busy.pop(table, None)


def leaf(error: BaseException | None) -> BaseException:
    """The first error inside a group of groups."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    assert error is not None
    return error


def told(name: str, end: MatchEnd) -> str:
    """A plain line about the end of a match."""
    if end.reason == "stood":
        return f"{name} lost the seat at {end.table} before the start."
    if end.reason != "over":
        return f"{end.table} was closed ({end.reason})."
    scores = ", ".join(f"{who} {points}" for who, points in zip(end.names, end.points, strict=True))
    winners = " and ".join(end.names[seat] for seat in end.winners)
    return f"{end.table} is over: {scores}. {winners or 'Nobody'} won."
