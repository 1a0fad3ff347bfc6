"""How things are called in Redis.

All that a commit changes lies in the table's bucket, and the bucket's name is the hash tag of every key, so that one
script may touch them all wherever they are. Channels carry it too.
"""

from functools import lru_cache
from zlib import crc32

from server.store.base import Audience, Head, Log

BUCKETS = 64
REMEMBERED = 16_384
"""How many names are kept: nearly every commit uses the same ones as that table's last."""


def bucket_of(table: str) -> int:
    """The first two digits of a table's id."""
    try:
        return int(table[:2]) % BUCKETS
    except ValueError:
        return crc32(table.encode()) % BUCKETS


class Keys:
    """All keys and channels.

    Args:
        prefix: what all of them begin with, so that several stores can share a Redis.
    """

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._buckets = [f"{prefix}:{{{bucket:02d}}}:" for bucket in range(BUCKETS)]
        self._standing = [
            tuple(f"{bucket}{name}".encode() for name in ("deadlines", "listings", "wants", "unfinished", "finished"))
            for bucket in self._buckets
        ]
        self.deadlines, self.listings, self.wants, self.unfinished, self.finished = zip(*self._standing, strict=True)
        self.committed = lru_cache(REMEMBERED)(self._committed)
        self.views = lru_cache(4 * REMEMBERED)(self._views)
        self.pulse = f"{prefix}:pulse".encode()

    def standing(self, table: str) -> tuple[bytes, ...]:
        """Deadlines, listings, wants, unfinished and finished tables of the table's bucket."""
        return self._standing[bucket_of(table)]

    def log(self, table: str) -> bytes:
        return self._of(table, "log")

    def connections(self, table: str) -> bytes:
        return self._of(table, "connections")

    def seen(self, table: str) -> bytes:
        return self._of(table, "seen")

    def noted(self, table: str) -> bytes:
        """The players at whom a table is noted."""
        return self._of(table, "noted")

    def entries(self, table: str) -> bytes:
        """The channel of a table's entries."""
        return self._of(table, "entries")

    def _committed(self, table: str) -> tuple[tuple[bytes, ...], bytes]:
        """The keys that a commit changes, in the script's order, and the channel of the table's entries."""
        return (self.log(table), *self.standing(table)), self.entries(table)

    def _views(self, table: str, audience: Audience) -> bytes:
        """The channel of an audience's views."""
        return f"{self._buckets[bucket_of(table)]}views:{table}:{audience}".encode()

    def player(self, player: str) -> bytes:
        return f"{self._prefix}:player:{player}".encode()

    def token(self, token_hash: bytes) -> bytes:
        return f"{self._prefix}:token:{token_hash.hex()}".encode()

    def seats(self, player: str) -> bytes:
        return f"{self._prefix}:seats:{player}".encode()

    def seated(self, player: str) -> bytes:
        """The channel that tells where a player is noted."""
        return f"{self._prefix}:seated:{player}".encode()

    def intent(self, player: str, command: str) -> bytes:
        # Neither may hold what makes it another pair: command ids come from clients.
        return f"{self._prefix}:intent:{len(player)}:{player}:{command}".encode()

    def check(self, node: int) -> bytes:
        return f"{self._prefix}:check:{node}".encode()

    def _of(self, table: str, what: str) -> bytes:
        return f"{self._buckets[bucket_of(table)]}{what}:{table}".encode()


# An element of a log: version in four bytes, length of the head's id in one, the id, the entry.


def head_bytes(head: Head) -> bytes:
    return b"%b%c%b" % (head.version.to_bytes(4, "big"), len(head.id), head.id)


def read_head(element: bytes) -> Head:
    return Head(int.from_bytes(element[:4], "big"), element[5 : 5 + element[4]])


def read_entry(element: bytes) -> bytes:
    return element[5 + element[4] :]


def read_log(elements: list[bytes]) -> Log:
    """The log that ends with these elements; there is at least one."""
    return Log(read_head(elements[-1]), tuple(map(read_entry, elements)))
