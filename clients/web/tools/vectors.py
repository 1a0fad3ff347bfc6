"""Writes what the engine says about many positions and matches, as JSON, for the page's tests to compare with.

    python clients/web/tools/vectors.py > vectors.json

Everything in it follows from the seeds in here.
"""

import json
import random
import sys
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from engine.game import CHANCE
from engine.games import game
from engine.record import Record, RecordLine
from engine.scout.cards import Card

SEEDS = range(16)
KEPT = 0.6
"""The share of the turns whose legal moves are written."""
TAGS = tuple((f"Seat{letter}", f'{letter} "the \\ Great"') for letter in "ABCDE")


def plain(value: Any) -> Any:
    """The value as the protocol would write it."""
    if isinstance(value, Card):
        return [value.up, value.down]
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def play(seed: int) -> dict[str, Any]:
    """A match of random moves: its record, all its frames, and what is legal at each turn."""
    scout, chance, players = game("scout"), random.Random(seed), 2 + seed % 4
    state = scout.initial(players)
    lines: list[RecordLine] = []
    frames: list[dict[str, Any]] = []
    turns: list[dict[str, Any]] = []
    while scout.outcome(state) is None:
        actor = min(state.actors)
        if actor == CHANCE:
            action = scout.chance(state, chance.randrange)
        else:
            legal = list(scout.legal_actions(state, actor))
            if state.phase == "play" and chance.random() < KEPT:
                turns.append(turn(state, actor, sorted(map(scout.write, legal))))
            action = chance.choice(legal)
        after = scout.apply(state, actor, action)
        events = scout.describe(state, actor, action, after, None if actor == CHANCE else actor)
        frames.append({"view": plain(scout.observe(after, None)), "hands": plain(after.hands), "events": plain(events)})
        number = len(lines) + 1
        comment = f"+{number * 1000}" + (" minder" if number % 7 == 0 else "")
        lines.append(RecordLine(number, actor, scout.write(action), comment))
        state = after
    tags = (("Table", "07k3mnpqrstv"), *TAGS[:players])
    record = Record("scout", players, tags=tags, moves=tuple(lines), totals=state.points)
    return {"record": str(record), "frames": frames, "turns": turns}


def turn(state: Any, seat: int, moves: list[str]) -> dict[str, Any]:
    """One seat's turn, and its legal moves."""
    return {
        "players": state.players,
        "hand": plain(state.hands[seat]),
        "table": plain(state.active),
        "tokens": state.tokens[seat],
        "scoutShow": state.scout_show[seat],
        "moves": moves,
    }


if __name__ == "__main__":
    json.dump([play(seed) for seed in SEEDS], sys.stdout, separators=(",", ":"))
