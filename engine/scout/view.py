"""What one viewer may know of a game of SCOUT (scout.md, What each viewer may know), and what happened, as they saw it.

All of these are plain values: the server sends them as they are, clients read them back, bots think with them.
"""

from dataclasses import dataclass
from typing import Literal

from engine.scout.cards import Card

Phase = Literal["deal", "orient", "play", "over"]
"""What the game waits for: the next deal, orientation choices, a turn, or nothing more."""


@dataclass(frozen=True, slots=True)
class RoundResult:
    """How one round ended.

    Attributes:
        round: from 1.
        reason: ``emptied`` (scout.md, A round, 3 (i)) or ``unbeaten`` (3 (ii)).
        ender: the seat that emptied its hand, or whose set was not beaten.
        captured: captured cards of each seat.
        tokens: scout tokens of each seat.
        hand: cards left in each hand.
        waived: the seat that loses nothing for its hand, if any.
        scores: the points of each seat in this round.
    """

    round: int
    reason: Literal["emptied", "unbeaten"]
    ender: int
    captured: tuple[int, ...]
    tokens: tuple[int, ...]
    hand: tuple[int, ...]
    waived: int | None
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SeatView:
    """What everybody may know about one seat.

    Attributes:
        cards: how many cards it holds.
        captured: how many cards it captured in this round.
        tokens: its scout tokens.
        scout_show: whether its Scout & Show is still unused (never with two players).
        chosen: whether it has chosen an orientation in this round.
        held: cards that it scouted in this round and has not shown since, the smaller half first: everybody saw which
            they are, nobody knows how they lie.
        points: its total of the finished rounds.
    """

    cards: int
    captured: int
    tokens: int
    scout_show: bool
    chosen: bool
    held: tuple[Card, ...]
    points: int


@dataclass(frozen=True, slots=True)
class ScoutView:
    """A game of SCOUT as one viewer may know it.

    Attributes:
        game: always ``scout``.
        viewer: the seat that looks, or `None` for a spectator.
        round: the current or last round, from 1; 0 before the first deal.
        rounds: how many rounds the match has.
        phase: what the game waits for.
        start: the seat that began or will begin this round; `None` before the first deal.
        turn: the seat whose turn it is; `None` unless in phase ``play``.
        hand: the viewer's own cards from left to right; `None` for a spectator.
        turned: the viewer's own orientation choice; `None` for a spectator and until chosen.
        active: the active set from left to right, as it lies.
        owner: whose set it is; stays when the last card of it was scouted; `None` when nothing was shown yet.
        scouts: plain Scouts since the last Show.
        gone: cards that this viewer has seen and that are now out of play, the smaller half first, in ascending
            order: captured cards and, with two players, everything known from the first round.
        seats: one for each seat.
        results: the finished rounds.
        winners: the winning seats once the game is over.
    """

    game: Literal["scout"]
    viewer: int | None
    round: int
    rounds: int
    phase: Phase
    start: int | None
    turn: int | None
    hand: tuple[Card, ...] | None
    turned: bool | None
    active: tuple[Card, ...]
    owner: int | None
    scouts: int
    gone: tuple[Card, ...]
    seats: tuple[SeatView, ...]
    results: tuple[RoundResult, ...]
    winners: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Dealt:
    """A round was dealt: `start` begins, each hand has `cards` cards."""

    kind: Literal["dealt"]
    round: int
    start: int
    cards: int


@dataclass(frozen=True, slots=True)
class Chose:
    """A seat chose its orientation; `move` is its notation, for that seat only."""

    kind: Literal["chose"]
    seat: int
    move: str | None


@dataclass(frozen=True, slots=True)
class Showed:
    """A seat laid down `cards` and took `captured` cards; `move` is its notation, for that seat only."""

    kind: Literal["showed"]
    seat: int
    cards: tuple[Card, ...]
    captured: int
    move: str | None


@dataclass(frozen=True, slots=True)
class Scouted:
    """A seat took `card` (as it lay) from the `right` or left end of `owner`'s set; `token`: the owner gained one."""

    kind: Literal["scouted"]
    seat: int
    card: Card
    right: bool
    owner: int
    token: bool
    move: str | None


@dataclass(frozen=True, slots=True)
class ScoutShowed:
    """A seat scouted `card` and at once laid down `cards`; otherwise as `Scouted` and `Showed`."""

    kind: Literal["scout_showed"]
    seat: int
    card: Card
    right: bool
    owner: int
    cards: tuple[Card, ...]
    captured: int
    move: str | None


@dataclass(frozen=True, slots=True)
class RoundOver:
    """A round ended."""

    kind: Literal["round_over"]
    result: RoundResult


@dataclass(frozen=True, slots=True)
class GameOver:
    """The last round ended: total `points` of each seat, and who won."""

    kind: Literal["game_over"]
    points: tuple[int, ...]
    winners: tuple[int, ...]


Event = Dealt | Chose | Showed | Scouted | ScoutShowed | RoundOver | GameOver
