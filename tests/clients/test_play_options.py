"""Which options of `bigtop play` go together, and what a new table is created with."""

import argparse
import io
import sys
from pathlib import Path

import pytest

from clients.play import command as play
from clients.play import options
from clients.play.options import parser, table_options
from clients.tokens import state_folder
from tests.clients.fake import FakeServer
from tests.clients.test_commands import server, table_at

TABLE = "abcdef123456"


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        ([TABLE, "--quick"], "name a table, or one of"),
        (["--private"], "--private is for a new table"),
        ([TABLE, "--no-limit"], "--no-limit is for a new table"),
        (["--quick", "--limit", "90"], "--limit is for a new table"),
        (["--new", "--level", "greedy"], "--level is for bots"),
        ([TABLE, "--seats", "3"], "--seats does not apply"),
        (["--new", "--invite", "abcdefgh"], "--invite is for a table"),
        (["--bots", "3", "--seats", "2"], "--bots 3 and you are more than --seats 2"),
        (["--new", "--limit", "soon"], "'soon' is no limit"),
        (["--new", "--limit", "4"], "from 5 seconds to 30 days"),
        (["--new", "--limit", "31d"], "from 5 seconds to 30 days"),
        (["--new", "--limit", "9", "--no-limit"], "not allowed with"),
    ],
)
def test_options_that_do_not_go_together(argv: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        play.main(argv)
    assert caught.value.code == 2
    assert sentence in capsys.readouterr().err


def parsed(*argv: str) -> argparse.Namespace:
    return parser().parse_args(argv)


@pytest.mark.parametrize(
    ("argv", "seconds"),
    [
        ((), 60),
        (("--no-limit",), None),
        (("--limit", "none"), None),
        (("--limit", "90"), 90),
        (("--limit", "2h"), 7200),
        (("--limit", "3D"), 3 * 86400),
        (("--limit", "5m"), 300),
    ],
)
def test_the_limit_for_a_move(argv: tuple[str, ...], seconds: int | None) -> None:
    assert table_options(parsed("--new", *argv)).move_seconds == seconds


def test_a_new_table() -> None:
    assert table_options(parsed("--new", "--private")).seats == 4
    assert table_options(parsed("--bots", "2")).seats == 3
    assert table_options(parsed("--bots", "2", "--seats", "5")).seats == 5
    assert table_options(parsed("--new", "--private")).private


def test_the_help_names_where_the_token_is(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        play.main(["--help"])
    assert "".join(str(state_folder()).split()) in "".join(capsys.readouterr().out.split())


def test_the_help_for_a_user_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError

    monkeypatch.setattr(options, "state_folder", homeless)
    assert "your state folder" in " ".join(parser().format_help().split())


def test_who_sits_there_already_is_told_how_to_be_a_second_player(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fake = FakeServer()
    table = table_at(fake, 3)
    with server(fake) as url:
        link = url.replace("ws:", "http:").replace("/ws", f"/t/{table}")
        for name in ("one", "one", "two"):
            monkeypatch.setattr(sys, "stdin", io.StringIO("table\nquit\n"))
            assert play.main([link, "--name", name, "--token-file", str(tmp_path / name)]) == 0
            out = capsys.readouterr().out
            assert f"Table {table}, for 3 players" in out
            assert (play.SITS in out) == (fake.hellos[-1].token is not None)
    assert [seat.name for seat in fake.tables[table].seats] == ["one", "two", None]
