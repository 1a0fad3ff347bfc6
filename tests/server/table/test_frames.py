"""Frames that are put together from parts. That they are equal to whole views is one of the laws of every course."""

from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.games import game
from server.table.frames import Frames
from server.table.state import Table
from server.table.views import encoded_view, view
from tests.server.table import laws
from tests.server.table.courses import random_course, started
from tests.server.table.desk import ADA, BEN, CEM

GRACE_MS = 7_000


def check(table: Table, now: int) -> None:
    frames = Frames(table, now, now + GRACE_MS)
    for viewer in (0, None, *range(len(table.seats)), None):
        assert frames.to(viewer) == encoded_view(view(table, viewer, now, now + GRACE_MS)), viewer


@pytest.mark.parametrize("seed", range(5))
def test_in_any_order_at_any_time_and_with_a_grace(seed: int) -> None:
    random = Random(seed)
    desk = random_course(random, seats=random.choice((2, 3, 4, 5)), private=bool(seed % 2), move_seconds=10)
    for step in desk.steps:
        check(step.table, step.entry.at + random.choice((0, 1, 5_000, 100_000)))


def test_nothing_that_is_shown_looks_like_a_hole() -> None:
    """0xC1 as often as numbers and names can hold it."""
    table = started(ADA, BEN, CEM).table
    number = 0x1FC1C1C1C1C1C1
    seats = tuple(replace(seat, name="\u00c1\u0101\u7041" * 8, decision=number) for seat in table.seats)
    check(replace(table, version=number, seats=seats, creator="\u00c1"), number)


def test_the_law_finds_what_was_put_into_the_wrong_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = started(ADA, BEN, CEM)
    scout = type(game("scout"))
    own = scout.observe_own

    def neighbour(self: Any, state: Any, seat: int, public: Any) -> Any:
        return own(self, state, (seat + 1) % state.players, public)

    monkeypatch.setattr(scout, "observe_own", neighbour)
    with pytest.raises(AssertionError, match="put together"):
        laws.holds(desk.steps[-2].table, desk.steps[-1])


def test_no_frame_holds_the_hand_of_another_seat() -> None:
    table = started(ADA, BEN, CEM).table
    frames = Frames(table, 0, 0)
    hands = [msgspec.msgpack.encode(hand) for hand in table.game.hands]
    for viewer in (None, 0, 1, 2):
        assert [hand in frames.to(viewer) for hand in hands] == [viewer == seat for seat in range(3)]
