"""SCOUT as one of Bigtop's games."""

from collections.abc import Iterator
from typing import Any, ClassVar, Final

from engine.game import Game, Outcome, Pick, Viewer
from engine.scout import deals, notation, observe, rules, text
from engine.scout.minder import minder_move
from engine.scout.moves import Action, Deal
from engine.scout.observe import Own
from engine.scout.redeal import redeal
from engine.scout.sample import sample
from engine.scout.state import State, initial
from engine.scout.view import Event, ScoutView

_SEATS: Final = range(2, 6)


class ScoutGame(Game[State, Action, ScoutView, Event]):
    """SCOUT for two to five players (scout.md)."""

    name: ClassVar[str] = "scout"
    seats: ClassVar[range] = _SEATS
    own: ClassVar[tuple[str, ...]] = Own._fields

    def initial(self, players: int, variant: str = "") -> State:
        """The state before the first deal. Raises `ValueError` for a number of players or variant not offered."""
        return initial(players, variant)

    def chance(self, state: State, pick: Pick) -> Deal:
        """The deal that is due; `engine.scout.deals.draw` documents the order of the draws."""
        return deals.draw(state, pick)

    def observe(self, state: State, viewer: Viewer) -> ScoutView:
        """What `viewer` may know of `state` (scout.md, What each viewer may know)."""
        return observe.observe(state, viewer)

    def observe_public(self, state: State) -> dict[str, Any]:
        """What everybody may know of `state`."""
        return observe.observe_public(state)

    def observe_own(self, state: State, seat: int, public: dict[str, Any]) -> Own:
        """What `seat` knows of `state` besides what everybody knows."""
        return observe.observe_own(state, seat, public)

    def describe(self, before: State, actor: int, action: Action, after: State, viewer: Viewer) -> tuple[Event, ...]:
        """What `viewer` may know of `actor` doing `action`."""
        return observe.describe(before, actor, action, after, viewer)

    def outcome(self, state: State) -> Outcome | None:
        """Totals and winners once the last round is over."""
        winners = state.winners
        return None if winners is None else Outcome(state.points, winners)

    def pauses(self, state: State) -> bool:
        """Between two rounds, so that the result of the last one can be read."""
        return state.phase == "deal" and state.round > 0

    def minder_move(self, view: ScoutView) -> Action:
        """The move of a light playout."""
        return minder_move(view)

    def write(self, action: Action) -> str:
        """The one notation of `action`, described in `engine.scout.moves`."""
        return notation.write(action)

    def read(self, text: str) -> Action:
        """The action that `text` denotes. Raises `InvalidMove`."""
        return notation.read(text)

    def text(self, state: State) -> str:
        """The whole state in one line; `parse_text` reads it back."""
        return text.write_text(state)

    def parse_text(self, text_: str) -> State:
        """The state that `text` wrote. Raises `EngineError`."""
        return text.parse_text(text_)

    def sample(self, view: ScoutView, pick: Pick) -> State:
        """A state that fits `view`: what the viewer does not know is drawn uniformly."""
        return sample(view, pick)

    def redeal(
        self, moves: tuple[tuple[int, Action], ...], players: int, variant: str, viewer: Viewer, pick: Pick
    ) -> tuple[tuple[int, Action], ...]:
        """Another course of the game that `viewer` sees identically at every step."""
        return redeal(moves, players, variant, viewer, pick)

    def _actions(self, state: State, actor: int) -> Iterator[Action]:
        return rules.actions(state, actor)

    def _check(self, state: State, actor: int, action: Action) -> None:
        rules.check(state, actor, action)

    def _apply(self, state: State, actor: int, action: Action) -> State:
        return rules.apply(state, actor, action)
