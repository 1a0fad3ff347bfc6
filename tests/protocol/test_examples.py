"""The examples are complete and tell one story."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import pytest
from msgspec import to_builtins

from protocol.commands import Create, Events, Hello, Legal, Play, Ready, Reveal
from protocol.errors import ERRORS
from protocol.example_views import BREAK, OPEN, ORIENT, OVER, TABLE, TURN, WATCHED
from protocol.examples import COMMAND_EXAMPLES, EVENT_EXAMPLES, MESSAGE_EXAMPLES
from protocol.kinds import COMMANDS, EVENTS, MESSAGES
from protocol.pushes import Error, EventLog, LegalMoves, Session, View
from protocol.scout import ScoutShowed, ScoutView

COMMANDS_BY_ID = {example.message.id: example.message for example in COMMAND_EXAMPLES}  # type: ignore[union-attr]  # all are commands
VIEWS = [OPEN, ORIENT, TURN, WATCHED, BREAK, OVER]


def one(cls: type[Any]) -> Any:
    """The first example of a type."""
    return next(example.message for example in (*COMMAND_EXAMPLES, *MESSAGE_EXAMPLES) if type(example.message) is cls)


def game(view: View) -> ScoutView:
    assert view.game is not None
    return view.game


def test_there_is_one_of_each_in_order() -> None:
    assert [type(example.message) for example in COMMAND_EXAMPLES] == [*COMMANDS.values()]
    assert [*dict.fromkeys(type(example.message) for example in MESSAGE_EXAMPLES)] == [*MESSAGES.values()]
    assert [type(event) for event in EVENT_EXAMPLES] == [*EVENTS.values()]
    assert [example.message for example in MESSAGE_EXAMPLES if isinstance(example.message, View)] == VIEWS


def test_ids_are_used_once() -> None:
    assert len(COMMANDS_BY_ID) == len(COMMANDS)


def test_nonces_and_seed_fit_their_commitments() -> None:
    ready, reveal = one(Ready), one(Reveal)
    assert sha256(bytes.fromhex(reveal.nonce)).hexdigest() == ready.commitment
    assert OVER.seed is not None
    assert {view.commitment for view in VIEWS} == {sha256(bytes.fromhex(OVER.seed)).hexdigest()}
    for view in VIEWS[1:]:
        for seat in view.seats:
            assert (seat.nonce is None) == (seat.commitment is None) == seat.bot
            assert seat.nonce is None or sha256(bytes.fromhex(seat.nonce)).hexdigest() == seat.commitment
    assert ORIENT.seats[0].commitment == ready.commitment


def test_the_seed_and_the_invite_are_told_only_to_those_who_may_know() -> None:
    assert [view.seed is None for view in VIEWS] == [True] * 5 + [False]
    assert [view.invite is None for view in VIEWS] == [view.you is None for view in VIEWS]
    assert one(Session).token is not None
    assert one(Hello).token is None


def test_versions_grow_and_every_head_is_new() -> None:
    versions = [view.version for view in VIEWS]
    assert versions == sorted({*versions})
    assert len({view.head for view in VIEWS}) == len(VIEWS)
    assert {view.table for view in VIEWS} == {TABLE}


@pytest.mark.parametrize("view", VIEWS[1:], ids=lambda view: f"version {view.version}")
def test_a_view_agrees_with_itself(view: View) -> None:
    scout = game(view)
    assert scout.viewer == view.you
    assert len(scout.seats) == len(view.seats) == view.options.seats
    assert (scout.hand is None) == (view.you is None)
    if scout.hand is not None and view.you is not None:
        assert len(scout.hand) == scout.seats[view.you].cards
    assert (view.decision is None) == (view.you not in view.to_act)
    assert scout.phase != "play" or view.to_act == (scout.turn,)
    seen = [tuple(sorted(card)) for card in (*(scout.hand or ()), *scout.active, *scout.gone)]
    assert len(seen) == len({*seen}), "a card occurs twice"
    assert all(10 not in card for card in seen), "three players play without the tens"
    captured = sum(seat.captured for seat in scout.seats)
    assert sum(seat.cards for seat in scout.seats) + captured + len(scout.active) == 36
    for seat in scout.results[:1]:
        assert seat.scores == tuple(
            captured + tokens - (0 if number == seat.waived else hand)
            for number, (captured, tokens, hand) in enumerate(zip(seat.captured, seat.tokens, seat.hand, strict=True))
        )
    totals = tuple(sum(result.scores[seat] for result in scout.results) for seat in range(3))
    assert totals == tuple(seat.points for seat in scout.seats)


def test_the_steps_are_those_that_the_views_told() -> None:
    log, asked = one(EventLog), one(Events)
    assert (log.re, log.since, len(log.steps)) == (asked.id, asked.since, asked.limit)
    assert [step.version for step in log.steps] == [TURN.version, WATCHED.version]
    assert [step.head for step in log.steps] == [TURN.head, WATCHED.head]
    assert log.steps[0].events == TURN.events
    (own,), (public,) = log.steps[1].events, WATCHED.events
    assert isinstance(own, ScoutShowed)
    assert isinstance(public, ScoutShowed)
    assert own.move == one(Play).move
    assert to_builtins(own) | {"move": None} == to_builtins(public)


def test_the_move_is_for_the_decision_of_the_view() -> None:
    assert one(Play).decision == TURN.decision == one(LegalMoves).decision
    assert len(one(LegalMoves).moves) == one(Legal).limit


def test_replies_answer_commands() -> None:
    strangers = {"f-1", "a-9"}
    for example in MESSAGE_EXAMPLES:
        re = getattr(example.message, "re", None)
        assert re is None or re in COMMANDS_BY_ID or re in strangers, example.title
    error = one(Error)
    assert (error.code, error.retry) in {(code.code, code.retry) for code in ERRORS}
    assert one(Create).options == OPEN.options


def test_others_are_told_no_moves() -> None:
    for view in VIEWS:
        for event in events_of(view):
            assert event.get("move") is None or event["seat"] == view.you


def events_of(view: View) -> Iterator[dict[str, Any]]:
    for event in view.events:
        yield to_builtins(event)
