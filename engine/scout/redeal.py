"""Other courses of a game that one viewer could not tell from the real one."""

from engine.game import Pick, Viewer
from engine.scout.moves import Action


def redeal(
    moves: tuple[tuple[int, Action], ...], players: int, variant: str, viewer: Viewer, pick: Pick
) -> tuple[tuple[int, Action], ...]:
    """Another course of the game that `viewer` sees identically at every step."""
    return moves
