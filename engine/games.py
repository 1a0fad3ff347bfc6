"""The games that Bigtop hosts. A further game is one folder and one line here."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from engine.errors import EngineError
from engine.game import Game
from engine.scout import SCOUT

AnyGame = Game[Any, Any, Any, Any]
"""Any game, where the types of its states and actions do not matter."""

GAMES: Final[Mapping[str, AnyGame]] = MappingProxyType(
    {
        "scout": SCOUT,
    }
)
"""Every game by its name."""


@cache  # it is asked many times for each move
def game(name: str) -> AnyGame:
    """The game called `name`. Raises `EngineError` where there is none."""
    found = GAMES.get(name)
    if found is None:
        raise EngineError(f"there is no game {name[:40]!r}; there are: {', '.join(GAMES)}")
    return found
