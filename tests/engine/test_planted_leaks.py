"""The leak law is worth something: it fails for games that give a secret away."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from engine.game import CHANCE, Viewer
from engine.scout import Action, Card, Chose, Deal, Dealt, Event, Orient, Scout, ScoutGame, ScoutShow, ScoutView, State
from tests.engine.courses import random_course
from tests.engine.laws import tells_nothing_secret


class ShowsHands(ScoutGame):
    """A view holds the hands of the others."""

    def observe(self, state: State, viewer: Viewer) -> ScoutView:
        return replace(super().observe(state, viewer), gone=tuple(card for hand in state.hands for card in hand))


class ShowsWhichCardsLie(ScoutGame):
    """A view tells the order of a hand, though not the cards themselves."""

    def observe(self, state: State, viewer: Viewer) -> ScoutView:
        joins = sum(a.up == b.up for hand in state.hands for a, b in pairwise(hand))
        return replace(super().observe(state, viewer), scouts=joins)


class ShowsOrientation(ScoutGame):
    """A view tells which way a hand was turned, once play has begun."""

    def observe(self, state: State, viewer: Viewer) -> ScoutView:
        view = super().observe(state, viewer)
        seats = (replace(seat, chosen=state.turned[index] is True) for index, seat in enumerate(view.seats))
        return replace(view, seats=tuple(seats))


class ShowsHeldAsTheyLie(ScoutGame):
    """A view tells how a scouted card was put in."""

    def observe(self, state: State, viewer: Viewer) -> ScoutView:
        view = super().observe(state, viewer)
        held = (tuple(card for card in hand if card.flat() in state.seen) for hand in state.hands)
        return replace(
            view, seats=tuple(replace(seat, held=cards) for seat, cards in zip(view.seats, held, strict=True))
        )


class TellsNotation(ScoutGame):
    """An event tells everybody the notation of the move, and so the gap and the place."""

    def describe(self, before: State, actor: int, action: Action, after: State, viewer: Viewer) -> tuple[Event, ...]:
        return super().describe(before, actor, action, after, None if actor == CHANCE else actor)


class TellsGap(ScoutGame):
    """An event tells the gap of a Scout."""

    def describe(self, before: State, actor: int, action: Action, after: State, viewer: Viewer) -> tuple[Event, ...]:
        events = super().describe(before, actor, action, after, viewer)
        scout = action.scout if isinstance(action, ScoutShow) else action
        return (*events, Dealt("dealt", 0, 0, scout.gap)) if isinstance(scout, Scout) else events


class TellsChoice(ScoutGame):
    """An event tells what was chosen."""

    def describe(self, before: State, actor: int, action: Action, after: State, viewer: Viewer) -> tuple[Event, ...]:
        if isinstance(action, Orient):
            return (Chose("chose", actor, self.write(action)),)
        return super().describe(before, actor, action, after, viewer)


class TellsKept(ScoutGame):
    """An event tells a card kept back for the second round of two players."""

    def describe(self, before: State, actor: int, action: Action, after: State, viewer: Viewer) -> tuple[Event, ...]:
        if isinstance(action, Deal) and action.kept:
            return (Dealt("dealt", 1, action.start, action.kept[0].up),)
        return super().describe(before, actor, action, after, viewer)


class ListsByOpponent(ScoutGame):
    """The order of a seat's legal moves depends on another hand."""

    def _actions(self, state: State, actor: int) -> Iterator[Action]:
        other = state.hands[(actor + 1) % state.players]
        actions = list(super()._actions(state, actor))
        return iter(actions if other and Card.flat(other[0]) == other[0] else actions[::-1])


LEAKS = [
    ShowsHands,
    ShowsWhichCardsLie,
    ShowsOrientation,
    ShowsHeldAsTheyLie,
    TellsNotation,
    TellsGap,
    TellsChoice,
    TellsKept,
    ListsByOpponent,
]


def gives_itself_away(game: ScoutGame, players: int) -> bool:
    random = Random(5)
    course = random_course(game, players, "", random, limit=60)
    for _ in range(10):
        for viewer in course.viewers:
            try:
                tells_nothing_secret(course, viewer, random)
            except AssertionError:
                return True
    return False


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_found(leak: type[ScoutGame]) -> None:
    assert gives_itself_away(leak(), 2 if leak is TellsKept else 3)


@pytest.mark.parametrize("players", [2, 3])
def test_the_real_game_passes_the_same_trial(players: int) -> None:
    assert not gives_itself_away(ScoutGame(), players)
