"""Who may know what (scout.md, What each viewer may know): views and events, built up from nothing."""

from typing import Any, NamedTuple

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
    known = observe_public(state)
    if viewer is not None:
        known.update(observe_own(state, viewer, known)._asdict())
    known["seats"] = tuple([SeatView(**seat) for seat in known["seats"]])
    return ScoutView(**known)


def observe_own(state: State, seat: int, public: dict[str, Any]) -> Own:
    """What `seat` knows of `state` besides what everybody knows (`public`)."""
    own = state.own[seat]
    gone = _gone(state, own, [each["held"] for each in public["seats"]]) if own else public["gone"]
    return Own(seat, state.hands[seat], state.turned[seat], gone)


def observe_public(state: State) -> dict[str, Any]:
    """What everybody may know of `state`: the fields of `ScoutView`, and for each seat those of `SeatView`."""
    points = state.points
    held = [state.held(seat) for seat in range(state.players)]
    return {
        "game": "scout",
        "viewer": None,
        "round": state.round,
        "rounds": state.rounds,
        "phase": state.phase,
        "start": state.start,
        "turn": state.turn,
        "hand": None,
        "turned": None,
        "active": state.active,
        "owner": state.owner,
        "scouts": state.scouts,
        "gone": _gone(state, frozenset(), held),
        "seats": [
            {
                "cards": len(hand),
                "captured": state.captured[seat],
                "tokens": state.tokens[seat],
                "scout_show": state.scout_show[seat],
                "chosen": state.turned[seat] is not None,
                "held": held[seat],
                "points": points[seat],
            }
            for seat, hand in enumerate(state.hands)
        ],
        "results": state.results,
        "winners": state.winners,
    }


def _gone(state: State, own: frozenset[Card], held: list[tuple[Card, ...]]) -> tuple[Card, ...]:
    """What a viewer who alone saw `own` has seen and is neither on the table nor known to be in a hand."""
    known = state.seen | own if own else state.seen
    return tuple(sorted(known.difference([FLAT[card] for card in state.active], *held)))


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
