"""SCOUT for clients: the engine's view of what the server sent, and the moves that a view allows."""

import msgspec

from engine.scout import SCOUT, Deal, Move, ScoutView, State
from protocol.scout import ScoutView as SentView


def engine_view(sent: SentView) -> ScoutView:
    """The view as the engine's own value, with which its functions work."""
    return msgspec.convert(msgspec.to_builtins(sent), ScoutView)


def state_of(view: ScoutView) -> State:
    """Some state that fits the view; what its viewer may do is the same in all of them."""
    return SCOUT.sample(view, lambda n: 0)


def legal_moves(view: ScoutView) -> list[Move]:
    """What the viewer may do now; nothing for a spectator, and while others act."""
    if view.viewer is None:
        return []
    return [move for move in SCOUT.legal_actions(state_of(view), view.viewer) if not isinstance(move, Deal)]


def is_legal(view: ScoutView, move: Move) -> bool:
    """Whether the viewer may make this move now."""
    return view.viewer is not None and move in SCOUT.legal_actions(state_of(view), view.viewer)


def write(move: Move) -> str:
    """The notation of a move."""
    return SCOUT.write(move)
