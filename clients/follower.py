"""Following a table: its newest view, and what happened there without a gap."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from itertools import dropwhile, pairwise
from typing import Final

from clients.errors import ClientError, Refused
from protocol.pushes import EventLog, Presence, Step, View

KEPT_STEPS: Final = 256
Fetch = Callable[[str, int], Awaitable[EventLog]]
"""Asks the server for what happened at a table since a version."""


class Feed:
    """What a client knows of one table. All of its followers read from it."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.view: View | None = None
        self.presence: Presence | None = None
        self.closed: str | None = None
        self.failure: ClientError | None = None
        self.changes = 0
        self._steps: deque[Step] = deque(maxlen=KEPT_STEPS)
        self._news = asyncio.Event()

    def saw(self, view: View) -> None:
        """A view came in, never older than the last one."""
        if view.events and not (self._steps and self._steps[-1].version >= view.version):
            self._steps.append(Step(version=view.version, head=view.head, by=view.by, events=view.events))
        self.view = view
        self.closed = view.closed
        self._changed()

    def saw_presence(self, presence: Presence) -> None:
        """Presence came in; it is no new view."""
        self.presence = presence

    def close(self, reason: str) -> None:
        """The server gives no more views of this table."""
        self.closed = reason
        self._changed()

    def fail(self, failure: ClientError) -> None:
        """The connection is gone for good."""
        self.failure = failure
        self._changed()

    def restart(self) -> None:
        """What is known belongs to a player whom the server has forgotten."""
        self._steps.clear()

    def steps_since(self, version: int) -> list[Step]:
        """The steps right after `version` that were pushed here, up to the first gap."""
        later = list(dropwhile(lambda step: step.version <= version, self._steps))
        if not later or later[0].version != version + 1:
            return []
        gap = next((at for at, (one, two) in enumerate(pairwise(later), 1) if two.version != one.version + 1), None)
        return later[:gap]

    async def news(self, changes: int) -> None:
        """Wait until something has changed since there were that many `changes`."""
        while self.changes == changes:
            await self._news.wait()

    def _changed(self) -> None:
        self.changes += 1
        self._news.set()
        self._news = asyncio.Event()


class Follower:
    """One reader of a table's views; a slow reader misses views, never the newest.

    Iterating gives each time the newest view that it did not give before, and ends when the table is closed or left. It
    goes on over lost connections, and raises `Stopped` or `Refused` when the connection is gone for good.

    Attributes:
        missed: whether versions lie between the view that was given last and the one before.
    """

    def __init__(self, feed: Feed, fetch: Fetch) -> None:
        self._feed = feed
        self._fetch = fetch
        self._changes = 0
        self._given: View | None = None
        self.missed = False

    @property
    def table(self) -> str:
        """Which table."""
        return self._feed.table

    @property
    def view(self) -> View | None:
        """The newest view; `None` until the first one came."""
        return self._feed.view

    @property
    def presence(self) -> Presence | None:
        """Who is connected, as far as it was told."""
        return self._feed.presence

    @property
    def closed(self) -> str | None:
        """Why there are no more views; `None` while there are."""
        return self._feed.closed

    def __aiter__(self) -> AsyncIterator[View]:
        return self

    async def __anext__(self) -> View:
        while True:
            view = self._feed.view
            if view is not None and view is not self._given:
                self._changes = self._feed.changes
                self.missed = self._given is not None and view.version > self._given.version + 1
                self._given = view
                return view
            if self._feed.closed is not None:
                raise StopAsyncIteration
            if self._feed.failure is not None:
                raise self._feed.failure
            self._changes = self._feed.changes
            await self._feed.news(self._changes)

    async def course(self, since: int | None = None) -> AsyncIterator[tuple[View, list[Step]]]:
        """The newest view each time, with every step that led to it since the last time.

        The first time the steps are those after version `since`; none if that is not given. Steps that were not pushed
        here are asked for; if the server does not tell them, they are left out.
        """
        async for view in self:
            since = view.version if since is None else since
            course: list[Step] = []
            while since < view.version:
                steps = self._feed.steps_since(since) or await self._missed(since)
                course += (step for step in steps if step.version <= view.version)  # later ones come with their view
                since = min(steps[-1].version, view.version) if steps else view.version
            yield view, course

    async def _missed(self, since: int) -> list[Step]:
        try:
            return list((await self._fetch(self.table, since)).steps)
        except Refused:
            return []
