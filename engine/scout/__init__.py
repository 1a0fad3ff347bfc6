"""SCOUT: rules, notation, views, and a fast core for bots.

`SCOUT` is the game itself (see `engine.game.Game` for what it can do). The other names are its values: cards, moves,
views and events. `engine.scout.core` and its neighbours hold the fast core.
"""

from typing import Final

from engine.scout.cards import Card
from engine.scout.codes import ILLEGAL, INVALID
from engine.scout.game import ScoutGame
from engine.scout.moves import Action, Deal, Move, Orient, Scout, ScoutShow, Show
from engine.scout.state import State
from engine.scout.text import parse_text
from engine.scout.view import (
    Chose,
    Dealt,
    Event,
    GameOver,
    Phase,
    RoundOver,
    RoundResult,
    Scouted,
    ScoutShowed,
    ScoutView,
    SeatView,
    Showed,
)

SCOUT: Final = ScoutGame()
"""The game of SCOUT."""

__all__ = [
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
]
