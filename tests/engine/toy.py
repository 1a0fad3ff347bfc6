"""A tiny game with a secret, to show that the laws ask for nothing but the contract.

Three cards, 1 to 3. Each of two seats gets one in secret, and in turn bets or folds, at the same time. If both bet, the
higher card scores 2; if one folds, the other scores 1.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from engine.errors import IllegalMove, InvalidMove
from engine.game import CHANCE, Game, Outcome, Pick, Viewer


@dataclass(frozen=True, slots=True)
class ToyState:
    cards: tuple[int, ...] = ()
    calls: tuple[str | None, ...] = (None, None)

    @property
    def actors(self) -> frozenset[int]:
        if not self.cards:
            return frozenset({CHANCE})
        return frozenset(seat for seat in (0, 1) if self.calls[seat] is None)


@dataclass(frozen=True, slots=True)
class ToyView:
    viewer: Viewer
    dealt: bool
    card: int | None
    own: str | None
    called: tuple[bool, ...]
    scores: tuple[int, ...] | None


Action = str | tuple[int, ...]


class ToyGame(Game[ToyState, Action, ToyView, str]):
    name: ClassVar[str] = "toy"
    seats: ClassVar[range] = range(2, 3)
    own: ClassVar[tuple[str, ...]] = ("viewer", "card", "own")

    def initial(self, players: int, variant: str = "") -> ToyState:
        if players != 2 or variant:
            raise ValueError("the toy is for two")
        return ToyState()

    def minder_move(self, view: ToyView) -> Action:
        return "bet"

    def chance(self, state: ToyState, pick: Pick) -> tuple[int, ...]:
        first = pick(3)
        return first + 1, (first + 1 + pick(2)) % 3 + 1

    def observe(self, state: ToyState, viewer: Viewer) -> ToyView:
        card = state.cards[viewer] if viewer is not None and state.cards else None
        own = None if viewer is None else state.calls[viewer]
        outcome = self.outcome(state)
        called = tuple(call is not None for call in state.calls)
        return ToyView(viewer, bool(state.cards), card, own, called, None if outcome is None else outcome.scores)

    def describe(
        self, before: ToyState, actor: int, action: Action, after: ToyState, viewer: Viewer
    ) -> tuple[str, ...]:
        if actor == CHANCE:
            return ("dealt",)
        return (f"{actor} called {action}" if viewer == actor else f"{actor} called",)

    def outcome(self, state: ToyState) -> Outcome | None:
        if not state.cards or None in state.calls:
            return None
        bets = [call == "bet" for call in state.calls]
        high = int(state.cards[1] > state.cards[0])
        both = (0, 2) if high else (2, 0)
        scores = both if all(bets) else (int(bets[0]), int(bets[1]))
        return Outcome(scores, tuple(seat for seat in (0, 1) if scores[seat]))

    def write(self, action: Action) -> str:
        return action if isinstance(action, str) else f"deal {action[0]} {action[1]}"

    def read(self, text: str) -> Action:
        words = text.lower().split()
        if words in (["bet"], ["fold"]):
            return words[0]
        if len(words) == 3 and words[0] == "deal" and all(word in ("1", "2", "3") for word in words[1:]):
            return int(words[1]), int(words[2])
        raise InvalidMove("unknown_move", "Bet or fold.")

    def text(self, state: ToyState) -> str:
        return f"toy {state.cards} {state.calls}"

    def sample(self, view: ToyView, pick: Pick) -> ToyState:
        if not view.dealt:
            return ToyState()
        while True:
            calls = tuple("bet" if called and pick(2) else "fold" if called else None for called in view.called)
            state = ToyState(self.chance(ToyState(), pick), calls)
            if self.observe(state, view.viewer) == view:
                return state

    def redeal(
        self, moves: tuple[tuple[int, Action], ...], players: int, variant: str, viewer: Viewer, pick: Pick
    ) -> tuple[tuple[int, Action], ...]:
        state = ToyState()
        for actor, action in moves:
            state = self.apply(state, actor, action)
        if not moves:
            return moves
        wanted = self.sample(self.observe(state, viewer), pick)
        calls = tuple((actor, wanted.calls[actor] or "") for actor, _ in moves[1:])
        return (CHANCE, wanted.cards), *calls

    def _actions(self, state: ToyState, actor: int) -> Iterator[Action]:
        yield from ("bet", "fold")

    def _check(self, state: ToyState, actor: int, action: Action) -> None:
        if actor == CHANCE and not (isinstance(action, tuple) and len(set(action)) == 2):
            raise IllegalMove("wrong_cards", "Two different cards.")
        if actor != CHANCE and action not in ("bet", "fold"):
            raise IllegalMove("wrong_phase", "Bet or fold.")

    def _apply(self, state: ToyState, actor: int, action: Action) -> ToyState:
        if isinstance(action, tuple):
            return replace(state, cards=action)
        return replace(state, calls=tuple(action if seat == actor else call for seat, call in enumerate(state.calls)))
