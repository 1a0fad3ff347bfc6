"""What is counted and measured, for Prometheus.

Every label comes from a closed set: kinds of commands, codes, and words of this file. Nothing that a client has said,
no id and no name is ever one, so there is nothing secret in a metric and never too much of them.

In a worker process prometheus-client keeps the figures in files, if the environment says where when it is imported
(`server.metrics_page`). A count then costs about a microsecond and a time two, and else half of that.
"""

from collections.abc import Mapping
from typing import get_args

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics

from protocol.closing import CLOSE_CODES
from protocol.commands import AnyCommand
from protocol.errors import ERRORS
from protocol.values import Status

disable_created_metrics()  # type: ignore[no-untyped-call]  # when a series began says nothing here

REGISTRY = CollectorRegistry()
"""Everything below, as this process alone has it."""

DONE = "ok"
"""The result of a command that was carried out; all others are error codes."""
SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""The upper ends of the buckets of all times."""

_KINDS: dict[type, str] = {kind: str(kind.__struct_config__.tag) for kind in get_args(AnyCommand)}
_RESULTS = frozenset({DONE, *(error.code for error in ERRORS)})
_OTHER = "other"
_CLOSES = frozenset({code.code for code in CLOSE_CODES} | {1000, 1001, 1002, 1003, 1005, 1006, 1007, 1009, 1011, 1012})
"""Those of the protocol, and those of WebSocket that a peer or uvicorn may use."""


def _counter(name: str, meaning: str, *labels: str) -> Counter:
    return Counter(name, meaning, labels, registry=REGISTRY)


def _gauge(name: str, meaning: str, *labels: str) -> Gauge:
    # Of all processes together, as long as they live.
    return Gauge(name, meaning, labels, registry=REGISTRY, multiprocess_mode="livesum")


def _seconds(name: str, meaning: str, *labels: str) -> Histogram:
    return Histogram(name, meaning, labels, buckets=SECONDS, registry=REGISTRY)


_connections = _gauge("bigtop_connections", "WebSocket connections now")
_opened = _counter("bigtop_connections_opened", "WebSocket connections that came")
_closed = _counter("bigtop_connections_closed", "WebSocket connections that ended, by close code", "code")
_tables = _gauge("bigtop_tables", "tables in memory; one that two processes hold counts twice", "status")
_commands = _counter("bigtop_commands", "commands answered, by result: ok or an error code", "kind", "code")
_refused = _counter("bigtop_messages_refused", "messages refused by the limiter, or as no commands", "code")
_commits = _counter("bigtop_commits", "steps that were stored, lost to a faster one (conflict), or failed", "result")
_commit_seconds = _seconds("bigtop_commit_seconds", "time to store a step")
_view_seconds = _seconds(
    "bigtop_view_seconds",
    "time to the last view of a step in an outbox, from the command or (made elsewhere) from the first view",
    "made",
)
_replaced = _counter("bigtop_views_replaced", "views that gave way to newer ones before they were written")
_store_errors = _counter("bigtop_store_errors", "failures of the store under a command or background work", "hit")
_deadlines = _counter("bigtop_deadlines", "steps that were due and carried out")
_gaps = _counter("bigtop_gaps_repaired", "views and entries that had to be fetched since they did not come", "what")
_too_new = _counter("bigtop_entries_too_new", "entries that a newer version of the server wrote, and that were refused")
_tables_lost = _counter(
    "bigtop_tables_lost", "tables of which the store has lost steps, or all, in each process that knew them"
)

_results: dict[tuple[type, str], Counter] = {}
# Made now, so that each is shown as zero before it first happens.
_stored, _lost, _failed = (_commits.labels(result) for result in ("stored", "conflict", "failed"))
_made_here, _made_elsewhere = (_view_seconds.labels(made) for made in ("here", "elsewhere"))
_store_errors_by_hit = {hit: _store_errors.labels(hit) for hit in ("command", "background")}
_gaps_by_what = {what: _gaps.labels(what) for what in ("view", "entries")}


def kind_of(command: AnyCommand) -> str:
    """What a command is called."""
    return _KINDS[type(command)]


def command(command: AnyCommand, code: str) -> None:
    """A command was answered with `DONE` or an error code."""
    counter = _results.get((type(command), code))
    if counter is None:
        counter = _commands.labels(kind_of(command), code if code in _RESULTS else _OTHER)
        _results[type(command), code] = counter
    counter.inc()


def message_refused(code: str) -> None:
    """A message was refused before it became a command: by the limiter, or because it is none."""
    _refused.labels(code if code in _RESULTS else _OTHER).inc()


def connection_opened(now: int) -> None:
    """A connection was accepted; with it there are `now`."""
    _opened.inc()
    _connections.set(now)


def connection_closed(code: int, now: int) -> None:
    """A connection ended; there are `now` left."""
    _closed.labels(str(code) if code in _CLOSES else _OTHER).inc()
    _connections.set(now)


def tables(by_status: Mapping[Status, int]) -> None:
    """How many tables are held in memory in each status; of those that are left out there is none."""
    for status in get_args(Status):
        _tables.labels(status).set(by_status.get(status, 0))


def commit_stored(seconds: float) -> None:
    """A step was stored."""
    _stored.inc()
    _commit_seconds.observe(seconds)


def commit_lost() -> None:
    """Somebody else was faster."""
    _lost.inc()


def commit_failed() -> None:
    """The store failed; nobody knows whether the step was stored."""
    _failed.inc()


def views_handed_over(seconds: float, *, made_here: bool) -> None:
    """The last view of a step lies in an outbox."""
    (_made_here if made_here else _made_elsewhere).observe(seconds)


def view_replaced() -> None:
    """A view gave way to a newer one."""
    _replaced.inc()


def store_error(hit: str) -> None:
    """The store failed; `hit` is `command` or `background`."""
    _store_errors_by_hit[hit].inc()


def deadline_carried_out() -> None:
    """What was due at a table was done."""
    _deadlines.inc()


def gap_repaired(what: str) -> None:
    """A `view` or `entries` did not come and were fetched."""
    _gaps_by_what[what].inc()


def entry_too_new() -> None:
    """An entry was refused since a newer version of the server wrote it."""
    _too_new.inc()


def table_lost() -> None:
    """The store does not have all that it had stored of a table."""
    _tables_lost.inc()
