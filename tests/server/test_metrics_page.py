"""The page of metrics, of one process and of several real ones."""

import os
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from prometheus_client.parser import text_string_to_metric_families

from protocol.commands import Ping
from server import metrics
from server.metrics_page import Folder, show
from tests.server.store.redis_server import free_port

WORKER = """
import sys
from protocol.commands import Ping
from server import metrics
metrics.connection_opened(int(sys.argv[1]))
for _ in range(int(sys.argv[2])):
    metrics.command(Ping(id="p"), metrics.DONE)
    metrics.commit_stored(0.003)
metrics.tables({"running": int(sys.argv[1])})
print("ready", flush=True)
sys.stdin.read()
"""
PINGS = ("bigtop_commands_total", "code=ok", "kind=ping")

Worker = subprocess.Popen[bytes]


@contextmanager
def working(folder: Folder, connections: int, commands: int) -> Iterator[Worker]:
    """A process that has counted and lives on."""
    process = subprocess.Popen(
        [sys.executable, "-c", WORKER, str(connections), str(commands)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **folder.environment()},
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        try:
            yield process
        finally:
            process.kill()


def page(port: int) -> dict[tuple[str, ...], float]:
    """All samples, by name and labels."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    return {
        (sample.name, *sorted(f"{label}={value}" for label, value in sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.fixture
def port() -> int:
    return free_port()


def test_of_this_process(port: int) -> None:
    metrics.connection_opened(7)
    with show("127.0.0.1", port, None):
        before = page(port)
        assert before[("bigtop_connections",)] == 7
        metrics.command(Ping(id="p"), metrics.DONE)
        assert page(port)[PINGS] == before.get(PINGS, 0.0) + 1
    with pytest.raises(OSError, match="refused"):
        page(port)


def test_of_several_processes_together(port: int) -> None:
    with Folder() as folder, show("127.0.0.1", port, folder), working(folder, 2, 10), working(folder, 3, 5):
        shown = page(port)
        assert shown[("bigtop_connections",)] == 5
        assert shown[PINGS] == 15
        assert shown[("bigtop_commit_seconds_count",)] == 15
        assert shown[("bigtop_commit_seconds_bucket", "le=0.002")] == 0
        assert shown[("bigtop_commit_seconds_bucket", "le=0.005")] == 15
        assert shown[("bigtop_tables", "status=running")] == 5


def test_what_the_dead_had_is_gone_and_what_they_counted_stays(port: int) -> None:
    with Folder() as folder, show("127.0.0.1", port, folder), working(folder, 3, 5):
        for round in range(1, 4):
            with working(folder, 2, 10) as process:
                assert page(port)[("bigtop_connections",)] == 5
            folder.died(process.pid)
            shown = page(port)
            assert shown[("bigtop_connections",)] == 3
            assert shown[("bigtop_tables", "status=running")] == 3
            assert shown[PINGS] == 5 + 10 * round
            assert shown[("bigtop_commit_seconds_bucket", "le=0.005")] == 5 + 10 * round
            assert shown[("bigtop_commit_seconds_sum",)] == pytest.approx(0.003 * (5 + 10 * round))
            assert not [file for file in folder.path.iterdir() if f"_{process.pid}." in file.name]


def test_who_died_before_it_counted_leaves_nothing() -> None:
    with Folder() as folder:
        (folder.path / "counter_4711.db").touch()
        folder.died(4711)
        folder.died(4712)
        assert [family for family in folder.collect() if family.samples] == []


def test_the_folder_is_its_owners_and_goes_in_the_end() -> None:
    with Folder() as folder, working(folder, 1, 1):
        assert folder.path.stat().st_mode & 0o777 == 0o700
    assert not folder.path.exists()


def test_two_servers_have_a_folder_each() -> None:
    with Folder() as one, Folder() as other:
        assert one.environment() != other.environment()


def test_a_port_in_use() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(OSError, match="in use"):
        show("127.0.0.1", taken.getsockname()[1], None).__enter__()
