"""``bigtop bench engine``: rounds of SCOUT with four players that the engine plays in a second, on one core."""

import argparse
import json
import random
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from engine.game import CHANCE
from engine.scout import SCOUT, State
from engine.scout.bridge import to_position
from engine.scout.core import apply, moves
from engine.scout.playout import playout

if TYPE_CHECKING:
    Benches = argparse._SubParsersAction[argparse.ArgumentParser]

DESCRIPTION: Final = "Rounds of SCOUT with four players that the engine plays in a second, on one core."
PLAYERS: Final = 4
STRETCHES: Final = 5
SEED: Final = 1
"""The same rounds each time, so that two measurements differ by the machine and the code alone."""


def add(benches: "Benches") -> None:
    parser = benches.add_parser("engine", help="the rules and the fast core", description=DESCRIPTION)
    parser.add_argument("--seconds", type=_seconds, default=5.0, help="time for each figure (default: 5)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    figures = measure(arguments.seconds)
    if arguments.json:
        print(json.dumps(figures))
        return 0
    print(
        f"{PLAYERS}-player SCOUT on one core, {arguments.seconds:g} s for each figure, of which the best fifth counts"
    )
    for name, text in (
        ("random_rounds_per_s", "random rounds a second, fast core, all legal moves listed"),
        ("api_rounds_per_s", "random rounds a second, public rules, all legal moves listed"),
        ("playouts_per_s", "light playouts a second"),
    ):
        print(f"{figures[name]:10,.0f}  {text}")
    return 0


def measure(seconds: float) -> dict[str, float]:
    """The three figures, each measured for `seconds`."""
    generator = random.Random(SEED)
    return {
        "random_rounds_per_s": _rate(seconds, lambda: _random_round(generator)),
        "api_rounds_per_s": _rate(seconds, lambda: _api_round(generator)),
        "playouts_per_s": _rate(seconds, _playouts(generator)),
    }


def _rate(seconds: float, once: Callable[[], object]) -> float:
    """How often a second `once` can be called: the best of a few equal stretches, the one least disturbed by others."""
    once()  # fills the caches
    return round(max(_stretch(seconds / STRETCHES, once) for _ in range(STRETCHES)), 1)


def _stretch(seconds: float, once: Callable[[], object]) -> float:
    calls = 0
    begin = now = time.perf_counter()
    while now - begin < seconds or not calls:
        once()
        calls += 1
        now = time.perf_counter()
    return calls / (now - begin)


def _dealt(generator: random.Random) -> State:
    state = SCOUT.initial(PLAYERS)
    draw = generator.random
    return SCOUT.apply(state, CHANCE, SCOUT.chance(state, lambda n: int(draw() * n)))


def _random_round(generator: random.Random) -> None:
    position = to_position(_dealt(generator))
    draw = generator.random
    while not position.over:
        legal = moves(position)
        apply(position, legal[int(draw() * len(legal))])


def _api_round(generator: random.Random) -> None:
    state = _dealt(generator)
    while state.phase != "deal":
        seat = min(state.actors)
        state = SCOUT.apply(state, seat, generator.choice(list(SCOUT.legal_actions(state, seat))))


def _playouts(generator: random.Random) -> Callable[[], object]:
    """Playouts of the same few deals again and again: redealing is not what is measured."""
    positions = [to_position(_dealt(generator)) for _ in range(64)]

    def once() -> None:
        position = positions.pop(0)
        positions.append(position)
        playout(position.copy())

    return once


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1
    if not 0 <= seconds <= 3600:
        raise argparse.ArgumentTypeError("must be a number from 0 to 3600")
    return seconds
