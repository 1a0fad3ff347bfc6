"""The whole truth about a game of SCOUT."""

from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Final

from engine.game import CHANCE
from engine.scout.cards import FLAT, Card
from engine.scout.decks import HANDS
from engine.scout.view import Phase, RoundResult

_NOBODY: Final[frozenset[int]] = frozenset()
_CHANCE: Final = frozenset({CHANCE})
_ALONE: Final = tuple(frozenset({seat}) for seat in range(max(HANDS)))


@dataclass(frozen=True, slots=True)
class State:
    """A game of SCOUT at one moment, secrets included.

    After a round the phase is ``deal`` (or ``over``) and everything still lies as the round ended, until the next deal.

    Attributes:
        players: the number of seats, 2 to 5.
        round: the current or last round, from 1; 0 before the first deal.
        phase: what the game waits for.
        start: the seat that began or will begin this round; `None` before the first deal.
        turn: the seat whose turn it is; `None` unless in phase ``play``.
        hands: each seat's cards from left to right, turned already if the seat chose so.
        turned: each seat's orientation choice; `None` until chosen.
        kept: the cards kept back for the second round of two players.
        active: the active set from left to right.
        owner: whose set it is; stays when its last card was scouted; `None` when nothing was shown yet.
        scouts: plain Scouts since the last Show.
        captured: captured cards of each seat.
        tokens: scout tokens of each seat.
        scout_show: whether each seat still has its Scout & Show (never with two players).
        seen: the cards of this shuffle that everybody has seen, the smaller half first.
        own: for each seat the cards that it alone has seen in an earlier round of this shuffle: with two players in
            the second round, what it was left with in the first.
        results: the finished rounds.
    """

    players: int
    round: int
    phase: Phase
    start: int | None
    turn: int | None
    hands: tuple[tuple[Card, ...], ...]
    turned: tuple[bool | None, ...]
    kept: tuple[Card, ...]
    active: tuple[Card, ...]
    owner: int | None
    scouts: int
    captured: tuple[int, ...]
    tokens: tuple[int, ...]
    scout_show: tuple[bool, ...]
    seen: frozenset[Card]
    own: tuple[frozenset[Card], ...]
    results: tuple[RoundResult, ...]

    @property
    def actors(self) -> frozenset[int]:
        """The seats that may act now, or `{CHANCE}`; empty once the game is over."""
        if self.turn is not None:
            return _ALONE[self.turn]
        if self.phase == "orient":
            return frozenset(seat for seat, choice in enumerate(self.turned) if choice is None)
        return _CHANCE if self.phase == "deal" else _NOBODY

    @property
    def rounds(self) -> int:
        """How many rounds the match has: each seat starts one."""
        return self.players

    @property
    def points(self) -> tuple[int, ...]:
        """Each seat's total of the finished rounds."""
        scores = [result.scores for result in self.results]
        return tuple(map(sum, zip(*scores, strict=True))) if scores else (0,) * self.players

    @property
    def winners(self) -> tuple[int, ...] | None:
        """The seats with the highest total once the game is over (scout.md, A round, 4: a tie is a shared win)."""
        if self.phase != "over":
            return None
        points = self.points
        return tuple(seat for seat in range(self.players) if points[seat] == max(points))

    def held(self, seat: int) -> tuple[Card, ...]:
        """The cards in the hand of `seat` that everybody has seen: it scouted them and has not shown them since."""
        seen = self.seen
        return tuple(sorted([flat for card in self.hands[seat] if (flat := FLAT[card]) in seen]))


def changed(state: State, **changes: object) -> State:
    """`state` with other values in some fields: what `dataclasses.replace` does, in less than half the time."""
    values = list(_values(state))
    for name, value in changes.items():
        values[_PLACES[name]] = value
    return State(*values)


_NAMES: Final = tuple(field.name for field in fields(State))
_PLACES: Final = {name: place for place, name in enumerate(_NAMES)}
_values: Final = attrgetter(*_NAMES)


def fresh_tokens(players: int) -> tuple[int, ...]:
    """The tokens at the start of a round (scout.md, Two players: three for each of two)."""
    return (3 if players == 2 else 0,) * players


def initial(players: int, variant: str = "") -> State:
    """The state before the first deal. Raises `ValueError` for a number of players or variant not offered."""
    if players not in HANDS:
        raise ValueError(f"SCOUT is for 2 to 5 players, not {players}")
    if variant:
        raise ValueError(f"SCOUT has no variant {variant!r}")
    return State(
        players=players,
        round=0,
        phase="deal",
        start=None,
        turn=None,
        hands=((),) * players,
        turned=(None,) * players,
        kept=(),
        active=(),
        owner=None,
        scouts=0,
        captured=(0,) * players,
        tokens=fresh_tokens(players),
        scout_show=(players > 2,) * players,
        seen=frozenset(),
        own=(frozenset(),) * players,
        results=(),
    )
