"""The contract that every game fulfils.

A game is a set of pure functions over a frozen state. *Actors* are the seats whose action the state waits for; SCOUT's
orientation choice waits for several at once. Chance is an actor too: a deal or a shuffle is an action like any other,
built by `Game.chance` from numbers that the caller draws. A replay therefore never depends on a random generator.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar, final

from engine.errors import IllegalMove

CHANCE: Final = -1
"""The actor that deals and shuffles."""

Viewer = int | None
"""Who looks: a seat, or `None` for a spectator, who knows what is public and no more."""

Pick = Callable[[int], int]
"""Draws a number from 0 to n - 1. The caller decides where it comes from."""


class State(Protocol):
    """What every game's state has: whom it waits for."""

    @property
    def actors(self) -> frozenset[int]:
        """The seats that may act now, or `{CHANCE}`; empty once the game is over."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a finished game ended.

    Attributes:
        scores: one total per seat.
        winners: the seats that won, all of them when they share the win; empty when nobody did.
    """

    scores: tuple[int, ...]
    winners: tuple[int, ...]


S = TypeVar("S", bound=State)
A = TypeVar("A")
V = TypeVar("V")
E = TypeVar("E")


class Game(ABC, Generic[S, A, V, E]):
    """One game: state S, action A, view V, event E.

    An author writes the abstract methods. `apply`, `legal_actions` and `check` are final: turn and legality are checked
    here, once, for every game.
    """

    name: ClassVar[str]
    """The name in records, in the protocol and on the command line."""
    seats: ClassVar[range]
    """The numbers of players the game allows."""
    variants: ClassVar[tuple[str, ...]] = ("",)
    """Rule variants, the usual one first."""
    own: ClassVar[tuple[str, ...]]
    """The fields of a view that hold what only its viewer may know, in their order. All others are the same for all."""

    @abstractmethod
    def initial(self, players: int, variant: str = "") -> S:
        """The state before anything was dealt. Raises `ValueError` for a number of players or variant not offered."""

    @abstractmethod
    def chance(self, state: S, pick: Pick) -> A:
        """The action of `CHANCE` that is due in `state`, drawn with `pick`."""

    @abstractmethod
    def observe(self, state: S, viewer: Viewer) -> V:
        """What `viewer` may know of `state`, built up from nothing."""

    def observe_public(self, state: S) -> dict[str, Any]:
        """The view of a spectator, as a map of its fields: for whoever shows a state to all its viewers at once."""
        view: Any = self.observe(state, None)
        return {field.name: getattr(view, field.name) for field in fields(view)}

    def observe_own(self, state: S, seat: int, public: dict[str, Any]) -> tuple[object, ...]:
        """The values of the fields `own` in the view of `seat`; `public` is what `observe_public` says of `state`."""
        del public
        view = self.observe(state, seat)
        return tuple(getattr(view, name) for name in self.own)

    @abstractmethod
    def describe(self, before: S, actor: int, action: A, after: S, viewer: Viewer) -> tuple[E, ...]:
        """What `viewer` may know of `actor` doing `action`, in the order in which it happened.

        All but the actor are told the same.
        """

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """The result, or `None` while the game goes on."""

    def pauses(self, state: S) -> bool:
        """Whether people should be given time before the chance action that is due, for example to read a result."""
        del state
        return False

    @abstractmethod
    def minder_move(self, view: V) -> A:
        """A sensible move for the seat that `view` belongs to and that is asked for one, without chance.

        What is played for somebody who does not play. A game that is played by it alone comes to an end.
        """

    @abstractmethod
    def write(self, action: A) -> str:
        """The one notation of `action`; `read` gives the action back."""

    @abstractmethod
    def read(self, text: str) -> A:
        """The action that `text` denotes. Raises `InvalidMove`."""

    @abstractmethod
    def text(self, state: S) -> str:
        """The whole state in one line, secrets included."""

    @abstractmethod
    def sample(self, view: V, pick: Pick) -> S:
        """A state that fits everything `view` tells: its `observe` for the same viewer is `view` again."""

    @abstractmethod
    def redeal(
        self, moves: tuple[tuple[int, A], ...], players: int, variant: str, viewer: Viewer, pick: Pick
    ) -> tuple[tuple[int, A], ...]:
        """Another course of the game that `viewer` sees identically at every step.

        `moves` is a course from `initial(players, variant)` as (actor, action). Where the viewer knows everything, or
        no other course was found, the result may equal `moves`.
        """

    @abstractmethod
    def _actions(self, state: S, actor: int) -> Iterator[A]:
        """All legal actions of an `actor` whose turn it is, each once, without building a list."""

    @abstractmethod
    def _check(self, state: S, actor: int, action: A) -> None:
        """Raise `IllegalMove` unless the rules allow `action`; the turn has been checked."""

    @abstractmethod
    def _apply(self, state: S, actor: int, action: A) -> S:
        """The state after a legal `action`."""

    @final
    def check(self, state: S, actor: int, action: A) -> None:
        """Raise `IllegalMove` unless `actor` may do `action` now (code `not_your_turn` or one of the game's own)."""
        if actor not in state.actors:
            if not state.actors:
                raise IllegalMove("game_over", "The game is over.")
            raise IllegalMove("not_your_turn", "It is not your turn.")
        self._check(state, actor, action)

    @final
    def apply(self, state: S, actor: int, action: A) -> S:
        """The state after `actor` did `action`; `state` itself never changes. Raises `IllegalMove`."""
        self.check(state, actor, action)
        return self._apply(state, actor, action)

    @final
    def legal_actions(self, state: S, actor: int) -> "LegalActions[S, A]":
        """The actions open to `actor`, as a lazy set: membership is decided by the rules, not by a search."""
        return LegalActions(self, state, actor)


class LegalActions(Collection[A], Generic[S, A]):
    """What one actor may do in one state. Empty when it is not that actor's turn, and for `CHANCE`.

    Iteration is lazy. Where the number is asked for first, as `list` does, the actions are found once and kept.
    """

    __slots__ = ("_actor", "_found", "_game", "_state")

    def __init__(self, game: Game[S, A, V, E], state: S, actor: int) -> None:
        self._game = game
        self._state = state
        self._actor = actor
        self._found: tuple[A, ...] | None = None

    def __contains__(self, action: object) -> bool:
        """Whether the rules allow `action`."""
        try:
            self._game.check(self._state, self._actor, action)  # type: ignore[arg-type]  # refused inside if no action
        except IllegalMove:
            return False
        return True

    def __iter__(self) -> Iterator[A]:
        """Each legal action once."""
        return self._walk() if self._found is None else iter(self._found)

    def __len__(self) -> int:
        """How many there are; this walks through all of them."""
        if self._found is None:
            self._found = tuple(self._walk())
        return len(self._found)

    def __bool__(self) -> bool:
        """Whether there is any; this stops at the first."""
        return next(self._walk(), None) is not None

    def _walk(self) -> Iterator[A]:
        if self._actor in self._state.actors and self._actor != CHANCE:
            yield from self._game._actions(self._state, self._actor)
