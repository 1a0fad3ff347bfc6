"""A store in memory, for tests.

One `MemoryCore` is what a redis server is to several processes; each process has its `MemoryStore` on it. A test may
put itself between the two with `MemoryCore.deliver`, to delay or drop what is published, and break the store with
`MemoryCore.failure`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from server.store.base import BEGINNING, Audience, Commit, Head, Log, Player, StoreError
from server.store.ephemeral import Clock, Presence, wall_clock
from server.store.local import LocalStore
from server.store.standing import Standing, check_step, missed_since


@dataclass(frozen=True, slots=True)
class Delivery:
    """One message on its way to one process.

    Attributes:
        store: the process it goes to.
        table: the table.
        audience: whose view it is; `None` for an entry.
        version: the version of the table.
        hand_over: let it arrive now.
    """

    store: "MemoryStore"
    table: str
    audience: Audience | None
    version: int
    hand_over: Callable[[], None]


def deliver_at_once(delivery: Delivery) -> None:
    delivery.hand_over()


class _View:
    """View bytes that are made when the first process needs them, and only once."""

    def __init__(self, make: Callable[[], bytes]) -> None:
        self._make = make

    @cached_property
    def bytes(self) -> bytes:
        return self._make()


class MemoryCore:
    """What the stores of several processes share.

    Attributes:
        clock: the store's time.
        grace_until: set it to play the end of an outage.
        deliver: called with everything published, once for each process that listens; calls `hand_over` or does not.
        failure: while it is set, every method of every store on this core raises a `StoreError` with it.
    """

    def __init__(self, clock: Clock = wall_clock) -> None:
        self.clock = clock
        self.grace_until = 0
        self.deliver: Callable[[Delivery], None] = deliver_at_once
        self.failure: str | None = None
        self.stores: list[MemoryStore] = []
        self.logs: dict[str, list[tuple[bytes, bytes]]] = {}
        self.finished: dict[str, int] = {}
        self.standing = Standing()
        self.presence = Presence(clock)
        self.players: dict[str, Player] = {}
        self.tokens: dict[bytes, str] = {}
        self.seats: dict[str, dict[str, None]] = {}
        self.intents: dict[tuple[str, str], bytes] = {}

    def log(self, table: str, since: int) -> Log:
        entries = self.logs.get(table, [])
        head = Head(len(entries), entries[-1][0]) if entries else Head(0, b"")
        return Log(head, tuple(entry for _, entry in entries[since:]))

    def log_from(self, table: str, head: Head | None) -> Log:
        """The log from a head on, or all of it."""
        entries = self.logs.get(table, [])

        def id_at(version: int) -> bytes | None:
            return entries[version - 1][0] if 0 < version <= len(entries) else None

        return self.log(table, missed_since(head, id_at))

    def commit(self, commit: Commit) -> Log | None:
        check_step(commit)
        entries = self.logs.get(commit.table, [])
        head = Head(len(entries), entries[-1][0]) if entries else None
        if head != commit.expected:
            return self.log_from(commit.table, commit.expected)
        self.logs.setdefault(commit.table, entries).append((commit.head.id, commit.entry))
        if commit.finished:
            self.finished.setdefault(commit.table, self.clock())
        self.standing.apply(commit)
        self._publish(commit)
        return None

    def delete(self, table: str) -> None:
        self.logs.pop(table, None)
        self.finished.pop(table, None)
        self.standing.forget(table)
        self.presence.forget(table)
        for tables in self.seats.values():
            tables.pop(table, None)

    def _publish(self, commit: Commit) -> None:
        views = [(audience, _View(make)) for audience, make in commit.views]
        for store in self.stores:
            store.receive(commit, views)


class MemoryStore(LocalStore):
    """One process's store.

    Args:
        clock: the store's time, unless `core` brings its own.
        exclusive: `False` when several processes share the core.
        core: what they share; a new one if `None`.
    """

    def __init__(self, *, clock: Clock = wall_clock, exclusive: bool = True, core: MemoryCore | None = None) -> None:
        self.exclusive = exclusive
        self.core = MemoryCore(clock) if core is None else core
        super().__init__(self.core.clock, self.core.standing, self.core.presence)

    def grace_until(self) -> int:
        return self.core.grace_until

    async def open(self) -> None:
        if self in self.core.stores:
            raise StoreError("the store is open already")
        self.core.stores.append(self)
        self._ready()

    async def close(self) -> None:
        self._subscriptions.clear()
        if self in self.core.stores:
            self.core.stores.remove(self)

    async def check(self) -> None:
        self._ready()

    async def commit(self, commit: Commit) -> Log | None:
        return self._ready().commit(commit)

    async def load(self, table: str, since: Head = BEGINNING) -> Log | None:
        core = self._ready()
        return core.log_from(table, since) if table in core.logs else None

    async def heads(self, tables: Sequence[str]) -> dict[str, Head]:
        core = self._ready()
        return {table: core.log(table, 0).head for table in tables if table in core.logs}

    async def delete(self, table: str) -> None:
        self._ready().delete(table)

    async def finished_before(self, at: int, limit: int) -> list[str]:
        finished = sorted(self._ready().finished.items(), key=lambda item: item[1])
        return [table for table, ended in finished if ended < at][:limit]

    async def add_player(self, player: Player, token_hash: bytes) -> None:
        core = self._ready()
        core.players[player.id] = player
        core.tokens[token_hash] = player.id

    async def player_by_token(self, token_hash: bytes) -> Player | None:
        core = self._ready()
        player = core.tokens.get(token_hash)
        return None if player is None else core.players[player]

    async def update_player(self, player: Player) -> None:
        core = self._ready()
        if player.id in core.players:
            core.players[player.id] = player

    async def add_seat(self, player: str, table: str) -> None:
        core = self._ready()
        core.seats.setdefault(player, {}).setdefault(table)
        for store in core.stores:
            if store is not self:
                store._subscriptions.tell_seat(player, table)

    async def drop_seat(self, player: str, table: str) -> None:
        self._ready().seats.get(player, {}).pop(table, None)

    async def seats_of(self, player: str) -> list[str]:
        return list(self._ready().seats.get(player, ()))

    async def intent(self, player: str, command: str) -> bytes | None:
        return self._ready().intents.get((player, command))

    async def intend(self, player: str, command: str, intent: bytes) -> bytes:
        return self._ready().intents.setdefault((player, command), intent)

    async def replace_intent(self, player: str, command: str, old: bytes, new: bytes) -> bytes:
        intents = self._ready().intents
        # An old intent may have been pruned in the meantime; then the new one stands alone.
        if intents.get((player, command), old) == old:
            intents[player, command] = new
        return intents[player, command]

    def receive(self, commit: Commit, views: list[tuple[Audience, _View]]) -> None:
        """Take what was published: for the core."""
        table, head = commit.table, commit.head
        told = self._subscriptions
        if told.followed(table):
            self._deliver(table, None, head.version, lambda: told.tell_entry(table, head, commit.entry))
        for audience, view in views:
            if told.subscribed(table, audience):
                self._deliver_view(table, audience, head.version, view)

    def _deliver_view(self, table: str, audience: Audience, version: int, view: _View) -> None:
        told = self._subscriptions
        self._deliver(table, audience, version, lambda: told.tell_view(table, audience, version, lambda: view.bytes))

    def _deliver(self, table: str, audience: Audience | None, version: int, hand_over: Callable[[], None]) -> None:
        self.core.deliver(Delivery(self, table, audience, version, hand_over))

    def _ready(self) -> MemoryCore:
        if self.core.failure is not None:
            raise StoreError(self.core.failure)
        if self not in self.core.stores:
            raise StoreError("the store is not open")
        return self.core
