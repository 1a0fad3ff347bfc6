"""Who may know what (scout.md, What each viewer may know): views and events, built up from nothing."""

from dataclasses import replace
from typing import NamedTuple

from engine.game import CHANCE, Viewer
from engine.scout.cards import FLAT, Card
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


class Own(NamedTuple):
    """The fields of a view that are not the same for everybody, as in `ScoutView`."""

    viewer: Viewer
    hand: tuple[Card, ...] | None
    turned: bool | None
    gone: tuple[Card, ...]


def observe(state: State, viewer: Viewer) -> ScoutView:
    """What `viewer` may know of `state`."""
    public = _observe_public(state)
    return public if viewer is None else replace(public, **observe_own(state, viewer, public)._asdict())


def observe_own(state: State, seat: int, public: ScoutView) -> Own:
    """What `seat` knows of `state` besides what everybody knows (`public`)."""
    gone = _gone(state, state.own[seat], public.seats) if state.own[seat] else public.gone
    return Own(seat, state.hands[seat], state.turned[seat], gone)


def _observe_public(state: State) -> ScoutView:
    """What everybody may know of `state`."""
    points = state.points
    seats = tuple(
        [
            SeatView(
                cards=len(hand),
                captured=state.captured[seat],
                tokens=state.tokens[seat],
                scout_show=state.scout_show[seat],
                chosen=state.turned[seat] is not None,
                held=state.held(seat),
                points=points[seat],
            )
            for seat, hand in enumerate(state.hands)
        ]
    )
    return ScoutView(
        game="scout",
        viewer=None,
        round=state.round,
        rounds=state.rounds,
        phase=state.phase,
        start=state.start,
        turn=state.turn,
        hand=None,
        turned=None,
        active=state.active,
        owner=state.owner,
        scouts=state.scouts,
        gone=_gone(state, frozenset(), seats),
        seats=seats,
        results=state.results,
        winners=state.winners,
    )


def _gone(state: State, own: frozenset[Card], seats: tuple[SeatView, ...]) -> tuple[Card, ...]:
    """What a viewer who alone saw `own` has seen and is neither on the table nor known to be in a hand."""
    known = state.seen | own if own else state.seen
    return tuple(sorted(known.difference([FLAT[card] for card in state.active], *[seat.held for seat in seats])))


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
