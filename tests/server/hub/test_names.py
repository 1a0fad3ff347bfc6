"""What a name may be."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import BAD_NAME
from server.hub.names import MAX_NAME, clean_name
from server.table.refusal import Refused

LETTERS = st.characters(exclude_categories=["C", "Z", "M"], exclude_characters="\u115f\u1160\u2800\u3164\uffa0")


def refused(text: str) -> bool:
    try:
        clean_name(text)
    except Refused as why:
        return why.code is BAD_NAME
    return False


@given(st.text(max_size=40))
def test_what_is_left_can_be_shown(text: str) -> None:
    if refused(text):
        return
    name = clean_name(text)
    assert 1 <= len(name) <= MAX_NAME
    assert name == name.strip()
    assert "  " not in name
    assert unicodedata.is_normalized("NFC", name)
    assert not any(unicodedata.category(letter)[0] in "CZ" and letter != " " for letter in name)
    assert clean_name(name) == name, "a clean name is clean"


@given(st.text(LETTERS, min_size=1, max_size=8))
def test_letters_are_taken(text: str) -> None:
    assert clean_name(text) == unicodedata.normalize("NFC", text)


@given(
    st.text(LETTERS, min_size=1, max_size=8),
    st.sampled_from("\x00\x07\x1b\x7f\u200b\u200d\u2060\ufeff\u00ad\u202a\u202e\u2066\u2069\ue000\u0378"),
    st.text(LETTERS, max_size=8),
)
def test_what_cannot_be_seen_is_refused(before: str, hidden: str, after: str) -> None:
    assert refused(before + hidden + after)


@given(st.sampled_from("\n\t\r\x1c\x85\u00a0\u2003\u2028\u2029\u3000"))
def test_every_kind_of_space_becomes_one_space(space: str) -> None:
    assert clean_name(f"{space}Ann{space}{space}Lee{space}") == "Ann Lee"


@pytest.mark.parametrize(
    "text", ["", " ", "\n\t", "\u3164", "\u2800", "\u115f", "\uffa0", "\u0301", "\u034f", "x" * 25]
)
def test_a_name_must_have_something_to_show(text: str) -> None:
    assert refused(text)


def test_marks_may_not_pile_up() -> None:
    assert clean_name("e\u0301") == "é"
    assert clean_name("x\u0301\u0302") == "x\u0301\u0302"
    assert refused("x\u0301\u0302\u0303")
    assert refused("Z\u0335\u0321\u0353a\u0334\u0322l\u0335g\u0336o\u0337"), "nor anywhere"


def test_a_name_is_counted_when_it_is_composed() -> None:
    assert clean_name("e\u0301" * 24) == "é" * 24
    assert refused("e\u0301" * 25)


def test_names_of_all_the_world() -> None:
    for name in ("Ann", "José", "Zoë", "Łukasz", "李雷", "नमन", "محمد", "O'Brien-Smith", "🤡 Clown", "❤\ufe0f"):
        assert clean_name(name) == unicodedata.normalize("NFC", name)
