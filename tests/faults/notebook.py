"""What clients note besides their moves, and how all of it is written down: one JSON object a line."""

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec

from clients.transport import Lost, Transport, dial
from protocol.commands import AnyCommand
from protocol.pushes import AnyMessage, Error, Session
from tests.end_to_end.noting import Log


class Match(msgspec.Struct, tag="match"):
    """What the players of one table noted.

    Attributes:
        table: which.
        logs: one for each player.
        failure: why nobody played it to its end, if that was not the closing of the table.
    """

    table: str
    logs: list[Log]
    failure: str | None = None


class Drop(msgspec.Struct, tag="drop"):
    """A connection that was lost. Times are the computer's monotonic seconds.

    Attributes:
        at: when.
        server: with whom.
        code: the close code; `None` if the server gave none.
        tried: when the client tried again first.
        back: when a server knew the player again.
        tries: how many connections that took.
    """

    at: float
    server: str
    code: int | None
    tried: float | None = None
    back: float | None = None
    tries: int = 0


class Refusals(msgspec.Struct, tag="refusals"):
    """How often servers answered with each error."""

    codes: dict[str, int]


Note = Match | Drop | Refusals
_read = msgspec.json.Decoder(Note).decode


class Notebook:
    """Where the clients of one process write."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb", buffering=1 << 20)
        self._encode = msgspec.json.Encoder().encode
        self.refusals = Counter[str]()

    def write(self, note: Note) -> None:
        self._file.write(self._encode(note) + b"\n")

    def close(self) -> None:
        self.write(Refusals(dict(self.refusals)))
        self._file.close()


def read_notes(path: Path) -> Iterator[Note]:
    """What was written, in order."""
    with path.open("rb") as file:
        for line in file:
            yield _read(line)


class Watch:
    """Notes what becomes of one client's connections; its `dial` is given to the client."""

    def __init__(self, notebook: Notebook) -> None:
        self.notebook = notebook
        self.drop: Drop | None = None

    async def dial(self, url: str) -> Transport:
        if self.drop is not None:
            self.drop.tries += 1
            self.drop.tried = self.drop.tried or time.monotonic()
        return _Watched(await dial(url), url, self)


class _Watched:
    def __init__(self, transport: Transport, url: str, watch: Watch) -> None:
        self._transport = transport
        self._url = url
        self._watch = watch
        self._known = False

    async def send(self, command: AnyCommand) -> None:
        await self._transport.send(command)

    async def receive(self) -> AnyMessage:
        try:
            message = await self._transport.receive()
        except Lost as lost:
            if self._known:
                self._watch.drop = Drop(time.monotonic(), self._url, lost.code)
            raise
        if isinstance(message, Session):
            self._known = True
            if (drop := self._watch.drop) is not None:
                drop.back = time.monotonic()
                self._watch.notebook.write(drop)
                self._watch.drop = None
        elif isinstance(message, Error):
            self._watch.notebook.refusals[message.code] += 1
        return message

    async def close(self) -> None:
        await self._transport.close()
