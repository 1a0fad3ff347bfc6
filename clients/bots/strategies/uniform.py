"""The strategy `random`: any legal move, each as likely as the others."""

from random import Random

from clients.scout import legal_moves
from engine.scout import Move, ScoutView


def choose(view: ScoutView, rng: Random) -> Move:
    """A legal move."""
    return rng.choice(legal_moves(view))
