"""The referee is tested with planted faults."""

import pytest

from tests.end_to_end.noting import Doubt, Log, Noted
from tests.end_to_end.referee import Faults, judge

RECORD = """[Game "scout"]
[Players "2"]

1. * {deal}
2. A keep
3. B turn
"""


def _short_match() -> tuple[str, list[Log]]:
    hands = " | ".join(" ".join(f"{up}/{down}" for up, down in hand) for hand in _HANDS)
    kept = " ".join(f"{up}/{down}" for up, down in _KEPT)
    text = RECORD.format(deal=f"deal A {hands} | keeping {kept}")
    return text, [Log([Noted(0, "keep", 2)]), Log([Noted(1, "turn", 3)])]


_DECK = [(low, high) for low in range(1, 11) for high in range(low + 1, 11) if (low, high) != (9, 10)]
_HANDS = (_DECK[:11], _DECK[11:22])
_KEPT = _DECK[22:]


def test_the_referee_accepts_what_is_right() -> None:
    text, logs = _short_match()
    assert judge(logs, text) == 2


def test_the_referee_finds_a_planted_loss() -> None:
    text, logs = _short_match()
    with pytest.raises(Faults, match="not in the record"):
        judge(logs, text.replace("3. B turn\n", ""))


def test_the_referee_finds_a_planted_double() -> None:
    text, logs = _short_match()
    logs[1].moves.clear()
    with pytest.raises(Faults, match="never acknowledged"):
        judge(logs, text)
    logs[1].moves += [Noted(1, "turn", 3), Noted(1, "turn", 3)]
    with pytest.raises(Faults, match="acknowledged twice"):
        judge(logs, text)


def test_a_move_of_which_nobody_was_told_may_have_been_made_once() -> None:
    text, logs = _short_match()
    logs[1].moves.clear()
    logs[1].doubts.append(Doubt(1, "turn", "store_down"))
    assert judge(logs, text) == 2
    assert judge(logs, text.replace("3. B turn\n", "")) == 1


def test_what_a_minder_played_is_no_move_of_a_player() -> None:
    text, logs = _short_match()
    logs[1].moves.clear()
    assert judge(logs, text.replace("3. B turn\n", "3. ; +5 minded 1 time\n4. B turn ; +6000 minder\n")) == 1
