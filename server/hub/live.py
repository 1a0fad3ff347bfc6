"""A table as this process holds it in memory: a copy of what the store's log tells, and who is connected to it here."""

import asyncio
from typing import NamedTuple

from server.hub.peer import Peer
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


class Attachment:
    """One connection at one table.

    Attributes:
        peer: the connection.
        player: whose it is.
        audience: whose views it is sent.
    """

    __slots__ = ("audience", "peer", "player")

    def __init__(self, peer: Peer, player: str, audience: str) -> None:
        self.peer = peer
        self.player = player
        self.audience = audience


class Live:
    """A table in memory.

    The log is the only memory of what was answered: every entry carries its command's id, so whoever has read the log
    up to its head knows all ids ever used here, and the check of the head in the commit guards them.

    Attributes:
        id: the table.
        table: its state; `None` before the first load.
        head: the head of the log that the state was folded from.
        answered: the commands that made entries, by player and id.
        lock: held while a change of this process is under way.
        stale: what is held here may be behind the store.
        attachments: by connection id.
        used: when it was last needed, in the store's time.
    """

    __slots__ = ("answered", "attachments", "head", "id", "lock", "stale", "table", "used")

    def __init__(self, id: str) -> None:
        self.id = id
        self.table: Table | None = None
        self.head = Head(0, b"")
        self.answered: dict[tuple[str, str], Answered] = {}
        self.lock = asyncio.Lock()
        self.stale = True
        self.attachments: dict[str, Attachment] = {}
        self.used = 0

    def accept(self, step: Step, head: Head) -> None:
        """Take over the next step; one that is already known is ignored."""
        if head.version <= self.head.version:
            return
        self.table = step.table
        self.head = head
        self._remember(step.entry.cause, step.table)

    def catch_up(self, log: Log, since: int) -> list[Step]:
        """Take over the log after version `since`, and return the steps that were new here.

        From 0 this replaces everything: the store's log is another one than ours.
        """
        if since == 0:
            self.table, self.head = None, Head(0, b"")
            self.answered.clear()
        steps = []
        version = since
        for data in log.entries:
            version += 1
            if version <= self.head.version:
                continue
            step = fold(self.table, decode_entry(data), self.id)
            self.table = step.table
            self._remember(step.entry.cause, step.table)
            steps.append(step)
        self.head = log.head
        self.stale = False
        return steps

    def _remember(self, cause: Cause | None, table: Table) -> None:
        if cause is not None:
            answer = Answered(cause.digest, table.version, table.seat_of(cause.player))
            self.answered[cause.player, cause.id] = answer
