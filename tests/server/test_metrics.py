"""What is counted, and that every label comes from a closed set."""

import re
import time
import timeit
from pathlib import Path
from typing import get_args

import pytest
from prometheus_client.metrics_core import Metric

from protocol.closing import CLOSE_CODES
from protocol.commands import AnyCommand, Hello, Ping
from protocol.errors import ERRORS
from protocol.values import Status
from server import metrics
from server.metrics import REGISTRY
from tests.server.metered import counting, value

PAGE = Path(__file__).parents[2] / "docs" / "operations.md"
CLOSED = {
    "code": {"ok", "other", *(error.code for error in ERRORS)}
    | {str(code.code) for code in CLOSE_CODES}
    | {"1000", "1001", "1002", "1003", "1005", "1006", "1007", "1009", "1011", "1012"},
    "kind": {kind.__struct_config__.tag for kind in get_args(AnyCommand)},
    "status": set(get_args(Status)),
    "result": {"stored", "conflict", "failed"},
    "made": {"here", "elsewhere"},
    "hit": {"command", "background"},
    "what": {"view", "entries"},
}


def families() -> list[Metric]:
    return list(REGISTRY.collect())


def assert_closed_labels() -> None:
    """No label of any sample is outside of its set."""
    for family in families():
        for sample in family.samples:
            for label, shown in sample.labels.items():
                if label != "le":
                    assert shown in CLOSED[label], sample


def test_whatever_is_counted_no_label_is_made_up() -> None:
    since = counting()
    for code in ("ok", "no_such_table", "made up", 'x"} 1\nforged 1'):
        metrics.command(Ping(id="p"), code)
        metrics.message_refused(code)
    for close in (1000, 4001, 1006, 3999, 4999):
        metrics.connection_closed(close, 0)
    metrics.tables({"running": 3})
    assert_closed_labels()
    assert since("bigtop_connections_closed_total", code="other") == 2
    assert (value("bigtop_tables", status="running"), value("bigtop_tables", status="open")) == (3, 0)
    metrics.tables({})
    assert value("bigtop_tables", status="running") == 0


def test_commands_are_counted_by_kind_and_result() -> None:
    since = counting()
    metrics.command(Ping(id="p"), metrics.DONE)
    metrics.command(Ping(id="p"), metrics.DONE)
    metrics.command(Hello(id="h"), "bad_name")
    assert since("bigtop_commands_total", kind="ping", code="ok") == 2
    assert since("bigtop_commands_total", kind="hello", code="bad_name") == 1


def test_a_commit_is_counted_and_timed() -> None:
    since = counting()
    metrics.commit_stored(0.003)
    metrics.commit_lost()
    metrics.commit_failed()
    counts = [since("bigtop_commits_total", result=result) for result in ("stored", "conflict", "failed")]
    assert counts == [1, 1, 1]
    assert since("bigtop_commit_seconds_count") == 1
    assert since("bigtop_commit_seconds_sum") == pytest.approx(0.003)
    assert since("bigtop_commit_seconds_bucket", le="0.002") == 0
    assert since("bigtop_commit_seconds_bucket", le="0.005") == 1


def test_a_move_pays_little() -> None:
    """All that is counted of a move with its commit and its views."""
    move = Ping(id="p")

    def count() -> None:
        metrics.command(move, metrics.DONE)
        metrics.commit_stored(0.003)
        metrics.views_handed_over(0.003, made_here=True)

    took = min(timeit.repeat(count, number=1_000, repeat=15, timer=time.process_time)) / 1_000
    assert took < 30e-6, "four times what it is on a busy machine"


def test_the_operators_page_lists_every_metric() -> None:
    rows = re.findall(r"^\| `(bigtop_\w+)` \| (\w+) \| ([\w`, ]*?) *\| (.+?) \|$", PAGE.read_text(), re.MULTILINE)
    assert rows == [
        (
            family.name + ("_total" if family.type == "counter" else ""),
            family.type,
            ", ".join(f"`{label}`" for label in _labels(family)),
            family.documentation,
        )
        for family in families()
    ]


def _labels(family: Metric) -> list[str]:
    collector = REGISTRY._names_to_collectors[family.name]
    return list(getattr(collector, "_labelnames", ()))
