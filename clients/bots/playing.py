"""Playing one match at one table with a strategy."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Final

from clients.backoff import Backoff
from clients.bots.strategies import Strategy
from clients.client import Client
from clients.errors import Refused
from clients.scout import engine_view, legal_moves, write
from protocol.errors import ILLEGAL_MOVE, INVALID_MOVE, NO_DECISION
from protocol.pushes import View

BAD_MOVES: Final = (ILLEGAL_MOVE.code, INVALID_MOVE.code)
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class MatchEnd:
    """How a match ended for a player.

    Attributes:
        table: where.
        reason: ``over``, ``stood`` if the seat was lost before the start, else why the table was closed.
        seat: the own seat, while there was one.
        names: who sat where; empty for a free seat.
        points: each seat's total.
        winners: the winning seats, once the match is over.
    """

    table: str
    reason: str
    seat: int | None = None
    names: tuple[str, ...] = ()
    points: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()


async def play_match(
    client: Client,
    table: str,
    strategy: Strategy,
    *,
    rng: Random | None = None,
    think: float = 0.0,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> MatchEnd:
    """Play at a table where the client sits until the match is over, the table is closed or the seat is lost.

    Says `ready` and `next`, tells the nonce, plays what the strategy chooses, and something legal if that is refused.
    Goes on over lost connections. Raises `Stopped` when the connection is gone for good.

    Args:
        client: who plays.
        table: where; the client must sit there already.
        strategy: what chooses the moves. It runs in a thread of its own, and may take its time.
        rng: the randomness that the strategy gets.
        think: seconds to wait before each move.
        sleep: how to wait.
    """
    player = _Player(client, table, strategy, rng or Random(), think, sleep)
    follower = client.follow(table)
    seat: int | None = None
    async for view in follower:
        if view.status == "over":
            return _end(table, "over", view)
        if view.you is None and seat is not None:
            return _end(table, "stood", view)
        seat = view.you
        if seat is not None:
            await player.answer(view, seat)
    return _end(table, follower.closed or "closed", follower.view)


def _end(table: str, reason: str, view: View | None) -> MatchEnd:
    if view is None:
        return MatchEnd(table, reason)
    names = tuple(seat.name or "" for seat in view.seats)
    if view.game is None:
        return MatchEnd(table, reason, view.you, names)
    points = tuple(seat.points for seat in view.game.seats)
    return MatchEnd(table, reason, view.you, names, points, view.game.winners or ())


class _Player:
    """What a table asks of a bot, answered."""

    def __init__(
        self,
        client: Client,
        table: str,
        strategy: Strategy,
        rng: Random,
        think: float,
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        self._client = client
        self._table = table
        self._strategy = strategy
        self._rng = rng
        self._think = think
        self._sleep = sleep
        self._answered = 0

    async def answer(self, view: View, seat: int) -> None:
        """Do what `view` asks of this seat, if anything. A refusal is never an error: the next view tells more."""
        if view.status == "open" and not view.seats[seat].ready:
            await self._try(lambda: self._client.ready(self._table))
        elif view.status == "break" and not view.seats[seat].next and view.game is not None:
            round = view.game.round
            await self._try(lambda: self._client.next(self._table, round))
        elif view.decision is not None and view.decision != self._answered and view.game is not None:
            self._answered = view.decision
            await self._play(view, view.decision)

    async def _play(self, view: View, decision: int) -> None:
        if self._think:
            await self._sleep(self._think)
        move = await self._choose(view)
        refused = await self._try(lambda: self._client.play(self._table, decision, move))
        if refused is not None and refused.code in BAD_MOVES:
            _log.warning("%s: the strategy's move %r was refused: %s", self._table, move, refused)
            await self._play_something(decision)

    async def _choose(self, view: View) -> str:
        """The strategy's move; any legal move if it fails."""
        assert view.game is not None
        seen = engine_view(view.game)
        try:
            move = await asyncio.to_thread(self._strategy, seen, self._rng)
        except Exception:
            _log.exception("%s: the strategy failed.", self._table)
            move = self._rng.choice(legal_moves(seen))
        return move if isinstance(move, str) else write(move)

    async def _play_something(self, decision: int) -> None:
        with suppress(Refused):
            legal = await self._client.legal(self._table)
            if legal.decision == decision and legal.moves:
                await self._client.play(self._table, decision, self._rng.choice(legal.moves))

    async def _try(self, send: Callable[[], Awaitable[object]]) -> Refused | None:
        """Send until it is not refused for a reason that passes; then the refusal, if there was one."""
        backoff = Backoff(first=1.0)
        for attempt in range(10):
            try:
                await send()
            except Refused as refused:
                if not refused.retry or refused.code == NO_DECISION.code:
                    return refused
                await self._sleep(max(backoff.delay(attempt, self._rng.random()), (refused.after_ms or 0) / 1000))
            else:
                return None
        return None
