"""A TCP proxy that can fall silent without closing anything, as a network does."""

import asyncio
import contextlib
from types import TracebackType


class _Pair:
    """A connection through the proxy."""

    def __init__(self, inside: asyncio.StreamWriter, outside: asyncio.StreamWriter) -> None:
        self.writers = (inside, outside)
        self.for_news = False
        self.silent = False


class Proxy:
    """Stands between stores and a server on this machine.

    Attributes:
        port: where to connect.
        refusing: new connections are closed at once.
        swallowing: new connections are silent from the beginning.
    """

    def __init__(self, target: int) -> None:
        self._target = target
        self._pairs: list[_Pair] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self.refusing = False
        self.swallowing = False
        self.port = 0

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    async def __aenter__(self) -> "Proxy":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self._server.close()
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def silence(self, *, only_news: bool = False) -> None:
        """From now on nothing passes on the connections that there are."""
        for pair in self._pairs:
            pair.silent = pair.silent or pair.for_news or not only_news

    def cut(self, *, only_news: bool = False, only_silent: bool = False) -> None:
        """Close the connections that there are."""
        for pair in self._pairs:
            if (pair.for_news or not only_news) and (pair.silent or not only_silent):
                for writer in pair.writers:
                    writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.refusing:
            writer.close()
            return
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:  # nobody is there at the moment
            writer.close()
            return
        pair = _Pair(back, writer)
        pair.silent = self.swallowing
        self._pairs = [known for known in self._pairs if not all(end.is_closing() for end in known.writers)]
        self._pairs.append(pair)
        for source, target in ((reader, back), (there, writer)):
            task = asyncio.create_task(self._pass_on(pair, source, target))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pass_on(self, pair: _Pair, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(65536):
                pair.for_news = pair.for_news or b"SUBSCRIBE" in data
                if not pair.silent:
                    target.write(data)
        if not pair.silent:
            target.close()
