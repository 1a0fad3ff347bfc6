"""Who may know what (scout.md, What each viewer may know): views and events, built up from nothing."""

from engine.game import CHANCE, Viewer
from engine.scout.cards import Card
from engine.scout.moves import Action, Deal, Orient, Scout, Show
from engine.scout.notation import write
from engine.scout.state import State
from engine.scout.view import (
    Chose,
    Dealt,
    Event,
    GameOver,
    RoundOver,
    Scouted,
    ScoutShowed,
    ScoutView,
    SeatView,
    Showed,
)


def observe(state: State, viewer: Viewer) -> ScoutView:
    """What `viewer` may know of `state`."""
    held = tuple(state.held(seat) for seat in range(state.players))
    points = state.points
    return ScoutView(
        game="scout",
        viewer=viewer,
        round=state.round,
        rounds=state.rounds,
        phase=state.phase,
        start=state.start,
        turn=state.turn,
        hand=None if viewer is None else state.hands[viewer],
        turned=None if viewer is None else state.turned[viewer],
        active=state.active,
        owner=state.owner,
        scouts=state.scouts,
        gone=_gone(state, viewer, held),
        seats=tuple(
            SeatView(
                cards=len(state.hands[seat]),
                captured=state.captured[seat],
                tokens=state.tokens[seat],
                scout_show=state.scout_show[seat],
                chosen=state.turned[seat] is not None,
                held=held[seat],
                points=points[seat],
            )
            for seat in range(state.players)
        ),
        results=state.results,
        winners=state.winners,
    )


def _gone(state: State, viewer: Viewer, held: tuple[tuple[Card, ...], ...]) -> tuple[Card, ...]:
    """What `viewer` has seen and is neither on the table nor known to be in a hand."""
    known = state.seen if viewer is None else state.seen | state.own[viewer]
    return tuple(sorted(known.difference(map(Card.flat, state.active), *held)))


def describe(before: State, actor: int, action: Action, after: State, viewer: Viewer) -> tuple[Event, ...]:
    """What `viewer` may know of `actor` doing `action`: cards shown and scouted, but no gap, place or orientation."""
    events = [_event(before, actor, action, after, viewer)]
    if len(after.results) > len(before.results):
        events.append(RoundOver("round_over", after.results[-1]))
    winners = after.winners
    if winners is not None:
        events.append(GameOver("game_over", after.points, winners))
    return tuple(events)


def _event(before: State, actor: int, action: Action, after: State, viewer: Viewer) -> Event:
    if isinstance(action, Deal):
        return Dealt("dealt", after.round, action.start, len(action.hands[0]))
    move = write(action) if viewer == actor and actor != CHANCE else None
    if isinstance(action, Orient):
        return Chose("chose", actor, move)
    if isinstance(action, Show):
        return Showed("showed", actor, after.active, len(before.active), move)
    assert before.owner is not None
    if isinstance(action, Scout):
        card = _scouted(before, action)
        return Scouted("scouted", actor, card, action.right, before.owner, before.players > 2, move)
    card = _scouted(before, action.scout)
    return ScoutShowed(
        "scout_showed",
        actor,
        card,
        action.scout.right,
        before.owner,
        after.active,
        len(before.active) - 1,
        move,
    )


def _scouted(before: State, scout: Scout) -> Card:
    return before.active[-1 if scout.right else 0]
