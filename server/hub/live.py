"""A table as this process holds it in memory: a copy of what the store's log tells, and who is connected to it here."""

import asyncio
from typing import NamedTuple

import msgspec

from protocol.pushes import Presence
from server.hub.peer import Peer
from server.hub.stopwatch import Stopwatch
from server.store.base import Head, Log
from server.table.acts import Cause, decode_entry
from server.table.fold import Step, fold
from server.table.state import Table


class Answered(NamedTuple):
    """What a command was answered with.

    Attributes:
        digest: of the command's body.
        version: the version that it made.
        seat: its player's seat then.
    """

    digest: bytes
    version: int
    seat: int | None


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Answered).decode


def write_answered(answered: Answered) -> bytes:
    """As the store keeps it, for a command that changed nothing and so left no entry."""
    return _encode(answered)


def read_answered(data: bytes) -> Answered:
    """What `write_answered` wrote."""
    return _decode(data)


class Attachment:
    """One connection at one table.

    Attributes:
        peer: the connection.
        player: whose it is.
        audience: whose views it is sent; `None` until that is settled.
        shown: the newest version that it was sent.
        presence: what it was last told of who is connected.
    """

    __slots__ = ("audience", "peer", "player", "presence", "shown")

    def __init__(self, peer: Peer, player: str) -> None:
        self.peer = peer
        self.player = player
        self.audience: str | None = None
        self.shown = 0
        self.presence: Presence | None = None


class Live:
    """A table in memory.

    The log is the only memory of what was answered: every entry carries its command's id, so whoever has read the log
    up to its head knows all ids ever used here, and the check of the head in the commit guards them.

    Attributes:
        id: the table.
        table: its state; `None` before the first load.
        head: the head of the log that the state was folded from.
        answered: the commands that made entries, by player and id.
        idle: the commands that found nothing to do and so left no entry, where all of them are known here; else `None`.
        lock: held while a change of this process is under way.
        loaded: when it was first read, in the store's time.
        stale: what is held here may be behind the store.
        making: the step that this process is storing, and its head; the store may tell of it before it answers.
        lost: the store no longer has all that was stored here; the table must be closed before anything else happens.
        missed: counts the entries that came and did not follow on what is held here.
        attachments: by connection id.
        placing: held while connections are put into their audiences.
        heard: what the store tells this process of: the views of an audience, or with `None` the entries. False while
            that may not have begun, or may have ended.
        steps: every step from the beginning, once somebody asked for them and as long as they are kept.
        used: when it was last needed, in the store's time.
        stopwatch: measures how long its views take.
    """

    __slots__ = (
        "answered",
        "attachments",
        "head",
        "heard",
        "id",
        "idle",
        "loaded",
        "lock",
        "lost",
        "making",
        "missed",
        "placing",
        "stale",
        "steps",
        "stopwatch",
        "table",
        "used",
    )

    def __init__(self, id: str) -> None:
        self.id = id
        self.table: Table | None = None
        self.head = Head(0, b"")
        self.answered: dict[tuple[str, str], Answered] = {}
        self.idle: dict[tuple[str, str], Answered] | None = None
        self.lock = asyncio.Lock()
        self.loaded = 0
        self.stale = True
        self.lost = False
        self.making: tuple[Head, Step] | None = None
        self.missed = 0
        self.attachments: dict[str, Attachment] = {}
        self.placing = asyncio.Lock()
        self.heard: dict[str | None, bool] = {}
        self.steps: list[Step] | None = None
        self.used = 0
        self.stopwatch = Stopwatch()

    @property
    def needed(self) -> bool:
        """Whether somebody here is connected to it, or the store still tells of it."""
        return bool(self.attachments or self.heard)

    @property
    def followed(self) -> bool:
        """Whether the store tells this process of every entry."""
        return self.heard.get(None, False)

    @property
    def audiences(self) -> int:
        """Of how many audiences this process awaits the views."""
        return len(self.heard) - (None in self.heard)

    def accept(self, step: Step, head: Head) -> None:
        """Take over the next step; one that is already known is ignored."""
        if head.version <= self.head.version:
            return
        self.table = step.table
        self.head = head
        self._remember(step)

    def catch_up(self, log: Log) -> list[Step]:
        """Take over what the store has, and return the steps that were new here.

        A log from its beginning replaces everything: it is another one than ours, or we had none. A log that is behind
        what has come in the meantime changes nothing. Whatever cannot be read raises, and changes nothing either.
        """
        since = log.since
        known = self.head.version if since else 0
        if log.head.version <= known:
            return []
        table = self.table if since else None
        steps = []
        for data in log.entries[known - since :]:
            steps.append(fold(table, decode_entry(data), self.id))
            table = steps[-1].table
        if not since:
            self.answered.clear()
            self.steps = None
        for step in steps:
            self._remember(step)
        self.table, self.head = table, log.head
        return steps

    def _remember(self, step: Step) -> None:
        if self.steps is not None:
            self.steps.append(step)
        cause = step.entry.cause
        if cause is not None:
            self.answered[cause.player, cause.id] = answered(cause, step.table)


def answered(cause: Cause, table: Table) -> Answered:
    """What a command is answered with, for which a table took its last step."""
    return Answered(cause.digest, table.version, table.seat_of(cause.player))
