"""The text of a state: round trip, and no text that it stumbles over."""

from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.errors import EngineError
from engine.scout import SCOUT, parse_text
from tests.engine.courses import random_course
from tests.engine.positions import position

TEXTS = [
    SCOUT.text(state) for players in (2, 3, 5) for state in random_course(SCOUT, players, "", Random(7)).states[::9]
]
LINE = SCOUT.text(position("7/2 3/4", "1/5", "10/9", table="4 5", turn="C", tokens=(0, 2, 1), used="A"))


def test_the_line_reads_as_written() -> None:
    assert LINE == (
        "scout players=3 round=1 phase=play start=A turn=C hands=7/2,3/4;1/5;10/9 turned=keep,keep,keep kept=- "
        "active=4/5,5/6 owner=A scouts=0 captured=0,0,0 tokens=0,2,1 scout_show=used,open,open seen=4/5,5/6 own=-;-;- "
        "results=-"
    )
    assert SCOUT.text(parse_text(LINE)) == LINE
    assert parse_text(LINE) == SCOUT.parse_text(LINE)


def test_the_line_before_the_first_deal() -> None:
    state = SCOUT.initial(2)
    assert parse_text(SCOUT.text(state)) == state


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("scout ", "chess "),
        ("players=3", "players=6"),
        ("players=3", "players=x"),
        ("players=3", "players=03"),
        ("players=3", "players=2"),
        ("round=1", "round=-1"),
        ("round=1", "round=99999"),
        ("phase=play", "phase=pause"),
        ("phase=play", "phase=over"),
        ("turn=C", "turn=-"),
        ("turn=C", "turn=D"),
        ("start=A", "start=*"),
        ("7/2", "7/7"),
        ("7/2", "7/11"),
        ("7/2,3/4;", "7/2,3/4,"),
        ("keep,keep,keep", "keep,keep"),
        ("keep,keep,keep", "keep,keep,flip"),
        ("used,open", "used,shut"),
        ("tokens=0,2,1", "tokens=0,2"),
        ("seen=4/5,5/6", "seen=5/6,4/5"),
        ("results=-", "results="),
        ("results=-", "results=1/emptied/A/0,0,0/0,0,0"),
        ("results=-", "results=1/bored/A/0,0,0/0,0,0/0,0,0"),
        ("results=-", "results=1/emptied/A/0,0,0/0,0,0/0,0"),
        ("results=-", "results=1"),
        (" kept=-", ""),
        (" kept=-", " kept=- kept=-"),
        ("results=-", "results=- "),
        ("results=-", "results=-" + "-" * 4000),
    ],
)
def test_what_is_no_state_is_refused(old: str, new: str) -> None:
    assert old in LINE
    with pytest.raises(EngineError):
        parse_text(LINE.replace(old, new, 1))


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(TEXTS), st.integers(0, 2000), st.integers(0, 6), st.text("0123456789ABCDE,;/-= keptun", max_size=4)
)
@example(LINE, 0, 0, "")
def test_no_text_breaks_the_reader(text: str, place: int, gone: int, put: str) -> None:
    place %= len(text)
    damaged = text[:place] + put + text[place + gone :]
    try:
        state = parse_text(damaged)
    except EngineError:
        return
    assert SCOUT.text(state) == damaged


@settings(deadline=None)
@given(st.text(max_size=80))
def test_arbitrary_text_is_refused(text: str) -> None:
    with pytest.raises(EngineError):
        parse_text(text)
