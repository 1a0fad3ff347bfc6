"""Servers that do not behave, as the load generator starts and ends them."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from clients.bench.load import processes
from clients.bench.load.errors import BenchError
from clients.bench.load.processes import Server, cpu_seconds

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="servers are measured on Linux only")

LISTENS = (
    "import signal, sys\nsignal.signal(15, signal.SIG_IGN)\nprint('listening on http://127.0.0.1:7', flush=True)\n"
)
Start = Callable[[str], Server]


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Start:
    """Starts a server that is made of a few lines of Python."""
    monkeypatch.chdir(tmp_path)

    def start(code: str) -> Server:
        (tmp_path / "misfit.py").write_text(code)
        return Server("misfit", ["misfit"], processes.cores()[0])

    return start


def test_one_that_ends_without_a_word(start: Start) -> None:
    with pytest.raises(BenchError, match="The misfit did not start: it said nothing"):
        start("")


def test_one_that_never_listens(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "START_SECONDS", 0.1)
    with pytest.raises(BenchError, match="did not start"):
        start("import signal\nsignal.pause()")


def test_one_that_complains(start: Start) -> None:
    with (
        pytest.raises(BenchError, match="The misfit complained: no more room"),
        start(LISTENS + "sys.exit('no more room')"),
    ):
        pass


def test_one_that_complains_keeps_no_other_error_from_being_seen(start: Start) -> None:
    with pytest.raises(ZeroDivisionError), start(LISTENS + "sys.exit('no more room')"):
        raise ZeroDivisionError


def test_one_that_does_not_stop_is_killed(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "STOP_SECONDS", 0.1)
    with start(LISTENS + "signal.pause()") as server:
        assert server.port == 7
        assert server.rss_kib() > 0
        pid = server._process.pid
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_one_that_has_ended_has_no_figures(start: Start) -> None:
    with start(LISTENS) as server:
        pid = server._process.pid
    with pytest.raises(BenchError, match="ended"):
        cpu_seconds(pid)
