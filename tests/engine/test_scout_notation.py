"""The notation: one spelling, some tolerance, and no text that it stumbles over."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.errors import InvalidMove
from engine.scout import ILLEGAL, INVALID, SCOUT, Action, Card, Deal, Orient, Scout, ScoutShow, Show
from engine.scout.decks import FULL

DEAL = Deal(2, ((Card(7, 2), Card(3, 4)), (Card(1, 5),)), (Card(10, 1),))
SPELLED: dict[str, Action] = {
    "keep": Orient(False),
    "turn": Orient(True),
    "show 3-5": Show(2, 3),
    "show 3": Show(2, 1),
    "show 1-10": Show(0, 10),
    "scout left 4": Scout(False, False, 3),
    "scout right turned 1": Scout(True, True, 0),
    "scout left 4 show 3-5": ScoutShow(Scout(False, False, 3), Show(2, 3)),
    "scout right turned 45 show 1": ScoutShow(Scout(True, True, 44), Show(0, 1)),
    "deal C 7/2 3/4 | 1/5 | keeping 10/1": DEAL,
    "deal A 7/2 3/4 | 1/5 |": Deal(0, DEAL.hands),
}

shown = st.integers(0, 44).flatmap(lambda first: st.builds(Show, st.just(first), st.integers(1, 45 - first)))
scouted = st.builds(Scout, st.booleans(), st.booleans(), st.integers(0, 44))
card = st.sampled_from(FULL).flatmap(lambda found: st.sampled_from([found, found.turned()]))
hand = st.lists(card, max_size=12).map(tuple)
deal = st.builds(
    Deal, st.integers(0, 4), st.lists(hand, min_size=2, max_size=5).map(tuple), st.lists(card, max_size=22).map(tuple)
)
actions = st.one_of(st.builds(Orient, st.booleans()), shown, scouted, st.builds(ScoutShow, scouted, shown), deal)


@pytest.mark.parametrize(("text", "action"), SPELLED.items())
def test_spelling(text: str, action: Action) -> None:
    assert SCOUT.write(action) == text
    assert SCOUT.read(text) == action


@settings(deadline=None)
@given(actions)
def test_every_action_is_read_back(action: Action) -> None:
    text = SCOUT.write(action)
    assert SCOUT.read(text) == action
    assert SCOUT.read(f" {text.upper()}  ".replace(" ", "  ")) == action


@pytest.mark.parametrize("text", ["show 3-3", " SHOW   3 "])
def test_one_card_may_be_written_as_a_stretch(text: str) -> None:
    assert SCOUT.read(text) == Show(2, 1)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "unknown_move"),
        ("   ", "unknown_move"),
        ("pass", "unknown_move"),
        ("keep it", "unknown_move"),
        ("show", "bad_show"),
        ("show 0", "bad_show"),
        ("show 03", "bad_show"),
        ("show 5-3", "bad_show"),
        ("show 3 - 5", "bad_show"),
        ("show 3-", "bad_show"),
        ("show 46", "bad_show"),
        ("show 1-999999999999", "bad_show"),
        ("scout", "bad_scout"),
        ("scout left", "bad_scout"),
        ("scout middle 3", "bad_scout"),
        ("scout left turned", "bad_scout"),
        ("scout turned left 3", "bad_scout"),
        ("scout left 0", "bad_scout"),
        ("scout left 46", "bad_scout"),
        ("scout left 3 show", "bad_show"),
        ("scout show 3", "bad_scout"),
        ("scout left 3 show 1 show 2", "bad_show"),
        ("deal", "bad_deal"),
        ("deal F 1/2 | 3/4 |", "bad_deal"),
        ("deal AB 1/2 | 3/4 |", "bad_deal"),
        ("deal A 1/2 |", "bad_deal"),
        ("deal A 1/2 | 3/4", "bad_deal"),
        ("deal A 1/2 | 3/4 | 5/6", "bad_deal"),
        ("deal A 1/2 | 3/4 | keeping", "bad_deal"),
        ("deal A 1/2 | 3/4 | keeping 5/6 |", "bad_deal"),
        ("deal A 1/2 | 3/4 keeping 5/6", "bad_deal"),
        ("deal A 1/1 | 3/4 |", "bad_deal"),
        ("deal A 1/11 | 3/4 |", "bad_deal"),
        ("deal A " + "1/2 | " * 6, "bad_deal"),
        ("show\t3", "bad_character"),
        ("show 3\n", "bad_character"),
        ("show ３", "bad_character"),
        ("\u212aeep", "bad_character"),
        ("show 3" + " " * 1000, "too_long"),
    ],
)
def test_what_is_no_move_is_refused(text: str, code: str) -> None:
    with pytest.raises(InvalidMove) as refused:
        SCOUT.read(text)
    assert refused.value.code == code
    assert refused.value.message == INVALID[code]


def test_every_reason_is_documented_with_a_sentence() -> None:
    assert set(INVALID).isdisjoint(ILLEGAL)
    assert all(sentence.endswith(".") for sentence in (*INVALID.values(), *ILLEGAL.values()))


words = st.sampled_from(
    [
        *"ABCF|-/;",
        "keep",
        "turn",
        "show",
        "scout",
        "left",
        "right",
        "turned",
        "deal",
        "keeping",
        "1/2",
        "3-5",
        "7",
        "10/9",
    ]
)


@settings(deadline=None)
@given(st.one_of(st.text(max_size=60), st.lists(words, max_size=12).map(" ".join)))
@example("deal")
def test_no_text_breaks_the_reader(text: str) -> None:
    code = ""
    try:
        action = SCOUT.read(text)
    except InvalidMove as refused:
        code = refused.code
    if code:
        assert code in INVALID
    else:
        assert SCOUT.read(SCOUT.write(action)) == action
