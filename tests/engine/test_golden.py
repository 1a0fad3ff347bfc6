"""Golden records: whole games that must go on to be what they were (made by ``tests.engine.golden.make``)."""

from pathlib import Path
from random import Random

import pytest

from engine.game import CHANCE
from engine.games import GAMES
from engine.record import Record
from tests.engine.golden.make import FOLDER, play

FILES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_record_replays_as_it_was(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    record = Record.parse(text)
    assert str(record) == text
    game = GAMES[record.game]
    states = record.states()
    state = next(states)
    for line in record.moves:
        if line.actor is None:
            assert game.text(state) == line.comment
            continue
        if line.actor != CHANCE:
            assert line.comment == f"of {len(game.legal_actions(state, line.actor))}"
        assert game.write(game.read(line.move)) == line.move
        state = next(states)
    assert next(states, None) is None
    assert record.totals is not None


def test_every_game_has_golden_records_for_every_kind_of_table() -> None:
    records = [Record.parse(path.read_text(encoding="utf-8")) for path in FILES]
    assert {(record.game, record.players, record.variant) for record in records} == {
        (game.name, players, variant) for game in GAMES.values() for players in game.seats for variant in game.variants
    }


def test_golden_records_are_made_of_whole_games() -> None:
    record = play(GAMES["scout"], 3, "", Random(9))
    assert record.totals is not None
    assert Record.parse(str(record)) == record
