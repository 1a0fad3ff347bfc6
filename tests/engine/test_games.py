"""The register of games, the errors, and what the packages export."""

import pytest

import engine.scout
from engine import errors
from engine.games import GAMES, game

SCOUT_EXPORTS = {
    "ILLEGAL",
    "INVALID",
    "SCOUT",
    "Action",
    "Card",
    "Chose",
    "Deal",
    "Dealt",
    "Event",
    "GameOver",
    "Move",
    "Orient",
    "Phase",
    "RoundOver",
    "RoundResult",
    "Scout",
    "ScoutGame",
    "ScoutShow",
    "ScoutShowed",
    "ScoutView",
    "Scouted",
    "SeatView",
    "Show",
    "Showed",
    "State",
    "parse_text",
}


def test_games_are_found_by_name() -> None:
    assert GAMES["scout"] is game("scout") is engine.scout.SCOUT
    for name, found in GAMES.items():
        assert found.name == name
        assert found.variants[0] == ""
        assert set(found.seats) <= set(range(1, 6))


def test_the_register_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        GAMES["chess"] = engine.scout.SCOUT  # type: ignore[index]  # on purpose


def test_an_unknown_game_is_named() -> None:
    with pytest.raises(errors.EngineError, match=r"'chess'.*scout"):
        game("chess")


def test_scout_exports_its_values() -> None:
    assert set(engine.scout.__all__) == SCOUT_EXPORTS
    assert all(hasattr(engine.scout, name) for name in SCOUT_EXPORTS)


def test_scout_is_for_two_to_five() -> None:
    assert engine.scout.SCOUT.seats == range(2, 6)
    assert engine.scout.SCOUT.variants == ("",)


def test_a_refusal_shows_its_code() -> None:
    assert repr(errors.IllegalMove("not_a_set", "No.")) == "IllegalMove('not_a_set', 'No.')"
    assert issubclass(errors.InvalidMove, errors.MoveError)
    assert issubclass(errors.MoveError, errors.EngineError)
    assert issubclass(errors.RecordError, errors.EngineError)
