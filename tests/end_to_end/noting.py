"""Players that keep a log of their own: what they were shown, what they sent, and what was acknowledged."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from random import Random

from clients.client import Client
from clients.dialogue import PATIENT
from clients.errors import Refused
from engine.scout.bridge import to_action
from engine.scout.core import PLAYING, Position, moves
from engine.scout.notation import write
from engine.scout.playout import light_move
from engine.scout.sets import set_strength
from protocol.errors import (
    ALREADY_SEATED,
    ALREADY_STARTED,
    NO_SUCH_TABLE,
    NOT_SEATED,
    STALE_DECISION,
    TABLE_CLOSED,
)
from protocol.pushes import View

ANY_MOVE = 0.3
"""How many of all moves are chosen without any aim."""
CLOSED = frozenset({TABLE_CLOSED.code, NO_SUCH_TABLE.code})
"""What is answered at a table that has been closed, or that the store does not know any more."""

OVERTAKEN = frozenset({NOT_SEATED.code, ALREADY_SEATED.code, ALREADY_STARTED.code})
"""What is answered before the start to who acts on a view that is no longer the newest."""


@dataclass
class Noted:
    """A move that the server acknowledged.

    Attributes:
        seat: who moved.
        move: in the game's notation.
        version: the version that it made.
        shown: when the player was shown that a move is asked for; all times are the computer's monotonic seconds.
        asked: when the move was sent first.
        acknowledged: when the answer came.
    """

    seat: int
    move: str
    version: int
    shown: float = 0.0
    asked: float = 0.0
    acknowledged: float = 0.0


@dataclass
class Doubt:
    """A move of which the player was never told whether it was made."""

    seat: int
    move: str
    code: str


@dataclass
class Log:
    """What one player noted at one table.

    Attributes:
        moves: the acknowledged moves, in order.
        heads: the head of every version that was shown.
        forks: versions that were shown with another head before.
        doubts: moves that may or may not have been made.
        over: whether the end of the match was shown.
        closed: the reason that was given for closing the table; `None` if it was not closed.
    """

    moves: list[Noted] = field(default_factory=list)
    heads: dict[int, str] = field(default_factory=dict)
    forks: list[int] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    over: bool = False
    closed: str | None = None

    def saw(self, view: View) -> None:
        """Note which history a view belongs to."""
        if self.heads.setdefault(view.version, view.head) != view.head:
            self.forks.append(view.version)


Think = Callable[[View], Awaitable[None]]
"""What a player does before a move."""


async def _at_once(view: View) -> None:
    pass


async def play_and_note(
    client: Client, table: str, rng: Random, log: Log, noted: Callable[[], None], think: Think = _at_once
) -> None:
    """Play a match at random, a move at a time, noting each acknowledged move and each head that was shown.

    It ends with the match, or when the player hears that the table is closed. Who is stood up before the start, as
    somebody whose server could not tell a nonce in time, sits down again.
    """
    done = (0, 0)
    follower = client.follow(table)
    async for view in follower:
        shown = time.monotonic()
        log.saw(view)
        if view.status == "over":
            log.over = True
            return
        try:
            if view.status == "closed":
                continue
            if view.you is None:
                await client.sit(table)
                continue
            if view.status == "open" and not view.seats[view.you].ready:
                await client.ready(table)
            elif view.status == "break" and view.game is not None and not view.seats[view.you].next:
                await client.next(table, view.game.round)
            elif view.decision is not None and (view.you, view.decision) != done:
                await think(view)
                if await move_and_note(client, view, rng, log, shown):
                    done = (view.you, view.decision)
                    noted()
        except Refused as refused:
            if refused.code in CLOSED:
                log.closed = refused.code
                return
            if refused.code not in OVERTAKEN:  # the next view tells
                raise
    log.closed = follower.closed


async def move_and_note(client: Client, view: View, rng: Random, log: Log, shown: float) -> bool:
    """Make a move; whether it was acknowledged. Raises `Refused` where that says something about the table."""
    assert view.you is not None
    assert view.decision is not None
    move = choose_move(view, rng)
    asked = time.monotonic()
    try:
        answer = await client.play(view.table, view.decision, move)
    except Refused as refused:
        if refused.code == STALE_DECISION.code:
            return False
        if refused.code in PATIENT:
            log.doubts.append(Doubt(view.you, move, refused.code))
            return False
        raise
    assert answer.version is not None
    log.moves.append(Noted(view.you, move, answer.version, shown, asked, time.monotonic()))
    return True


def choose_move(view: View, rng: Random) -> str:
    """A legal move: any of all, or the one that brings the round on, so that matches come to an end.

    It looks only at what such a choice needs, since players by the hundred share a processor.
    """
    game = view.game
    assert game is not None
    assert game.viewer is not None
    assert game.hand is not None
    own = game.seats[game.viewer]
    position = Position()
    position.players = len(game.seats)
    position.over = PLAYING
    position.turn = 0  # the viewer, whatever its number
    position.waiting = int(game.phase == "orient")
    position.up = [[up for up, _ in game.hand]]
    position.down = [[down for _, down in game.hand]]
    position.table_up = [up for up, _ in game.active]
    position.table_down = [down for _, down in game.active]
    position.floor = set_strength(position.table_up)
    position.rights = [own.scout_show]
    position.tokens = [own.tokens]
    any_of_all = position.waiting or rng.random() < ANY_MOVE
    return write(to_action(rng.choice(moves(position)) if any_of_all else light_move(position)))
