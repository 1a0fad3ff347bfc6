"""What every store that lives in this process's memory answers in the same way."""

from abc import ABC, abstractmethod

from server.store.base import Audience, OnEntry, OnGap, OnSeat, OnView, Present
from server.store.ephemeral import Clock, Presence, Subscriptions
from server.store.standing import Standing


class LocalStore(ABC):
    def __init__(self, clock: Clock, standing: Standing, presence: Presence) -> None:
        self._clock = clock
        self._standing = standing
        self._presence = presence
        self._subscriptions = Subscriptions()

    @abstractmethod
    def _ready(self) -> object:
        """Raise `StoreError` unless the store is open and works. Returns what the store works on."""

    @abstractmethod
    def grace_until(self) -> int: ...

    def now(self) -> int:
        return self._clock()

    async def due(self, limit: int) -> list[str]:
        self._ready()
        return self._standing.due(self._clock(), self.grace_until(), limit)

    async def next_due(self) -> int | None:
        self._ready()
        return self._standing.next_due(self.grace_until())

    async def listed(self) -> list[tuple[str, bytes]]:
        self._ready()
        return list(self._standing.listings.items())

    async def wanting(self) -> list[tuple[str, bytes]]:
        self._ready()
        return list(self._standing.wants.items())

    async def unfinished(self) -> list[str]:
        self._ready()
        return list(self._standing.unfinished)

    async def subscribe(self, table: str, audience: Audience, on_view: OnView) -> None:
        self._ready()
        self._subscriptions.subscribe(table, audience, on_view)

    async def unsubscribe(self, table: str, audience: Audience) -> None:
        self._ready()
        self._subscriptions.unsubscribe(table, audience)

    async def follow(self, table: str, on_entry: OnEntry) -> None:
        self._ready()
        self._subscriptions.follow(table, on_entry)

    async def unfollow(self, table: str) -> None:
        self._ready()
        self._subscriptions.unfollow(table)

    async def watch_seats(self, player: str, on_seat: OnSeat) -> None:
        self._ready()
        self._subscriptions.watch_seats(player, on_seat)

    async def unwatch_seats(self, player: str) -> None:
        self._ready()
        self._subscriptions.unwatch_seats(player)

    def on_gap(self, on_gap: OnGap) -> None:
        """Nothing gets lost within a process, so it is never told."""
        self._on_gap = on_gap

    async def beat(self, table: str, connection: str, player: str | None) -> None:
        self._ready()
        self._presence.beat(table, connection, player)

    async def leave(self, table: str, connection: str) -> None:
        self._ready()
        self._presence.leave(table, connection)

    async def present(self, table: str) -> Present:
        self._ready()
        return self._presence.present(table)
