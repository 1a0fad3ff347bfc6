"""SCOUT positions made up for tests, and assertions about them that read as sentences."""

from dataclasses import replace

import pytest

from engine.errors import IllegalMove
from engine.game import CHANCE
from engine.scout import SCOUT, Card, State

SEATS = "ABCDE"


def cards(text: str) -> tuple[Card, ...]:
    """Cards from left to right, each ``up`` or ``up/down``; dashes may stand for spaces: ``5-6-7``."""
    found = []
    for word in text.replace("-", " ").split():
        up, _, down = word.partition("/")
        found.append(Card(int(up), int(down) if down else 1 + int(up) % 10))
    return tuple(found)


def position(
    *hands: str,
    table: str = "",
    owner: str = "A",
    turn: str = "B",
    round: int = 1,
    scouts: int = 0,
    tokens: tuple[int, ...] | None = None,
    captured: tuple[int, ...] | None = None,
    used: str = "",
    kept: str = "",
) -> State:
    """A position in play: one hand for each seat; the seats in `used` have no Scout & Show left."""
    players = len(hands)
    return State(
        players=players,
        round=round,
        phase="play",
        start=0,
        turn=SEATS.index(turn),
        hands=tuple(map(cards, hands)),
        turned=(False,) * players,
        kept=cards(kept),
        active=cards(table),
        owner=SEATS.index(owner),
        scouts=scouts,
        captured=captured or (0,) * players,
        tokens=tokens or ((3, 3) if players == 2 else (0,) * players),
        scout_show=tuple(players > 2 and seat not in used for seat in SEATS[:players]),
        seen=frozenset(map(Card.flat, cards(table))),
        own=(frozenset(),) * players,
        results=(),
    )


def after(state: State, *moves: str) -> State:
    """The state after `moves`, each by the seat on turn."""
    for text in moves:
        assert state.turn is not None
        state = SCOUT.apply(state, state.turn, SCOUT.read(text))
    return state


def legal(state: State, kind: str = "") -> list[str]:
    """The notation of the legal moves of the seat on turn that begin with `kind`."""
    assert state.turn is not None
    written = map(SCOUT.write, SCOUT.legal_actions(state, state.turn))
    if kind == "scout":
        return [text for text in written if text.startswith("scout") and "show" not in text]
    if kind == "scout & show":
        return [text for text in written if text.startswith("scout") and "show" in text]
    return [text for text in written if text.startswith(kind)]


def assert_legal(state: State, text: str) -> None:
    assert state.turn is not None
    SCOUT.check(state, state.turn, SCOUT.read(text))
    assert text in legal(state)


def assert_refused(state: State, text: str, code: str) -> None:
    assert state.turn is not None
    with pytest.raises(IllegalMove) as refused:
        SCOUT.apply(state, state.turn, SCOUT.read(text))
    assert refused.value.code == code
    assert text not in legal(state)


def assert_beats(offered: str, table: str) -> None:
    state = position("1", offered + " 1 1 1", table=table)
    assert_legal(state, _all_of(offered))


def assert_does_not_beat(offered: str, table: str) -> None:
    state = position("1", offered + " 1 1 1", table=table)
    assert_refused(state, _all_of(offered), "not_stronger")


def ups(hand: tuple[Card, ...]) -> str:
    return " ".join(str(card.up) for card in hand)


def _all_of(offered: str) -> str:
    count = len(cards(offered))
    return "show 1" if count == 1 else f"show 1-{count}"


def circling() -> State:
    """Three seats hand each other two single cards that none of their own can beat."""
    dealt = SCOUT.apply(SCOUT.initial(3), CHANCE, SCOUT.chance(SCOUT.initial(3), lambda n: 0))
    return replace(
        dealt,
        phase="play",
        turn=2,
        hands=((Card(1, 2),), (Card(1, 3), Card(6, 5)), (Card(1, 4), Card(9, 7))),
        turned=(False, False, False),
        owner=1,
        scouts=1,
        scout_show=(False, False, False),
        seen=frozenset({Card(5, 6), Card(7, 9)}),
    )
