"""What the minder plays: quickly, sensibly, and to an end."""

from typing import Final

from engine.scout.bridge import to_action, to_position
from engine.scout.moves import Move
from engine.scout.playout import light_move
from engine.scout.rules import actions
from engine.scout.sample import sample
from engine.scout.view import ScoutView

PATIENCE: Final = 200
"""With so many tokens in play a round is going in circles, as one with three players can do with single cards."""


def minder_move(view: ScoutView) -> Move:
    """The move of a light playout for the seat that `view` belongs to; it depends on nothing hidden.

    In a round that goes in circles it is some other move each time, so that the round comes to an end. Raises
    `ValueError` for a spectator's view.
    """
    if view.viewer is None:
        raise ValueError("a spectator has no move")
    state = sample(view, lambda n: 0)
    tokens = sum(seat.tokens for seat in view.seats)
    if view.phase == "play" and tokens > PATIENCE:
        moves = list(actions(state, view.viewer))
        return moves[tokens * tokens % 7919 % len(moves)]
    position = to_position(state)
    position.turn = view.viewer  # several seats may be asked for an orientation at once
    return to_action(light_move(position))
