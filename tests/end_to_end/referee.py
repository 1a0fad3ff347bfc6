"""Players that keep a log of their own, and a referee who compares it with the record.

The referee reads what the clients noted when their moves were acknowledged, and the record that the server gives out
at the end, and nothing else of the server's.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from clients.client import Client
from clients.errors import Refused
from clients.scout import engine_view, legal_moves, write
from engine.record import Record
from protocol.errors import STALE_DECISION
from protocol.pushes import View


@dataclass
class Noted:
    """A move that the server acknowledged."""

    seat: int
    move: str
    version: int


@dataclass
class Log:
    """What one player noted.

    Attributes:
        moves: the acknowledged moves, in order.
        heads: the head of every version that was shown.
    """

    moves: list[Noted] = field(default_factory=list)
    heads: dict[int, str] = field(default_factory=dict)


async def play_and_note(client: Client, table: str, rng: Random, log: Log, noted: Callable[[], None]) -> None:
    """Play a match at random, a move at a time, noting each acknowledged move and each head that was shown."""
    done = (0, 0)
    async for view in client.follow(table):
        log.heads[view.version] = view.head
        if view.status == "over":
            return
        assert view.you is not None
        if view.status == "break" and view.game is not None:
            await client.next(table, view.game.round)
        elif view.decision is not None and (view.you, view.decision) != done:
            move = _choose(view, rng)
            try:
                acknowledged = await client.play(table, view.decision, move)
            except Refused as refused:
                if refused.code != STALE_DECISION.code:
                    raise
                continue
            done = (view.you, view.decision)
            assert acknowledged.version is not None
            log.moves.append(Noted(view.you, move, acknowledged.version))
            noted()


def _choose(view: View, rng: Random) -> str:
    assert view.game is not None
    return write(rng.choice(legal_moves(engine_view(view.game))))


class Faults(Exception):
    """What the referee found."""


def judge(logs: list[Log], text: str) -> int:
    """Compare the players' logs with the record. Returns the number of moves; raises `Faults` for any difference."""
    record = Record.parse(text)
    list(record.states())
    played = {
        (line.actor, line.number, line.move) for line in record.moves if line.actor is not None and line.actor >= 0
    }
    acknowledged = [(move.seat, move.version, move.move) for log in logs for move in log.moves]
    lost = [move for move in acknowledged if move not in played]
    if lost:
        raise Faults(f"acknowledged, but not in the record: {lost[:3]}")
    if len(set(acknowledged)) != len(acknowledged):
        raise Faults("a move was acknowledged twice")
    unknown = played - set(acknowledged)
    if unknown:
        raise Faults(f"in the record, but never acknowledged: {sorted(unknown)[:3]}")
    return len(played)
