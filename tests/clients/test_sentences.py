"""Every kind of event has its sentence."""

from typing import get_args

import pytest

from clients.terminal.sentences import Cast, cast_of, clean, closed, counted, listed, sentence, tell
from protocol.pushes import AnyEvent, Step
from protocol.scout import Chose, Dealt, GameOver, RoundOver, Scouted, ScoutShowed, Showed
from protocol.table_events import (
    Back,
    BotAsked,
    BotsOffered,
    Created,
    Minded,
    Readied,
    RematchMade,
    RevealAsked,
    Revealed,
    SaidNext,
    Sat,
    Started,
    Stood,
    TableClosed,
    Voted,
)
from protocol.values import By
from tests.clients.views import result, table_view

CAST = Cast(("Ada", "Bo", None))
SET = ((5, 1), (6, 2))

SENTENCES: list[tuple[AnyEvent, str]] = [
    (Created(), "The table is open."),
    (Sat(seat=0, name="Ada", bot=False), "Ada sits down on seat 1."),
    (Sat(seat=1, name="Bo", bot=True), "Bo, a bot, sits down on seat 2."),
    (Stood(seat=0, reason="stood"), "Ada stands up."),
    (Stood(seat=1, reason="cleared"), "Seat 2 is free again."),
    (Stood(seat=1, reason="unready"), "Bo was not ready in time and loses the seat."),
    (Stood(seat=1, reason="unrevealed"), "Bo did not answer in time and loses the seat."),
    (BotAsked(seat=2, level=""), "Seat 3 waits for a bot."),
    (BotAsked(seat=2, level="greedy"), "Seat 3 waits for a greedy bot."),
    (BotsOffered(), "Nobody else has come yet: you may ask for bots."),
    (Readied(seat=0, commitment=None), "Ada is ready."),
    (RevealAsked(), "All are ready; the cards are being shuffled together."),
    (Revealed(seat=0), "Ada has shuffled."),
    (Started(seats=(1, 0, 2)), "The match begins. In the order of play: Ada, Bo and Seat 3."),
    (Minded(seat=1, reason="time"), "Bo's time has run out; from now on the minder plays."),
    (Minded(seat=1, reason="left"), "Bo has left for good; from now on the minder plays."),
    (Minded(seat=1, reason="voted"), "Bo has been away for long; from now on the minder plays."),
    (Back(seat=1), "Bo is back."),
    (SaidNext(seat=1), "Bo is ready for the next round."),
    (Voted(seat=0, against=1), "Ada votes that the minder plays for Bo."),
    (RematchMade(seat=0, table="table0000001"), "Ada asks for a rematch, at table table0000001."),
    (TableClosed(reason="operator"), "The operator closed the table."),
    (Dealt(round=2, start=1, cards=12), "Round 2 is dealt, 12 cards each. Bo begins."),
    (Chose(seat=0, move=None), "Ada has chosen which way up to hold the cards."),
    (Showed(seat=0, cards=SET, captured=0, move=None), "Ada shows 5-6."),
    (Showed(seat=0, cards=SET, captured=1, move=None), "Ada shows 5-6, capturing 1 card."),
    (
        Scouted(seat=2, card=(7, 2), right=True, owner=1, token=True, move=None),
        "Seat 3 scouts the 7/2 from the right of Bo's set; Bo gets a token.",
    ),
    (
        Scouted(seat=0, card=(7, 2), right=False, owner=1, token=False, move=None),
        "Ada scouts the 7/2 from the left of Bo's set.",
    ),
    (
        ScoutShowed(seat=0, card=(7, 2), right=False, owner=1, cards=SET, captured=2, move=None),
        "Ada scouts the 7/2 from the left of Bo's set and at once shows 5-6, capturing 2 cards; Bo gets a token.",
    ),
    (RoundOver(result=result()), "Round 1 is over: nobody beat Bo's set."),
    (RoundOver(result=result(reason="emptied", ender=0)), "Round 1 is over: Ada played the last card."),
    (GameOver(points=(5, 12, 1), winners=(1,)), "The match is over: Bo wins with 12 points."),
    (GameOver(points=(1, 1, 0), winners=(0, 1)), "The match is over: Ada and Bo share the win with 1 point."),
    (GameOver(points=(), winners=()), "The match is over."),
]

YOURS: list[tuple[AnyEvent, str]] = [
    (Sat(seat=1, name="Bo", bot=True), "You sit down on seat 2."),
    (Stood(seat=1, reason="stood"), "You stand up."),
    (Stood(seat=1, reason="unready"), "You were not ready in time and lose the seat."),
    (Readied(seat=1, commitment=None), "You are ready."),
    (
        Minded(seat=1, reason="time"),
        "Your time has run out; from now on the minder plays. Type anything to play yourself again.",
    ),
    (
        Minded(seat=1, reason="voted"),
        "You have been away for long; from now on the minder plays. Type anything to play yourself again.",
    ),
    (Minded(seat=1, reason="left"), "You have left for good; from now on the minder plays."),
    (Dealt(round=1, start=1, cards=9), "Round 1 is dealt, 9 cards each. You begin."),
    (Chose(seat=1, move="turn"), "You turn the hand."),
    (Chose(seat=1, move="keep"), "You keep the hand."),
    (Showed(seat=1, cards=SET, captured=0, move="show 1-2"), "You show 5-6."),
    (
        Scouted(seat=1, card=(7, 2), right=True, owner=0, token=True, move="scout right 1"),
        "You scout the 7/2 from the right of Ada's set; Ada gets a token.",
    ),
    (
        Scouted(seat=0, card=(7, 2), right=True, owner=1, token=True, move=None),
        "Ada scouts the 7/2 from the right of your set; you get a token.",
    ),
    (RoundOver(result=result()), "Round 1 is over: nobody beat your set."),
    (GameOver(points=(5, 12, 1), winners=(1,)), "The match is over: you win with 12 points."),
]


@pytest.mark.parametrize(("event", "expected"), SENTENCES)
def test_a_sentence_about_others(event: AnyEvent, expected: str) -> None:
    assert sentence(CAST, event) == expected


@pytest.mark.parametrize(("event", "expected"), YOURS)
def test_a_sentence_about_you(event: AnyEvent, expected: str) -> None:
    assert sentence(Cast(CAST.names, 1), event) == expected


def test_no_kind_of_event_is_without_a_sentence() -> None:
    assert {type(event) for event, _ in SENTENCES} == set(get_args(AnyEvent))


def step(*events: AnyEvent, by: By = "player") -> Step:
    return Step(version=1, head="0" * 64, by=by, events=events)


def test_names_follow_the_seats_through_a_match_start() -> None:
    cast = Cast(("Ada", "Bo", None), you=0)
    told, cast = tell(
        cast, step(Sat(seat=2, name="Cy", bot=False), Started(seats=(2, 0, 1)), Back(seat=0), Back(seat=1))
    )
    assert told[2:] == ["Cy is back.", "You are back."]
    assert cast == Cast(("Cy", "Ada", "Bo"), you=1)


def test_a_course_from_the_beginning_needs_no_names() -> None:
    told, cast = tell(Cast(()), step(Created(), Sat(seat=1, name="Bo", bot=False)))
    assert told == ["The table is open.", "Bo sits down on seat 2."]
    assert cast.names == (None, "Bo")


def test_a_move_of_the_minder_says_so() -> None:
    told, _ = tell(CAST, step(Showed(seat=0, cards=SET, captured=0, move=None), Back(seat=1), by="minder"))
    assert told == ["Ada shows 5-6. (The minder played.)", "Bo is back."]


def test_the_cast_of_a_view() -> None:
    assert cast_of(table_view(names=("A\x1b[2Ja", None), you=1)) == Cast(("A?[2Ja", None), 1)


def test_small_words() -> None:
    assert listed(["a"]) == "a"
    assert listed("abc") == "a, b and c"
    assert counted(1, "card") == "1 card"
    assert clean("Zoë \x07") == "Zoë ?"
    assert closed("unheard-of") == "The table is closed (unheard-of)."
