"""Laws that every game obeys, each a function over a course of the game.

They know nothing of any particular game: a new game is tested by being registered.
"""

from dataclasses import FrozenInstanceError, fields, is_dataclass
from random import Random
from typing import Any

import pytest

from engine.errors import EngineError, IllegalMove, InvalidMove
from engine.game import CHANCE
from engine.record import Record
from tests.engine.courses import Course, replay


def waits_for_somebody_until_it_is_over(course: Course) -> None:
    """The actors are seats or chance alone; there is an outcome exactly if there are none; each has something to do."""
    game = course.game
    for state in course.states:
        actors = state.actors
        assert actors == {CHANCE} or actors <= set(range(course.players))
        outcome = game.outcome(state)
        assert (outcome is None) == bool(actors)
        if outcome is not None:
            assert len(outcome.scores) == course.players
            assert set(outcome.winners) <= set(range(course.players))
        for seat in range(course.players):
            assert bool(game.legal_actions(state, seat)) == (seat in actors)
            if seat not in actors:
                assert list(game.legal_actions(state, seat)) == []
        assert list(game.legal_actions(state, CHANCE)) == []


def accepts_exactly_what_it_lists(course: Course, random: Random, others: int = 20) -> None:
    """The list of legal actions has no action twice, and `check` takes these and no others."""
    game = course.game
    pool = [action for _, action in course.moves]
    for state in course.states:
        for actor in state.actors - {CHANCE}:
            actions = game.legal_actions(state, actor)
            listed = list(actions)
            allowed = set(listed)
            assert len(allowed) == len(listed) == len(actions)
            assert set(iter(actions)) == allowed
            for action in listed:
                game.check(state, actor, action)
            for action in random.sample(pool, min(others, len(pool))):
                assert (action in actions) == (action in allowed)


def refuses_without_a_trace(course: Course, random: Random, others: int = 10) -> None:
    """A refused move has a code and a sentence, and leaves the state as it was; out of turn all is refused."""
    game = course.game
    pool = [action for _, action in course.moves]
    for state in course.states:
        text, value = game.text(state), hash(state)
        for actor in (CHANCE, *range(course.players)):
            for action in random.sample(pool, min(others, len(pool))):
                if actor in state.actors and (actor == CHANCE or action in game.legal_actions(state, actor)):
                    continue
                with pytest.raises(IllegalMove) as refused:
                    game.apply(state, actor, action)
                assert refused.value.code.replace("_", "").isalpha()
                assert refused.value.message.endswith(".")
                if actor not in state.actors:
                    assert refused.value.code == ("not_your_turn" if state.actors else "game_over")
        assert (game.text(state), hash(state)) == (text, value)


def writes_what_it_reads(course: Course) -> None:
    """Each action has one notation, in plain text on one line, and no two share one."""
    game = course.game
    spelled: dict[str, Any] = {}
    for state in course.states[:: max(1, len(course.states) // 40)]:
        for actor in state.actors - {CHANCE}:
            spelled.update({game.write(action): action for action in game.legal_actions(state, actor)})
            actions = set(game.legal_actions(state, actor))
            assert len({game.write(action) for action in actions}) == len(actions)
    spelled.update({game.write(action): action for _, action in course.moves})
    for text, action in spelled.items():
        assert text.isprintable()
        assert game.read(text) == action
        assert game.write(game.read(f"  {text.upper().replace(' ', '  ')} ")) == text
        with pytest.raises(InvalidMove):
            game.read(f"{text} ?")


def states_are_values(course: Course) -> None:
    """States are frozen, hashable, and equal exactly where they come from equal moves."""
    again = replay(course.game, course.players, course.variant, course.moves)
    for state, twin in zip(course.states, again.states, strict=True):
        assert state == twin
        assert hash(state) == hash(twin)
        assert not hasattr(state, "__dict__")
        with pytest.raises(FrozenInstanceError):
            setattr(state, next(iter(type(state).__slots__)), None)
    assert all(before != after for before, _, _, after in course.steps())


def text_tells_everything(course: Course) -> None:
    """A state's text is one line, and tells different states apart; where a game reads it, it gives the state back."""
    game = course.game
    texts = {game.text(state): state for state in course.states}
    assert len(texts) == len(set(course.states))
    for text, state in texts.items():
        assert text.isprintable()
        if hasattr(game, "parse_text"):
            assert game.parse_text(text) == state
            with pytest.raises(EngineError):
                game.parse_text(text + " ")


def samples_fit_the_view(course: Course, random: Random) -> None:
    """A sampled state looks to the viewer exactly like the real one, and leaves the viewer the same moves."""
    game = course.game
    for state in course.states:
        for viewer in course.viewers:
            view = game.observe(state, viewer)
            sampled = game.sample(view, random.randrange)
            assert game.observe(sampled, viewer) == view
            assert sampled.actors == state.actors
            if viewer is not None and viewer in state.actors:
                actions, others = game.legal_actions(state, viewer), game.legal_actions(sampled, viewer)
                assert set(actions) == set(others)


def _plain(value: Any) -> Any:
    """A value as it would be encoded: without the names of its types."""
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value


def all_are_told_the_same_but_for_what_is_their_own(course: Course) -> None:
    """Views differ in the fields that are declared to, and in no others; of an action, only its actor is told more."""
    game = course.game
    for state in course.states:
        public = game.observe_public(state)
        assert _plain(public) == _plain(game.observe(state, None))
        assert list(public) == [field.name for field in fields(game.observe(state, None))]
        for seat in range(course.players):
            own = dict(zip(game.own, game.observe_own(state, seat, public), strict=True))
            assert _plain(public | own) == _plain(game.observe(state, seat))
    for before, actor, action, after in course.steps():
        told = game.describe(before, actor, action, after, None)
        for seat in set(range(course.players)) - {actor}:
            assert game.describe(before, actor, action, after, seat) == told


def minders_know_what_to_do(course: Course) -> None:
    """What a minder plays is legal wherever a seat is asked, and there are pauses only before a chance action."""
    game = course.game
    for state in course.states:
        assert not game.pauses(state) or state.actors == {CHANCE}
        for seat in state.actors - {CHANCE}:
            game.check(state, seat, game.minder_move(game.observe(state, seat)))


def record_gives_every_state(course: Course) -> None:
    """A record's text can be read back, and replays to every state."""
    record = Record.of(course.game, course.players, course.moves, course.variant, [("Test", 'a "\\" b')])
    read = Record.parse(str(record))
    assert read == record
    assert tuple(read.states(course.game)) == course.states
    assert [(actor, action) for _, actor, action in read.actions(course.game)] == list(course.moves)


def tells_nothing_secret(course: Course, viewer: int | None, random: Random) -> bool:
    """What a viewer gets is the same in another course that differs only in what this viewer must not know.

    Returns whether the other course was really another one.
    """
    game = course.game
    moves = game.redeal(course.moves, course.players, course.variant, viewer, random.randrange)
    other = replay(game, course.players, course.variant, moves)
    for state, twin in zip(course.states, other.states, strict=True):
        assert game.observe(state, viewer) == game.observe(twin, viewer)
        assert state.actors == twin.actors
        if viewer is not None:
            assert list(game.legal_actions(state, viewer)) == list(game.legal_actions(twin, viewer))
    for step, twin_step in zip(course.steps(), other.steps(), strict=True):
        assert game.describe(*step, viewer) == game.describe(*twin_step, viewer)
    return moves != course.moves
