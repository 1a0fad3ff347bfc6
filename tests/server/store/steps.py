"""Short ways to say what happens at a table, and to note what listeners were told."""

import itertools
from collections.abc import Callable
from typing import Any

from server.store.base import Audience, Commit, Head, Log, Store

_ids = itertools.count(1)


def new_head(expected: Head | None) -> Head:
    return Head(1 if expected is None else expected.version + 1, next(_ids).to_bytes(8, "big"))


def step(table: str, expected: Head | None, entry: bytes = b"entry", **rest: Any) -> Commit:
    return Commit(table, expected, new_head(expected), entry, **rest)


class Writer:
    """Somebody who moves at one table and believes in `head`."""

    def __init__(self, store: Store, table: str = "table", head: Head | None = None) -> None:
        self.store = store
        self.table = table
        self.head = head

    async def move(self, entry: bytes = b"entry", **rest: Any) -> Log | None:
        commit = step(self.table, self.head, entry, **rest)
        missed = await self.store.commit(commit)
        if missed is None:
            self.head = commit.head
        return missed

    async def moves(self, *entries: bytes) -> None:
        for entry in entries:
            assert await self.move(entry) is None


class Told:
    """Notes what it is told, in order."""

    def __init__(self) -> None:
        self.news: list[tuple[object, ...]] = []

    def on_view(self, table: str, audience: Audience, version: int, view: bytes) -> None:
        self.news.append((table, audience, version, view))

    def on_entry(self, table: str, head: Head, entry: bytes) -> None:
        self.news.append((table, head, entry))


def always(view: bytes) -> Callable[[], bytes]:
    return lambda: view


def never() -> bytes:
    raise AssertionError("a view was made for nobody")
