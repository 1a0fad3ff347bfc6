"""SCOUT on the wire: what a viewer may know, and what happened. The fields are those of the engine's views."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from protocol.values import Card, Seat

Count = Annotated[int, Meta(ge=0)]


class RoundResult(Struct, frozen=True, kw_only=True):
    """How one round ended.

    Attributes:
        round: from 1.
        reason: `emptied`, a hand was empty after a Show, or `unbeaten`, all others scouted in a row.
        ender: the seat that emptied its hand, or whose set was not beaten.
        captured: captured cards of each seat.
        tokens: scout tokens of each seat.
        hand: cards left in each hand.
        waived: the seat that loses nothing for its hand, if any.
        scores: the points of each seat in this round.
    """

    round: Annotated[int, Meta(ge=1)]
    reason: Literal["emptied", "unbeaten"]
    ender: Seat
    captured: tuple[Count, ...]
    tokens: tuple[Count, ...]
    hand: tuple[Count, ...]
    waived: Seat | None
    scores: tuple[int, ...]


class ScoutSeat(Struct, frozen=True, kw_only=True):
    """What everybody may know about one seat in the current round.

    Attributes:
        cards: how many cards it holds.
        captured: how many cards it captured.
        tokens: its scout tokens.
        scout_show: whether its Scout & Show is still unused; never with two players.
        chosen: whether it has chosen an orientation.
        held: cards that it scouted and has not shown since, the smaller half first.
        points: its total of the finished rounds.
    """

    cards: Count
    captured: Count
    tokens: Count
    scout_show: bool
    chosen: bool
    held: tuple[Card, ...]
    points: int


class ScoutView(Struct, frozen=True, kw_only=True, tag_field="game", tag="scout"):
    """A match of SCOUT as one viewer may know it.

    Attributes:
        viewer: the seat that looks; null for a spectator.
        round: the current or last round, from 1; 0 before the first deal.
        rounds: how many rounds the match has.
        phase: what the match waits for: a deal, orientation choices, a turn, or nothing more.
        start: the seat that begins this round.
        turn: the seat whose turn it is, in phase `play`.
        hand: the viewer's own cards from left to right; null for a spectator.
        turned: the viewer's own orientation choice, once made.
        active: the active set from left to right, as it lies.
        owner: whose set it is; stays when its last card was scouted.
        scouts: plain Scouts since the last Show.
        gone: cards out of play that this viewer has seen, the smaller half first, in ascending order.
        seats: one for each seat.
        results: the finished rounds.
        winners: the winning seats, once the match is over.
    """

    viewer: Seat | None
    round: Count
    rounds: Count
    phase: Literal["deal", "orient", "play", "over"]
    start: Seat | None
    turn: Seat | None
    hand: tuple[Card, ...] | None
    turned: bool | None
    active: tuple[Card, ...]
    owner: Seat | None
    scouts: Count
    gone: tuple[Card, ...]
    seats: tuple[ScoutSeat, ...]
    results: tuple[RoundResult, ...]
    winners: tuple[Seat, ...] | None


class ScoutEvent(Struct, frozen=True, kw_only=True, tag_field="kind"):
    """What every event of SCOUT has: its kind."""


class Dealt(ScoutEvent, frozen=True, kw_only=True, tag="dealt"):
    """A round was dealt.

    Attributes:
        round: from 1.
        start: the seat that begins.
        cards: how many cards each seat got.
    """

    round: int
    start: Seat
    cards: Count


class Chose(ScoutEvent, frozen=True, kw_only=True, tag="chose"):
    """A seat chose its orientation.

    Attributes:
        seat: who.
        move: `keep` or `turn`, for that seat only; null for everybody else.
    """

    seat: Seat
    move: str | None


class Showed(ScoutEvent, frozen=True, kw_only=True, tag="showed"):
    """A seat laid down a set.

    Attributes:
        seat: who.
        cards: the set, as it lies.
        captured: how many cards of the beaten set it took.
        move: the move's notation, for that seat only; null for everybody else.
    """

    seat: Seat
    cards: tuple[Card, ...]
    captured: Count
    move: str | None


class Scouted(ScoutEvent, frozen=True, kw_only=True, tag="scouted"):
    """A seat took an end of the active set into its hand.

    Attributes:
        seat: who.
        card: the card, as it lay.
        right: whether it was the right end.
        owner: whose set it was.
        token: whether the owner gained a scout token for it.
        move: the move's notation, for that seat only; null for everybody else.
    """

    seat: Seat
    card: Card
    right: bool
    owner: Seat
    token: bool
    move: str | None


class ScoutShowed(ScoutEvent, frozen=True, kw_only=True, tag="scout_showed"):
    """A seat took an end of the active set and at once laid down a set.

    Attributes:
        seat: who.
        card: the card taken, as it lay.
        right: whether it was the right end.
        owner: whose set it was; that seat gained a scout token.
        cards: the set laid down, as it lies.
        captured: how many cards of the set that was left it took.
        move: the move's notation, for that seat only; null for everybody else.
    """

    seat: Seat
    card: Card
    right: bool
    owner: Seat
    cards: tuple[Card, ...]
    captured: Count
    move: str | None


class RoundOver(ScoutEvent, frozen=True, kw_only=True, tag="round_over"):
    """A round ended.

    Attributes:
        result: how.
    """

    result: RoundResult


class GameOver(ScoutEvent, frozen=True, kw_only=True, tag="game_over"):
    """The last round ended.

    Attributes:
        points: each seat's total.
        winners: the winning seats.
    """

    points: tuple[int, ...]
    winners: tuple[Seat, ...]


AnyScoutEvent = Dealt | Chose | Showed | Scouted | ScoutShowed | RoundOver | GameOver
