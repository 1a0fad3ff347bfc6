"""What is published, as it comes in: one connection for all channels of this process.

Redis promises nothing to who is not connected. After a gap everything is subscribed to again, and `on_gap` is told, so
that somebody compares what was shown with the store.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import structlog
from hiredis import ReplyError

from server.faults import fault
from server.store.base import StoreError
from server.store.redis_node import PATIENCE, Keeper
from server.store.redis_wire import COMMAND_SECONDS, ConnectionLost, Wire, good, pack

log = structlog.get_logger()

PING_SECONDS = 0.5
"""After how long a silence the connection is tried."""
CHUNK = 1_000
"""How many channels one command names."""

OnMessage = Callable[[bytes], None]


class Ear(Wire):
    """A connection for published messages.

    Args:
        channels: what to call with each message, by channel.
    """

    def __init__(self, channels: dict[bytes, OnMessage]) -> None:
        super().__init__()
        self._channels = channels
        self._answers: list[asyncio.Future[Any]] = []
        self._confirming: dict[bytes, asyncio.Future[None]] = {}
        # Confirmations of what has been unsubscribed since.
        self._void: Counter[bytes] = Counter()
        self._pinged: float | None = None
        self._heard = self._loop.time()
        self.confirmed: set[bytes] = set()

    async def command(self, *parts: str | bytes | int) -> Any:
        """Do a command, before anything is subscribed to."""
        answer = self._loop.create_future()
        self._answers.append(answer)
        self.write(pack(parts))
        return good(await answer)

    async def subscribe(self, channels: Iterable[bytes]) -> None:
        """Returns when all is confirmed."""
        if self.closed.done():
            raise ConnectionLost("the connection for news was lost")
        new = [channel for channel in channels if channel not in self.confirmed]
        asked = [channel for channel in new if channel not in self._confirming]
        for channel in asked:
            self._confirming[channel] = self._loop.create_future()
        for start in range(0, len(asked), CHUNK):
            self.write(pack((b"SUBSCRIBE", *asked[start : start + CHUNK])))
        for future in [self._confirming[channel] for channel in new]:
            await asyncio.shield(future)

    def unsubscribe(self, channel: bytes) -> None:
        """Hear no more."""
        self.confirmed.discard(channel)
        if (confirming := self._confirming.pop(channel, None)) is not None:
            confirming.set_result(None)
            self._void[channel] += 1
        self.write(pack((b"UNSUBSCRIBE", channel)))

    def look(self) -> None:
        """See whether it still lives."""
        now = self._loop.time()
        if self._pinged is not None:
            if now - self._pinged > COMMAND_SECONDS:
                self.abort()
        elif now - self._heard > PING_SECONDS:
            self._pinged = now
            self.write(pack((b"PING",)))

    def data_received(self, data: bytes) -> None:
        self._heard = self._loop.time()
        self._pinged = None
        super().data_received(data)

    def received(self, reply: Any) -> None:
        if type(reply) is list:
            kind, channel, message = reply if len(reply) == 3 else (reply[0], b"", b"")
            if kind == b"message":
                if (on_message := self._channels.get(channel)) is not None:
                    # What a listener raises is a bug of the listener, and does not keep the news from the others.
                    try:
                        on_message(message)
                    except Exception as wrong:
                        log.error("listener_failed", channel=channel.decode(), fault=fault(wrong))
            elif kind == b"subscribe":
                self._confirm(channel)
        elif self._answers:
            answer = self._answers.pop(0)
            if not answer.done():
                answer.set_result(reply)
        elif isinstance(reply, ReplyError):
            self.abort()

    def _confirm(self, channel: bytes) -> None:
        if self._void[channel] > 0:
            self._void[channel] -= 1
        elif (confirming := self._confirming.pop(channel, None)) is not None:
            del self._void[channel]
            self.confirmed.add(channel)
            confirming.set_result(None)

    def lost(self) -> None:
        for future in (*self._answers, *self._confirming.values()):
            if not future.done():
                future.set_exception(ConnectionLost("the connection for news was lost"))
                future.exception()  # perhaps nobody waits for it any more
        self._confirming.clear()
        self.confirmed.clear()


class News:
    """All that this process listens to.

    Args:
        dial: makes a connection that hands messages to these channels; the server knows who we are.
        on_gap: called when messages may have been lost, and come again.
    """

    def __init__(self, dial: Callable[[dict[bytes, OnMessage]], Any], on_gap: Callable[[], None]) -> None:
        self._dial = dial
        self._on_gap = on_gap
        self._channels: dict[bytes, OnMessage] = {}
        self._keeper = Keeper("the connection for news", self._connect, self._look)
        self._ear: Ear | None = None
        self._heard_before = False

    async def open(self, seconds: float) -> None:
        self._keeper.start()
        await self._keeper.connected(seconds)

    async def close(self) -> None:
        await self._keeper.close()

    async def subscribe(self, channel: bytes, on_message: OnMessage) -> None:
        """Returns when it is confirmed. The wish stays when it cannot be fulfilled now: the next connection does."""
        self._channels[channel] = on_message
        if not self._keeper.alive:
            await self._keeper.connected(max(0.0, PATIENCE - self._keeper.away))
        assert self._ear is not None
        try:
            async with asyncio.timeout(COMMAND_SECONDS):
                await self._ear.subscribe([channel])
        except TimeoutError:
            raise StoreError("the store does not confirm a subscription") from None

    def unsubscribe(self, channel: bytes) -> None:
        """Hear no more of a channel."""
        if self._channels.pop(channel, None) is not None and self._ear is not None and not self._ear.closed.done():
            self._ear.unsubscribe(channel)

    async def _connect(self) -> Ear:
        ear: Ear = await self._dial(self._channels)
        if self._heard_before:
            # Now too: what comes in from here on must not be taken for what follows on the last that was heard.
            self._on_gap()
        try:
            await ear.subscribe(list(self._channels))
        except BaseException:
            ear.abort()
            raise
        self._ear = ear
        if self._heard_before:
            self._on_gap()
        self._heard_before = True
        return ear

    def _look(self) -> None:
        if self._ear is not None:
            self._ear.look()
