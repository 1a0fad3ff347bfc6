"""One bot that plays some matches and is done."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

from clients.address import Place
from clients.bots.playing import play_match
from clients.bots.service import told
from clients.bots.strategies import Strategy
from clients.client import Client
from clients.errors import Refused


@dataclass(frozen=True, slots=True)
class Plan:
    """What a bot is to play.

    Attributes:
        strategy: how.
        place: the table to join; `None` for quick match.
        seats: for how many players, with quick match.
        matches: how many matches, one after the other; at a named table, the others are rematches.
        think: seconds to wait before each move.
    """

    strategy: Strategy
    place: Place | None = None
    seats: int | None = None
    matches: int = 1
    think: float = 0.0


async def play_plan(
    client: Client,
    plan: Plan,
    say: Callable[[str], None],
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> bool:
    """Play as planned; whether all of it could be played. Raises `Refused` where the bot may not sit down."""
    played = 0
    table = _unfinished(client, plan)
    while played < plan.matches:
        if table is None:
            table = await _sit(client, plan)
        say(f"{client.name} sits at {table}.")
        end = await play_match(client, table, plan.strategy, think=plan.think, sleep=sleep)
        say(told(client.name, end))
        if end.reason == "over":
            played += 1
        elif plan.place is not None:
            return False
        table = await _after(client, table, rematch=plan.place is not None and played < plan.matches)
    return True


def _unfinished(client: Client, plan: Plan) -> str | None:
    """A match that this player had begun before the program was started."""
    running = [table.table for table in client.tables if table.status not in ("over", "closed")]
    if plan.place is not None:
        return plan.place.table if plan.place.table in running else None
    return running[0] if running else None


async def _sit(client: Client, plan: Plan) -> str:
    if plan.place is not None:
        await client.sit(plan.place.table, invite=plan.place.invite)
        return plan.place.table
    table = (await client.quick(plan.seats)).table
    assert table is not None
    return table


async def _after(client: Client, table: str, *, rematch: bool) -> str | None:
    """Leave a table; the table of the rematch, if one is wanted."""
    done = await client.rematch(table) if rematch else None
    with suppress(Refused):
        await client.leave(table)
    client.forget(table)
    return done.table if done else None
