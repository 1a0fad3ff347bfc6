"""A bare loop over Redis: the commits of a server, without rules, views to make or connections to feed. What it does in
a second, no server does on that Redis.

    python -m clients.bench.load.commits

The first line on standard input is a `Work` as JSON. Each further line says for how many seconds to commit, and over
how many connections; then it prints in one line how many commits that were, and in what time. At every table one commit
is under way; the next one follows when the answer and all that was published have come. It ends, and removes its keys,
when its input ends.
"""

import asyncio
import hashlib
import sys
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Final, cast

import hiredis
import msgspec
import uvicorn
from redis.connection import parse_url

PREFIX: Final = "bigtop-bench"
BUCKETS: Final = 64
READY: Final = "ready"
CONNECTIONS: Final = 8
"""How many there are at most for commits; there is one more for what is published."""
_ID_BYTES: Final = 8
_HOUR_MS: Final = 3_600_000
Part = str | bytes | int
_pack: Callable[[tuple[Part, ...]], bytes] = cast(Any, hiredis.pack_command)


class Work(msgspec.Struct):
    """What to do.

    Attributes:
        url: where Redis is.
        script: what a commit runs there.
        tables: how many there are.
        seats: how many of a table's channels with views are read; one more is not.
        entry: bytes of an entry as it is published.
        view: bytes of a seat's view as it is published.
        public: bytes of everybody else's.
        listing: bytes of what the lobby shows.
    """

    url: str
    script: str
    tables: int
    seats: int
    entry: int
    view: int
    public: int
    listing: int


class _Table:
    """One whose log grows.

    Attributes:
        number: counts from 0.
        keys: those that a commit changes.
        channels: those that are read.
        left: what is still to come of the commit under way.
    """

    def __init__(self, number: int, work: Work, digest: bytes) -> None:
        self.number = number
        self.left = 0
        self._version = 0
        self._head = b""
        bucket, name = f"{PREFIX}:{{{number % BUCKETS:02d}}}:", f"{number % BUCKETS:02d}{number:010d}"
        standing = [f"{bucket}{kind}" for kind in ("deadlines", "listings", "wants", "unfinished", "finished")]
        self.keys = (f"{bucket}log:{name}", *standing)
        views = [f"{bucket}views:{name}:{seat:016d}".encode() for seat in range(work.seats)]
        entries = f"{bucket}entries:{name}".encode()
        self.channels = (entries, *views)
        self._begin: tuple[Part, ...] = (b"EVALSHA", digest, 6, *self.keys)
        self._name = name
        self._listing = bytes(work.listing)
        self._entry = bytes(max(0, work.entry - 5 - _ID_BYTES))
        self._views: list[Part] = [part for channel in views for part in (channel, bytes(work.view))]
        self._views += [f"{bucket}views:{name}:".encode(), bytes(work.public)]

    def commit(self, now: int) -> bytes:
        """The command for the next commit."""
        expected, version = self._head, self._version
        self._version += 1
        self._head = b"%b%c%b" % (self._version.to_bytes(4), _ID_BYTES, (now & 0xFFFFFFFF).to_bytes(_ID_BYTES))
        element = self._head + self._entry
        self.left = 1 + len(self.channels)
        change: tuple[Part, ...] = (expected, version, element, self._name, now + _HOUR_MS, self._listing, b"", b"")
        return _pack((*self._begin, *change, self.channels[0], element, *self._views))


class _Wire(asyncio.Protocol):
    """A connection to Redis; what comes is handed on.

    Attributes:
        asked: the tables whose commits have not been answered.
        failed: done when it cannot be used any more.
    """

    def __init__(self, received: Callable[["_Wire", Any], None]) -> None:
        self.asked: deque[_Table] = deque()
        self.failed = asyncio.get_running_loop().create_future()
        self._out: list[bytes] = []
        self._received = received
        self._reader = hiredis.Reader()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def write(self, data: bytes) -> None:
        """Send something, together with all else of this turn of the loop."""
        if not self._out:
            asyncio.get_running_loop().call_soon(self._flush)
        self._out.append(data)

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        while (reply := self._reader.gets()) is not False:
            if isinstance(reply, hiredis.ReplyError):
                self.fail(str(reply))
            else:
                self._received(self, reply)

    def connection_lost(self, exc: Exception | None) -> None:
        self.fail("Redis closed a connection")

    def fail(self, why: str) -> None:
        """Nothing more can be done here, and why."""
        if not self.failed.done():
            self.failed.set_exception(RuntimeError(why))

    def _flush(self) -> None:
        self._transport.write(b"".join(self._out))
        self._out.clear()


class Commits:
    """All tables, and the connections for them."""

    def __init__(self, work: Work) -> None:
        self._work = work
        digest = hashlib.sha1(work.script.encode(), usedforsecurity=False).hexdigest().encode()
        self._tables = [_Table(number, work, digest) for number in range(work.tables)]
        self._by_channel = {channel: table for table in self._tables for channel in table.channels}
        self._links: list[_Wire] = []
        self._connections = 1
        self._rest = asyncio.Event()
        self._running = False
        self._resting = work.tables
        self._done = 0
        self._preparing = 0
        self._prepared = asyncio.Event()

    async def connect(self) -> None:
        """Connect, load the script, and subscribe to what the tables publish."""
        place: dict[str, Any] = dict(parse_url(self._work.url))  # type: ignore[no-untyped-call]  # it has no types
        password, user, database = place.get("password"), place.get("username"), place.get("db", 0)
        access: list[tuple[Part, ...]] = [("AUTH", *([user] if user else []), password)] if password else []
        loop, host, port = asyncio.get_running_loop(), place.get("host", "localhost"), place.get("port", 6379)
        _, self._ear = await loop.create_connection(lambda: _Wire(self._heard), host, port)
        await self._say(self._ear, access)
        for _ in range(CONNECTIONS):
            _, link = await loop.create_connection(lambda: _Wire(self._answered), host, port)
            self._links.append(link)
            await self._say(link, [*access, ("SELECT", database), ("SCRIPT", "LOAD", self._work.script)])
        for table in self._tables:
            await self._say(self._ear, [(b"SUBSCRIBE", *table.channels)], len(table.channels))

    async def run(self, seconds: float, connections: int) -> tuple[int, float]:
        """How many commits are made in a time, and the time that it really was. Raises `RuntimeError`."""
        self._done, self._resting, self._running = 0, 0, True
        self._connections = connections
        self._rest.clear()
        begin = time.perf_counter()
        for table in self._tables:
            self._commit(table)
        await self._unless_failed(asyncio.sleep(seconds))
        found = self._done, time.perf_counter() - begin
        self._running = False
        await self._unless_failed(self._rest.wait())
        return found

    async def clear(self) -> None:
        """Remove all keys."""
        keys = sorted({key for table in self._tables for key in table.keys})
        await self._say(self._links[0], [("DEL", *keys)])

    async def _say(self, wire: _Wire, commands: list[tuple[Part, ...]], answers: int = 0) -> None:
        """Do commands, before or after everything else."""
        if commands:
            self._preparing = answers or len(commands)
            self._prepared.clear()
            wire.write(b"".join(map(_pack, commands)))
            await self._unless_failed(self._prepared.wait())

    async def _unless_failed(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        failures = [wire.failed for wire in (self._ear, *self._links)]
        await asyncio.wait([task, *failures], return_when=asyncio.FIRST_COMPLETED)
        for failed in failures:
            if failed.done():
                task.cancel()
                await failed

    def _answered(self, link: _Wire, reply: Any) -> None:
        if not link.asked:
            self._prepare()
        elif reply is not None:
            link.fail("the script found another head than it should")
        else:
            self._came(link.asked.popleft())

    def _heard(self, ear: _Wire, reply: Any) -> None:
        if type(reply) is list and reply[0] == b"message":
            self._came(self._by_channel[reply[1]])
        else:
            self._prepare()

    def _prepare(self) -> None:
        self._preparing -= 1
        if not self._preparing:
            self._prepared.set()

    def _came(self, table: _Table) -> None:
        table.left -= 1
        if not table.left:
            self._done += 1
            if self._running:
                self._commit(table)
            else:
                self._resting += 1
                if self._resting == len(self._tables):
                    self._rest.set()

    def _commit(self, table: _Table) -> None:
        link = self._links[table.number % self._connections]
        link.asked.append(table)
        link.write(table.commit(int(time.time() * 1000)))


async def _serve() -> None:
    loop = asyncio.get_running_loop()
    commits = Commits(msgspec.json.decode(sys.stdin.readline(), type=Work))
    await commits.connect()
    print(READY, flush=True)
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        seconds, connections = line.split()
        done, took = await commits.run(float(seconds), int(connections))
        print(done, took, flush=True)
    await commits.clear()


def main() -> None:
    """Do what standard input says."""
    loop_factory = uvicorn.Config(app="", log_config=None).get_loop_factory()
    with asyncio.Runner(loop_factory=loop_factory) as runner:
        try:
            runner.run(_serve())
        except (RuntimeError, OSError) as error:
            sys.exit(str(error))


if __name__ == "__main__":
    main()
