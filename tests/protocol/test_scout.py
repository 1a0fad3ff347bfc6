"""SCOUT on the wire has the fields of the engine's views and events."""

from dataclasses import fields

import pytest

from engine.scout import view
from protocol import scout


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (view.RoundResult, scout.RoundResult),
        (view.SeatView, scout.ScoutSeat),
        (view.ScoutView, scout.ScoutView),
        (view.Dealt, scout.Dealt),
        (view.Chose, scout.Chose),
        (view.Showed, scout.Showed),
        (view.Scouted, scout.Scouted),
        (view.ScoutShowed, scout.ScoutShowed),
        (view.RoundOver, scout.RoundOver),
        (view.GameOver, scout.GameOver),
    ],
)
def test_the_fields_are_those_of_the_engine(theirs: type, ours: type[scout.ScoutView]) -> None:
    config = ours.__struct_config__
    names = [field.name for field in fields(theirs) if field.name != config.tag_field]
    assert names == [*ours.__struct_fields__]
