"""Commits to several tables until it is killed, and says what was acknowledged. Run by the tests.

Each line on its standard output is a table, a version and the head's id in hexadecimal.
"""

import asyncio
import os
import sys

from server.store.base import Commit, Head
from server.store.sqlite import SqliteStore

TABLES = 8


def entry(version: int) -> bytes:
    return b"entry %d " % version * 20


async def move_on(store: SqliteStore, table: str) -> None:
    log = await store.load(table)
    head = None if log is None else log.head
    while True:
        version = 1 if head is None else head.version + 1
        new = Head(version, os.urandom(8))
        missed = await store.commit(Commit(table, head, new, entry(version), deadline=version))
        assert missed is None
        print(table, version, new.id.hex(), flush=True)
        head = new


async def main() -> None:
    store = SqliteStore(sys.argv[1])
    await store.open()
    await asyncio.gather(*(move_on(store, f"table{number}") for number in range(TABLES)))


if __name__ == "__main__":
    asyncio.run(main())
