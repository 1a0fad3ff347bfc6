"""`bigtop verify`: what it says, and with which exit code."""

import io
from pathlib import Path

import pytest

from server.commands.verify import main
from server.table.fold import Step


@pytest.fixture
def file(short: str, tmp_path: Path) -> Path:
    path = tmp_path / "match.txt"
    path.write_text(short, encoding="utf-8")
    return path


def shown(steps: list[Step], version: int) -> str:
    return f"{version}:{steps[version - 1].table.head.hex()}"


def test_a_record_that_holds_gives_0(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(file)]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("right: 2 deals follow from the seed and the nonces, 30 moves are legal, 38 heads\n")
    assert out.endswith("result: A Ada 3, B Ben 3\n")
    assert not err


def test_a_record_that_does_not_gives_1_and_the_line(
    file: Path, short: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(short.replace("8. A turn", "8. A keep"), encoding="utf-8")
    assert main([str(file)]) == 1
    line = short.split("\n8. A turn")[0].count("\n") + 2
    assert capsys.readouterr().out == f"wrong: line {line}: entry 8 does not give the head that stands after it\n"


def test_no_record_gives_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe")
    for path, reason in ((tmp_path / "none", "No such file"), (tmp_path, "Is a directory"), (binary, "it is not text")):
        assert main([str(path)]) == 2
        out, err = capsys.readouterr()
        assert not out
        assert reason in err


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_dash_reads_standard_input(
    ends: str, short: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """However lines end on the reader's system."""
    data = short.replace("\n", ends).encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), encoding="ascii"))
    assert main(["-"]) == 0
    assert "right" in capsys.readouterr().out


def test_heads_that_were_shown_are_compared(
    file: Path, short_steps: list[Step], capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = shown(short_steps, 3), shown(short_steps, 9)
    assert main([str(file), "--head", one, "--head", other.upper(), "--head", one]) == 0
    assert "38 heads, 2 of them as they were shown to you" in capsys.readouterr().out
    assert main([str(file), "--head", "3:" + "00" * 32]) == 1
    assert "another head was shown for version 3" in capsys.readouterr().out


def test_two_heads_for_one_version_are_wrong_whatever_the_record_says(
    file: Path, short_steps: list[Step], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(file), "--head", "3:" + "00" * 32, "--head", shown(short_steps, 3)]) == 1
    assert "two heads were shown for version 3" in capsys.readouterr().out


@pytest.mark.parametrize("head", ["3", "3:00", "0:" + "00" * 32, "x:" + "00" * 32])
def test_what_is_no_head_gives_2(file: Path, head: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([str(file), "--head", head])
    assert ended.value.code == 2
    assert "a head is a version, a colon and 64 hexadecimal digits" in capsys.readouterr().err
