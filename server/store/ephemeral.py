"""What the stores of a single process keep in memory only: who is connected, and who is told of what.

None of it survives a restart, and none of it has to: connections are gone then, and they bring everything back.
"""

import time
from collections import OrderedDict
from collections.abc import Callable

import structlog

from server.faults import fault
from server.store.base import PRESENCE_TTL_MS, Audience, Commit, Head, OnEntry, OnSeat, OnView, Present

log = structlog.get_logger()

Clock = Callable[[], int]
"""Tells the milliseconds since 1970."""


def wall_clock() -> int:
    return time.time_ns() // 1_000_000


class _Room:
    """The connections at one table.

    A step costs the same however many there are: the connections lie in the order of their last beats, so that those
    whose time is up are the first ones, and everything that is asked of them is counted along.
    """

    def __init__(self) -> None:
        self._connections: OrderedDict[str, tuple[int, str | None]] = OrderedDict()
        self._counts: dict[str | None, int] = {}
        self._players: dict[str, int] = {}
        self._last_seen: int | None = None
        # What was told last, until it is no longer true: players beat seldom, and `present` is asked often.
        self._told_players: dict[str, int] | None = None
        self._told_here: frozenset[str] | None = None

    def beat(self, connection: str, player: str | None, now: int) -> None:
        self._expire(now)
        before = self._connections.get(connection)
        self._connections[connection] = (now, player)
        self._connections.move_to_end(connection)
        if before is None or before[1] != player:
            self._count(player, 1)
            if before is not None:
                self._count(before[1], -1)
        self._last_seen = now
        if player is not None:
            self._players[player] = now
            self._told_players = None

    def leave(self, connection: str) -> None:
        if gone := self._connections.pop(connection, None):
            self._count(gone[1], -1)

    def present(self, now: int) -> Present:
        self._expire(now)
        if self._told_players is None:
            self._told_players = dict(self._players)
        if self._told_here is None:
            self._told_here = frozenset(player for player in self._counts if player is not None)
        return Present(self._told_players, self._told_here, self._counts.get(None, 0), self._last_seen)

    def _expire(self, now: int) -> None:
        while self._connections:
            connection, (at, _) = next(iter(self._connections.items()))
            if at + PRESENCE_TTL_MS > now:
                break
            self.leave(connection)

    def _count(self, player: str | None, change: int) -> None:
        count = self._counts.get(player, 0) + change
        if count:
            self._counts[player] = count
        else:
            del self._counts[player]
        if player is not None and count <= 1:
            self._told_here = None


class Presence:
    """The connections at each table. A beat counts for `PRESENCE_TTL_MS`."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._rooms: dict[str, _Room] = {}

    def beat(self, table: str, connection: str, player: str | None) -> None:
        room = self._rooms.get(table)
        if room is None:
            room = self._rooms[table] = _Room()
        room.beat(connection, player, self._clock())

    def leave(self, table: str, connection: str) -> None:
        if room := self._rooms.get(table):
            room.leave(connection)

    def present(self, table: str) -> Present:
        room = self._rooms.get(table)
        if room is None:
            return Present(players={}, here=frozenset(), spectators=0, last_seen=None)
        return room.present(self._clock())

    def forget(self, table: str) -> None:
        self._rooms.pop(table, None)


class Subscriptions:
    """Who in this process is told of entries and views."""

    def __init__(self) -> None:
        self._on_view: dict[tuple[str, Audience], OnView] = {}
        self._on_entry: dict[str, OnEntry] = {}
        self._on_seat: dict[str, OnSeat] = {}

    def subscribe(self, table: str, audience: Audience, on_view: OnView) -> None:
        self._on_view[table, audience] = on_view

    def unsubscribe(self, table: str, audience: Audience) -> None:
        self._on_view.pop((table, audience), None)

    def follow(self, table: str, on_entry: OnEntry) -> None:
        self._on_entry[table] = on_entry

    def unfollow(self, table: str) -> None:
        self._on_entry.pop(table, None)

    def watch_seats(self, player: str, on_seat: OnSeat) -> None:
        self._on_seat[player] = on_seat

    def unwatch_seats(self, player: str) -> None:
        self._on_seat.pop(player, None)

    def clear(self) -> None:
        self._on_seat.clear()
        self._on_view.clear()
        self._on_entry.clear()

    def followed(self, table: str) -> bool:
        return table in self._on_entry

    def subscribed(self, table: str, audience: Audience) -> bool:
        return (table, audience) in self._on_view

    def publish(self, commit: Commit) -> None:
        table, head = commit.table, commit.head
        self.tell_entry(table, head, commit.entry)
        for audience, make in commit.views:
            self.tell_view(table, audience, head.version, make)

    # What a listener raises is a bug of the listener. The step is stored by now, so it neither fails the commit nor
    # keeps the news from the others.

    def tell_entry(self, table: str, head: Head, entry: bytes) -> None:
        if on_entry := self._on_entry.get(table):
            try:
                on_entry(table, head, entry)
            except Exception as wrong:
                log.error("listener_failed", table=table, version=head.version, fault=fault(wrong))

    def tell_seat(self, player: str, table: str) -> None:
        if on_seat := self._on_seat.get(player):
            try:
                on_seat(player, table)
            except Exception as wrong:
                log.error("listener_failed", table=table, fault=fault(wrong))

    def tell_view(self, table: str, audience: Audience, version: int, make: Callable[[], bytes]) -> None:
        if on_view := self._on_view.get((table, audience)):
            try:
                on_view(table, audience, version, make())
            except Exception as wrong:
                log.error("view_failed", table=table, version=version, fault=fault(wrong))
