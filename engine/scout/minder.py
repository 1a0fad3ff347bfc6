"""What the minder plays: quickly, sensibly, and to an end."""

from engine.scout.bridge import to_action, to_position
from engine.scout.moves import Move
from engine.scout.playout import light_move
from engine.scout.sample import sample
from engine.scout.view import ScoutView


def minder_move(view: ScoutView) -> Move:
    """The move of a light playout for the seat that `view` belongs to; it depends on nothing hidden.

    Raises `ValueError` for a spectator's view.
    """
    if view.viewer is None:
        raise ValueError("a spectator has no move")
    position = to_position(sample(view, lambda n: 0))
    position.turn = view.viewer  # several seats may be asked for an orientation at once
    return to_action(light_move(position))
