"""Whole rounds with known counts of legal moves, ends and scores, through the public rules and the fast core."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.scout import SCOUT, Card, Move, Scout, ScoutShow, Show, State
from engine.scout import core as fast
from engine.scout.bridge import to_move, to_position

CASES = [json.loads(line) for line in (Path(__file__).parent / "cases" / "scout_rounds.jsonl").read_text().splitlines()]
ENDS = {"i": "emptied", "ii": "unbeaten"}


def begun(case: dict[str, Any]) -> State:
    """The case's round after the orientation choices, as the last of its match."""
    players = case["n"]
    hands = tuple(tuple(Card(*card) for card in hand) for hand in case["hands"])
    state = replace(SCOUT.initial(players), round=players, phase="play", start=case["start"], turn=case["start"])
    return replace(state, hands=hands, turned=(False,) * players)


def move_of(words: list[Any]) -> Move:
    match words:
        case ["show", first, count]:
            return Show(first, count)
        case ["scout", end, flip, gap]:
            return Scout(bool(end), bool(flip), gap)
        case ["ss", end, flip, gap, first, count]:
            return ScoutShow(Scout(bool(end), bool(flip), gap), Show(first, count))
    raise AssertionError(words)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['n']}-{case['over']}")
def test_the_rules_agree(case: dict[str, Any]) -> None:
    state = begun(case)
    for words, count in zip(case["moves"], case["legal"], strict=True):
        assert state.turn is not None
        assert len(SCOUT.legal_actions(state, state.turn)) == count
        state = SCOUT.apply(state, state.turn, move_of(words))
    assert state.phase == "over"
    result = state.results[-1]
    assert (result.reason, result.ender) == (ENDS[case["over"]], case["ender"])
    assert result.scores == tuple(case["score"])
    assert len(state.active) == case["table"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['n']}-{case['over']}")
def test_the_core_agrees(case: dict[str, Any]) -> None:
    position = to_position(begun(case))
    for words, count in zip(case["moves"], case["legal"], strict=True):
        legal = fast.moves(position)
        move = to_move(move_of(words))
        assert len(legal) == len(set(legal)) == count
        assert move in legal
        fast.apply(position, move)
    assert position.over == (fast.EMPTIED if case["over"] == "i" else fast.UNBEATEN)
    assert position.ender == case["ender"]
    assert fast.scores(position) == case["score"]
    assert len(position.table_up) == case["table"]
    assert fast.moves(position) == []
