"""Courses of games that tests play through."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from engine.game import CHANCE
from engine.games import AnyGame


@dataclass(frozen=True)
class Course:
    """A game or its beginning: `states[i]` is the state before `moves[i]`."""

    game: AnyGame
    players: int
    variant: str
    moves: tuple[tuple[int, Any], ...]
    states: tuple[Any, ...]

    def steps(self) -> Iterator[tuple[Any, int, Any, Any]]:
        """Before, actor, action, after."""
        for index, (actor, action) in enumerate(self.moves):
            yield self.states[index], actor, action, self.states[index + 1]

    def cut(self, length: int) -> "Course":
        """The first `length` moves."""
        return Course(self.game, self.players, self.variant, self.moves[:length], self.states[: length + 1])

    @property
    def viewers(self) -> tuple[int | None, ...]:
        return (None, *range(self.players))


def replay(game: AnyGame, players: int, variant: str, moves: tuple[tuple[int, Any], ...]) -> Course:
    states = [game.initial(players, variant)]
    for actor, action in moves:
        states.append(game.apply(states[-1], actor, action))
    return Course(game, players, variant, moves, tuple(states))


def random_course(game: AnyGame, players: int, variant: str, random: Random, limit: int = 5000) -> Course:
    """A game of random moves to its end, or of `limit` moves."""
    states = [game.initial(players, variant)]
    moves: list[tuple[int, Any]] = []
    while states[-1].actors and len(moves) < limit:
        state = states[-1]
        actor = random.choice(sorted(state.actors))
        if actor == CHANCE:
            action = game.chance(state, random.randrange)
        else:
            action = random.choice(list(game.legal_actions(state, actor)))
        moves.append((actor, action))
        states.append(game.apply(state, actor, action))
    return Course(game, players, variant, tuple(moves), tuple(states))
