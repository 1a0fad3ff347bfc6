"""Between the public values and the fast core."""

from dataclasses import replace
from functools import cache

from engine.scout.cards import Card
from engine.scout.core import BITS, EMPTIED, KEEP, PLAYING, TURN, UNBEATEN, Position
from engine.scout.decks import FULL
from engine.scout.moves import Move, Orient, Scout, ScoutShow, Show
from engine.scout.scoring import finish_round
from engine.scout.sets import set_strength
from engine.scout.state import State


def to_position(state: State) -> Position:
    """The position of the round that `state` is in. Raises `ValueError` before the first deal."""
    if not state.round or state.start is None:
        raise ValueError("nothing has been dealt yet")
    position = Position()
    position.players = state.players
    position.start = state.start
    position.waiting = state.turned.count(None)
    position.choices = list(state.turned)
    position.up = [[card.up for card in hand] for hand in state.hands]
    position.down = [[card.down for card in hand] for hand in state.hands]
    position.table_up = [card.up for card in state.active]
    position.table_down = [card.down for card in state.active]
    position.floor = set_strength(position.table_up)
    position.owner = -1 if state.owner is None else state.owner
    position.scouts = state.scouts
    position.captured = list(state.captured)
    position.tokens = list(state.tokens)
    position.rights = list(state.scout_show)
    position.seen = sum(BITS[card.up][card.down] for card in state.seen)
    position.over, position.ender = PLAYING, -1
    position.turn = state.turned.index(None) if position.waiting else state.start
    if state.turn is not None:
        position.turn = state.turn
    elif state.phase != "orient":
        result = state.results[-1]
        position.over = EMPTIED if result.reason == "emptied" else UNBEATEN
        position.ender = result.ender
        position.turn = -1
    return position


def to_state(position: Position, before: State) -> State:
    """The state that `position` stands for, where `before` is any earlier state of the same round."""
    state = replace(
        before,
        phase="orient" if position.waiting else "play",
        turn=None if position.waiting else position.turn,
        hands=tuple(_cards(up, down) for up, down in zip(position.up, position.down, strict=True)),
        turned=tuple(position.choices),
        active=_cards(position.table_up, position.table_down),
        owner=None if position.owner < 0 else position.owner,
        scouts=position.scouts,
        captured=tuple(position.captured),
        tokens=tuple(position.tokens),
        scout_show=tuple(position.rights),
        seen=frozenset(card for card in FULL if position.seen & BITS[card.up][card.down]),
    )
    if not position.over:
        return state
    return finish_round(state, "emptied" if position.over == EMPTIED else "unbeaten", position.ender)


@cache
def to_action(move: int) -> Move:
    """The public move that `move` stands for."""
    if move >= KEEP:
        return Orient(move == TURN)
    show = Show((move & 1023) >> 4, move & 15)
    if move < 1024:
        return show
    scout = Scout(bool(move >> 17 & 1), bool(move >> 16 & 1), move >> 10 & 63)
    return ScoutShow(scout, show) if move & 1023 else scout


def to_move(action: Move) -> int:
    """The integer that stands for `action`."""
    if isinstance(action, Orient):
        return TURN if action.turn else KEEP
    if isinstance(action, Show):
        return action.first << 4 | action.count
    if isinstance(action, Scout):
        return (256 | action.right << 7 | action.turn << 6 | action.gap) << 10
    return to_move(action.scout) | to_move(action.show)


def _cards(ups: list[int], downs: list[int]) -> tuple[Card, ...]:
    return tuple(map(Card, ups, downs))
