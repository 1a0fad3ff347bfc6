"""The bench of the engine runs and prints what it says."""

import json

import pytest

from clients.bench.command import main

FIGURES = {"random_rounds_per_s", "api_rounds_per_s", "playouts_per_s"}


def test_json_holds_three_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["engine", "--seconds", "0", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert set(figures) == FIGURES
    assert all(isinstance(figure, float) and figure > 0 for figure in figures.values())


def test_the_table_is_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["engine", "--seconds", "0.01"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + len(FIGURES)


@pytest.mark.parametrize("argv", [[], ["nothing"], ["engine", "--seconds", "-1"], ["engine", "--seconds", "long"]])
def test_wrong_arguments_are_explained(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(argv)
    assert ended.value.code == 2
    assert "usage: bigtop bench" in capsys.readouterr().err
