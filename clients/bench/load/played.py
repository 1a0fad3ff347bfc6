"""A server at which all tables of a load play."""

from collections.abc import Callable
from typing import Final

from clients.bench.load import pace
from clients.bench.load.figures import Slice
from clients.bench.load.pace import PATIENCE_SECONDS
from clients.bench.load.processes import Server
from clients.bench.load.tables import SEATS, Table
from clients.bench.load.tally import Load, Tally
from clients.bench.load.visitors import Visitor
from clients.bench.load.wire import Wire

FIRST_SECONDS: Final = 0.5
"""How long the first table plays alone."""


class Played:
    """A server, and the load on it.

    Args:
        server: that runs.
        tables: how many play.
        idle: how many connections do nothing besides.
    """

    def __init__(self, server: Server, tables: int, idle: int = 0) -> None:
        self.server = server
        self.load = Load(Wire(), server.port)
        self._tables = tables
        self._idle = idle

    def flow(self, seconds: float) -> Slice:
        """As many moves as can be."""
        return pace.flow(self.load, self.server, seconds)

    def fresh(self) -> Tally:
        """What has been counted until now; from now on it is counted anew."""
        tally, self.load.tally = self.load.tally, Tally()
        return tally

    def fill(self) -> dict[str, float | None]:
        """Connect everybody and begin all matches, and see what memory that takes. Raises `BenchError`."""
        load, wire, server = self.load, self.load.wire, self.server
        first = Table(load)  # brings into memory what is there only once
        self._wait(lambda: load.here == SEATS, "welcome the first table")
        first.open()
        self._wait(lambda: load.playing == 1, "seat the first table")
        self.flow(FIRST_SECONDS)
        before = server.rss_kib()
        for _ in range(self._idle):
            Visitor(load)
            wire.turn(0)
        self._wait(lambda: load.here == SEATS + self._idle, "welcome the idle connections")
        with_idle = server.rss_kib()
        others = []
        for _ in range(self._tables - 1):
            others.append(Table(load))
            wire.turn(0)
        self._wait(lambda: load.here == SEATS * self._tables + self._idle, "welcome all players")
        with_players = server.rss_kib()
        for table in others:
            table.open()
            wire.turn(0)
        dealt = len(load.waiting) + SEATS * len(others)
        self._wait(lambda: len(load.waiting) >= dealt, "deal at all tables")
        with_tables = server.rss_kib()
        connections = self._idle or SEATS * len(others)
        grown = with_idle - before if self._idle else with_players - with_idle
        return {
            "rss_per_connection_kib": round(grown / connections, 2),
            "rss_per_table_kib": round((with_tables - with_players) / len(others), 2),
        }

    def close(self) -> None:
        """Let go of all connections."""
        self.load.wire.close()

    def _wait(self, reached: Callable[[], bool], what: str) -> None:
        self.load.wire.until(reached, PATIENCE_SECONDS, what)
