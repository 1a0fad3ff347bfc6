"""What the server needs of a store.

A table is an append-only log of entries, opaque bytes to the store. All that must change together with the log - its
deadline, its place in the lobby, its wish for bots - rides in the same commit, so that a process may die at any moment.
Everything else (which tables a player sits at, who is present) is a hint that is checked when it is read.

The interface is shaped for many processes: nobody owns a table, a commit names the head it was decided on, and who
loses the race gets the entries they missed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

Audience = str
"""Who is sent a view: the player of a seat, or `PUBLIC`. Players, not seats, since a seat can change hands and numbers
at any moment, and what is meant for one player must never reach another."""

PUBLIC: Audience = ""
"""The audience of everybody without a seat."""

PRESENCE_TTL_MS = 15_000
"""How long a sign of life counts."""
PRESENCE_BEAT_MS = 5_000
"""How often connections renew it."""
GRACE_MS = 15_000
"""What every running limit has at least after an outage of the store."""


class StoreError(Exception):
    """The store cannot be reached or cannot write. Whether a commit under way was stored is unknown."""


class Head(NamedTuple):
    """Where a log ends.

    Attributes:
        version: how many entries it has.
        id: random, made with the last entry: two logs of the same length with different histories differ in it.
    """

    version: int
    id: bytes


BEGINNING = Head(0, b"")
"""The end of a log without entries."""


@dataclass(frozen=True, slots=True)
class Log:
    """A log from some version on.

    Attributes:
        head: where it ends.
        entries: the last ones, in order, none left out.
    """

    head: Head
    entries: tuple[bytes, ...]

    @property
    def since(self) -> int:
        """The version after which the entries begin."""
        return self.head.version - len(self.entries)


@dataclass(frozen=True, slots=True)
class Commit:
    """One step of a table, stored whole or not at all.

    Attributes:
        table: the table.
        expected: the head that it was decided on; `None` to create the table.
        head: the new head; its version is one more.
        entry: what is appended.
        views: for each audience how to make the bytes that it is sent. Called only for an
            audience that may be listening, and at most once.
        deadline: when, in the store's time, the table wants to be looked at; `None` for never.
        listing: what the lobby shows of it; `None` while it is not in the lobby.
        wants: what bots are told; `None` while no seat wants one.
        finished: the table has ended (over or closed) with this entry. It stays so, whatever later commits say.
    """

    table: str
    expected: Head | None
    head: Head
    entry: bytes
    views: Sequence[tuple[Audience, Callable[[], bytes]]] = field(default=(), compare=False)
    deadline: int | None = None
    listing: bytes | None = None
    wants: bytes | None = None
    finished: bool = False


@dataclass(frozen=True, slots=True)
class Player:
    """A guest.

    Attributes:
        id: public.
        name: as shown.
        bot: whether it is a program.
    """

    id: str
    name: str
    bot: bool


@dataclass(frozen=True, slots=True)
class Present:
    """Who is connected at a table.

    Attributes:
        players: when each player's last sign of life was, in the store's time; of those who ever were here.
        here: the players whose last sign of life still counts.
        spectators: how many connections without a seat.
        last_seen: when anybody last was here; `None` if the store does not know of anybody.
    """

    players: Mapping[str, int]
    here: frozenset[str]
    spectators: int
    last_seen: int | None


OnView = Callable[[str, Audience, int, bytes], None]
"""Called with table, audience, version and bytes. Must not block, raise or await."""
OnEntry = Callable[[str, Head, bytes], None]
"""Called with table, head after it, and entry."""
OnGap = Callable[[], None]
"""Called when views and entries may have been lost on their way: before they come again, and once they do. Must not
block, raise or await."""


OnSeat = Callable[[str, str], None]
"""Called with player and table when another process notes a seat. A hint; must not block, raise or await."""


class Store(Protocol):
    """Where tables, players and signs of life are kept. Every method may raise `StoreError`."""

    exclusive: bool
    """Whether this process is the only one that writes, so that what it read last is still true."""

    def now(self) -> int:
        """The store's time in milliseconds since 1970. All processes of one store agree on it."""

    def grace_until(self) -> int:
        """No limit runs out before this time: the end of the last outage and `GRACE_MS`."""

    async def open(self) -> None:
        """Make ready for use."""

    async def close(self) -> None:
        """Finish what is under way and let go of everything."""

    async def check(self) -> None:
        """Raise `StoreError` with a sentence for the operator unless commits can be stored durably now."""

    async def commit(self, commit: Commit) -> Log | None:
        """Store a step; it is durable when this returns.

        Returns:
            `None` when it was stored. Otherwise the log does not end where the commit expected: the log from the
            expected version on (from 0 for a creation, or where the expected head is not part of the log), and nothing
            was changed. Of a table that does not exist, the log is empty and ends at version 0.
        """

    async def load(self, table: str, since: Head = BEGINNING) -> Log | None:
        """The log from the head `since` on, or the whole log if that is not part of it; `None` without a table."""

    async def heads(self, tables: Sequence[str]) -> dict[str, Head]:
        """Where the logs of many tables end, in one round trip; those that do not exist are left out."""

    async def delete(self, table: str) -> None:
        """Forget a table and all that belongs to it."""

    async def due(self, limit: int) -> list[str]:
        """The tables whose deadline has passed (and is not held up by `grace_until`), the longest overdue first."""

    async def next_due(self) -> int | None:
        """When the next deadline passes, `grace_until` considered, as far as this process can know; `None` for none."""

    async def listed(self) -> list[tuple[str, bytes]]:
        """Every table in the lobby with what the lobby shows of it, in no order."""

    async def wanting(self) -> list[tuple[str, bytes]]:
        """Every table that wants bots, with what they are told."""

    async def unfinished(self) -> list[str]:
        """Every table that has not ended."""

    async def finished_before(self, at: int, limit: int) -> list[str]:
        """Tables that ended before a time, the oldest first."""

    async def subscribe(self, table: str, audience: Audience, on_view: OnView) -> None:
        """From when this returns, every commit's view for the audience is handed to `on_view`, in order.

        One subscription for a table and audience; a second one replaces it.
        """

    async def unsubscribe(self, table: str, audience: Audience) -> None:
        """No more views for the audience. Nothing happens if there was no subscription."""

    async def follow(self, table: str, on_entry: OnEntry) -> None:
        """From when this returns, every entry of the table is handed to `on_entry`, in order, before its views."""

    async def unfollow(self, table: str) -> None:
        """No more entries."""

    def on_gap(self, on_gap: OnGap) -> None:
        """From now on `on_gap` is told of every gap in what this process is told. Replaces an earlier one."""

    async def add_player(self, player: Player, token_hash: bytes) -> None:
        """Keep a new player."""

    async def player_by_token(self, token_hash: bytes) -> Player | None:
        """The player whose token has this SHA-256."""

    async def update_player(self, player: Player) -> None:
        """Change what is kept of a player."""

    async def add_seat(self, player: str, table: str) -> None:
        """Note that a player sits at a table. A hint."""

    async def drop_seat(self, player: str, table: str) -> None:
        """Note that a player no longer sits at a table."""

    async def watch_seats(self, player: str, on_seat: OnSeat) -> None:
        """From when this returns, `on_seat` is told whenever another process notes a seat of the player."""

    async def unwatch_seats(self, player: str) -> None:
        """Tell no more of a player's seats. Nothing happens if there was nothing to tell."""

    async def seats_of(self, player: str) -> list[str]:
        """The tables at which a player is noted, in the order in which they were noted."""

    async def intent(self, player: str, command: str) -> bytes | None:
        """What a player's command intends, if an intent is kept."""

    async def intend(self, player: str, command: str, intent: bytes) -> bytes:
        """Keep what a player's command intends, unless an intent is kept already. Returns the one that is kept."""

    async def replace_intent(self, player: str, command: str, old: bytes, new: bytes) -> bytes:
        """Replace an intent if it still is `old` or none is kept. Returns the one that is kept then."""

    async def beat(self, table: str, connection: str, player: str | None) -> None:
        """A sign of life of a connection at a table, counting for `PRESENCE_TTL_MS`.

        `player` is `None` for spectators.
        """

    async def leave(self, table: str, connection: str) -> None:
        """A connection is no longer at a table."""

    async def present(self, table: str) -> Present:
        """Who is connected at a table."""
