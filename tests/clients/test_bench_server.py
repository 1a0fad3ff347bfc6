"""`bigtop bench server` against real servers, for a second at a few tables."""

import json
import subprocess
import sys
from typing import Any

import pytest

KEYS = {
    "moves_per_s",
    "baseline_moves_per_s",
    "ratio",
    "p50_ms",
    "p99_ms",
    "rss_per_connection_kib",
    "rss_per_table_kib",
}

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="servers are measured on Linux only")


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "clients.command", "bench", "server", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def figures(*arguments: str) -> dict[str, Any]:
    found = bench("--json", *arguments)
    assert found.returncode == 0, found.stderr
    read: dict[str, Any] = json.loads(found.stdout)
    return read


class TestTheCommand:
    @pytest.mark.slow
    def test_measures_the_server_side_by_side_with_a_bare_one(self) -> None:
        found = figures("--tables", "3", "--seconds", "1")
        assert found.keys() >= KEYS
        assert found["moves_per_s"] > 0
        assert found["baseline_moves_per_s"] > found["moves_per_s"]
        assert 0 < found["ratio"] < 1
        assert 0 < found["p50_ms"] <= found["p99_ms"]
        assert found["sends_per_s"] > 3 * found["moves_per_s"]

    @pytest.mark.slow
    def test_sends_at_a_rate_beside_idle_connections(self) -> None:
        found = figures("--tables", "4", "--seconds", "1", "--rate", "40", "--idle", "20")
        assert found["moves_per_s"] == pytest.approx(40, rel=0.25)
        assert found["ratio"] is None
        assert found["rss_per_connection_kib"] > 0

    @pytest.mark.slow
    def test_measures_workers_on_redis_side_by_side_with_a_bare_loop_and_with_one_worker(self) -> None:
        found = figures("--tables", "3", "--seconds", "2", "--redis", "--workers", "2")
        assert found.keys() >= KEYS
        # What comes out here depends on the disk; that everything was counted does not.
        for side in ("", "baseline_", "redis_baseline_", "redis_wide_", "one_worker_"):
            assert found[f"{side}moves_per_s"] > 0
            assert found[f"{side}cpu_moves_per_s"] > 0
        assert found["redis_ratio"] > 0
        assert 0 < found["workers_ratio"] < 2

    @pytest.mark.slow
    def test_has_a_table_for_people(self) -> None:
        found = bench("--tables", "2", "--seconds", "0.5")
        assert found.returncode == 0, found.stderr
        assert "moves a second" in found.stdout

    @pytest.mark.parametrize("option", ["--tables=1", "--seconds=0", "--rate=x", "--idle=-1", "--workers=0"])
    def test_refuses_what_cannot_be(self, option: str) -> None:
        found = bench(option)
        assert found.returncode == 2
        assert option.partition("=")[0] in found.stderr

    def test_tells_why_the_server_did_not_start(self) -> None:
        found = bench("--redis", "no address", "--seconds", "1")
        assert found.returncode == 2
        assert found.stderr.startswith("bigtop: The server did not start:")
