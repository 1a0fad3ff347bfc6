"""Which move a seat makes, from no more of its view than that needs.

A light playout's move; one in four is a Scout to a random place instead, where there is something to scout, and one in
sixteen any legal move at all, so that rounds last and every kind of move occurs.
"""

from functools import cache
from random import Random
from typing import Final

import msgspec

from engine.scout.bridge import to_action
from engine.scout.core import PLAYING, Position, moves
from engine.scout.notation import write
from engine.scout.playout import light_move
from engine.scout.sets import set_strength

ANY_MOVE: Final = 1 / 16
ANY_SCOUT: Final = 1 / 4
_PLAYERS: Final = 4


class SeatPart(msgspec.Struct, gc=False):
    """What a choice needs of a seat."""

    scout_show: bool


class GamePart(msgspec.Struct, gc=False):
    """What a choice needs of a game."""

    viewer: int
    round: int
    phase: str
    hand: tuple[tuple[int, int], ...]
    active: tuple[tuple[int, int], ...]
    seats: tuple[SeatPart, ...]


read_game = msgspec.msgpack.Decoder(GamePart).decode


def choose(game: GamePart, random: Random) -> str:
    """A legal move in its notation."""
    position = _position(game)
    drawn = random.random()
    if drawn < ANY_MOVE:
        return _written(random.choice(moves(position)))
    if drawn < ANY_MOVE + ANY_SCOUT and position.table_up and not position.waiting:
        end = random.getrandbits(1) if len(position.table_up) > 1 else 0
        gap = random.randrange(len(game.hand) + 1)
        return _written((256 | end << 7 | random.getrandbits(1) << 6 | gap) << 10)
    return _written(light_move(position))


@cache
def _written(move: int) -> str:
    return write(to_action(move))


def _position(game: GamePart) -> Position:
    """The viewer's part of the position, with the viewer as seat 0: no other seat matters for what it may do."""
    position = Position()
    position.players = _PLAYERS
    position.over = PLAYING
    position.turn = 0
    position.waiting = int(game.phase == "orient")
    position.up = [[up for up, _ in game.hand]]
    position.down = [[down for _, down in game.hand]]
    position.table_up = [up for up, _ in game.active]
    position.table_down = [down for _, down in game.active]
    position.floor = set_strength(position.table_up)
    position.rights = [game.seats[game.viewer].scout_show]
    return position
