"""How bots think. A strategy knows nothing but its seat's view; it needs no server and no connection.

A strategy is any callable that takes an engine view and a source of randomness and gives a move, as the engine's value
or in the game's notation.
"""

from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Final

from clients.errors import ClientError
from engine.scout import Move, ScoutView

Strategy = Callable[[ScoutView, Random], Move | str]

BUILT_IN: Final = {
    "random": "clients.bots.strategies.uniform:choose",
    "greedy": "clients.bots.strategies.greedy:choose",
}
"""The strategies that are chosen by a short name."""


class NoStrategy(ClientError):
    """There is no strategy of that name; the text is a sentence that says why."""


def check_level(level: str) -> None:
    """Raise `NoStrategy` for a kind of bot that no house bot is: its seat would stay empty for ever.

    A dotted path is let pass, since others may serve bots, too, and name their levels so.
    """
    if level and level not in BUILT_IN and ":" not in level:
        raise NoStrategy(f"There are no bots of level {level!r}: name one of {', '.join(BUILT_IN)}.")


def load(name: str) -> Strategy:
    """The strategy with a short name, or at a dotted path such as ``my.module:choose``. Raises `NoStrategy`.

    A class at the path is called once without arguments, and what it makes is the strategy.
    """
    module_name, colon, attribute = BUILT_IN.get(name, name).partition(":")
    if not (module_name and colon and attribute):
        known = ", ".join(BUILT_IN)
        raise NoStrategy(f"There is no strategy {name!r}: name one of {known}, or a dotted path like my.module:choose.")
    try:
        module = import_module(module_name)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise NoStrategy(f"The strategy {name!r} cannot be loaded ({reason}).") from error
    strategy: object = getattr(module, attribute, None)
    if isinstance(strategy, type):
        strategy = strategy()
    if not callable(strategy):
        raise NoStrategy(f"The module {module_name} has no strategy {attribute!r}.")
    return strategy
