"""The end of a round and its score (scout.md, A round, 3 and 4)."""

from collections.abc import Sequence
from typing import Literal

from engine.scout.state import State, changed
from engine.scout.view import RoundResult


def round_scores(
    captured: Sequence[int], tokens: Sequence[int], hand: Sequence[int], waived: int | None
) -> tuple[int, ...]:
    """The points of each seat: captured cards and tokens, less the cards in hand unless they are `waived`."""
    return tuple(
        won + paid - (0 if seat == waived else left)
        for seat, (won, paid, left) in enumerate(zip(captured, tokens, hand, strict=True))
    )


def result_of(
    number: int,
    reason: Literal["emptied", "unbeaten"],
    ender: int,
    captured: tuple[int, ...],
    tokens: tuple[int, ...],
    hand: tuple[int, ...],
) -> RoundResult:
    """The result of round `number`; under ``unbeaten`` the ender loses nothing for the hand."""
    waived = ender if reason == "unbeaten" else None
    return RoundResult(
        number, reason, ender, captured, tokens, hand, waived, round_scores(captured, tokens, hand, waived)
    )


def finish_round(state: State, reason: Literal["emptied", "unbeaten"], ender: int) -> State:
    """`state`, whose round has just ended, with the result noted; the next deal is due unless it was the last."""
    hand = tuple(len(cards) for cards in state.hands)
    result = result_of(state.round, reason, ender, state.captured, state.tokens, hand)
    over = state.round == state.rounds
    return changed(state, phase="over" if over else "deal", turn=None, results=(*state.results, result))
