"""What the stores of a single process keep in memory only: who is connected, and who is told of what.

None of it survives a restart, and none of it has to: connections are gone then, and they bring everything back.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from server.store.base import PRESENCE_TTL_MS, Audience, Commit, Head, OnEntry, OnView, Present

logger = logging.getLogger(__name__)

Clock = Callable[[], int]
"""Tells the milliseconds since 1970."""


def wall_clock() -> int:
    return time.time_ns() // 1_000_000


@dataclass(slots=True)
class _Room:
    """Attributes: `connections` with the time of their last beat and their player; `players` who ever were here."""

    connections: dict[str, tuple[int, str | None]] = field(default_factory=dict)
    players: dict[str, int] = field(default_factory=dict)
    last_seen: int | None = None

    def expire(self, now: int) -> None:
        gone = [name for name, (at, _) in self.connections.items() if at + PRESENCE_TTL_MS <= now]
        for name in gone:
            del self.connections[name]


class Presence:
    """The connections at each table. A beat counts for `PRESENCE_TTL_MS`."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._rooms: dict[str, _Room] = {}

    def beat(self, table: str, connection: str, player: str | None) -> None:
        now = self._clock()
        room = self._rooms.setdefault(table, _Room())
        # Connections that died without a word would pile up at a table that nobody asks about.
        room.expire(now)
        room.connections[connection] = (now, player)
        room.last_seen = now
        if player is not None:
            room.players[player] = now

    def leave(self, table: str, connection: str) -> None:
        if room := self._rooms.get(table):
            room.connections.pop(connection, None)

    def present(self, table: str) -> Present:
        room = self._rooms.get(table)
        if room is None:
            return Present(players={}, here=frozenset(), spectators=0, last_seen=None)
        room.expire(self._clock())
        players = [player for _, player in room.connections.values()]
        return Present(
            players=dict(room.players),
            here=frozenset(player for player in players if player is not None),
            spectators=players.count(None),
            last_seen=room.last_seen,
        )

    def forget(self, table: str) -> None:
        self._rooms.pop(table, None)


class Subscriptions:
    """Who in this process is told of entries and views."""

    def __init__(self) -> None:
        self._on_view: dict[tuple[str, Audience], OnView] = {}
        self._on_entry: dict[str, OnEntry] = {}

    def subscribe(self, table: str, audience: Audience, on_view: OnView) -> None:
        self._on_view[table, audience] = on_view

    def unsubscribe(self, table: str, audience: Audience) -> None:
        self._on_view.pop((table, audience), None)

    def follow(self, table: str, on_entry: OnEntry) -> None:
        self._on_entry[table] = on_entry

    def unfollow(self, table: str) -> None:
        self._on_entry.pop(table, None)

    def clear(self) -> None:
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
            except Exception:
                logger.exception("a follower failed on version %d of table %s", head.version, table)

    def tell_view(self, table: str, audience: Audience, version: int, make: Callable[[], bytes]) -> None:
        if on_view := self._on_view.get((table, audience)):
            try:
                on_view(table, audience, version, make())
            except Exception:
                logger.exception("a view of version %d of table %s failed", version, table)
