"""The client: a dialogue with a server, kept up over asyncio."""

import asyncio
import logging
import random
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from itertools import count
from types import TracebackType
from typing import Final, Self

import msgspec

from clients.address import table_link
from clients.backoff import Backoff, Pace
from clients.commands import Commands
from clients.dialogue import Dialogue, Happening, Later, Phase, Replied, Resumed, Who
from clients.errors import BadAddress, BadName, ClientError, Refused, Stopped, Unreachable
from clients.follower import Feed, Follower
from clients.running import cancelled
from clients.transport import Dial, Lost, Transport, dial
from protocol import errors
from protocol.closing import FULL, INTERNAL, TOO_SLOW
from protocol.commands import AnyCommand
from protocol.pushes import AnyReply, BotWanted, Closed, Error, GoingAway, LobbyPage, MyTable, Presence, View
from protocol.values import Name

HELLO_SECONDS: Final = 15.0
"""How long a server may take to greet and to answer `hello`."""
ELSEWHERE_SECONDS: Final = 2.0
"""How long a server may take to let a client in that knows others; a machine that is gone says nothing at all."""
STEADY_SECONDS: Final = 60.0
"""A connection that was held so long has worked, whatever ended it."""
TROUBLE: Final = frozenset({TOO_SLOW.code, INTERNAL.code, FULL.code})
"""Close codes after which the next connection may well end the same way: the delays go on growing."""
RETRY: Final = Backoff(cap=2.0)
"""The delays before a refused command is sent again: soon after the server can do its work again, it is done."""
AGENT: Final = "bigtop-python"
Push = BotWanted | LobbyPage | GoingAway | Resumed
"""What a server says that belongs to no table."""
_log = logging.getLogger(__name__)


def connect(
    url: str | Sequence[str],
    *,
    name: str | None = None,
    token: str | None = None,
    bot: bool = False,
    house: str | None = None,
    patient: bool = False,
    on_token: Callable[[str], None] | None = None,
) -> "Client":
    """A client for the server at `url`, to be used as an async context manager.

    Raises `BadName`. Entering it waits until the server knows the player, and raises `Unreachable`, `BadAddress`,
    `Refused` or `Stopped` if that cannot be. From then on the client connects again by itself whenever it has to.

    Args:
        url: for example ``ws://127.0.0.1:8765/ws``; or several, of servers that share their tables. The client begins
            with any of them, and goes on at the next one whenever a connection is lost.
        name: how the player wants to be called.
        token: from an earlier `Client.token`, to be the same player again; a new guest if the server does not know it.
        bot: the player is a program.
        house: the key of the server's own bots.
        patient: keep trying when nobody answers at first.
        on_token: called with each new token, for example to store it.
    """
    if name is not None:
        _check_name(name)
    return Client(
        url, Who(name=name, bot=bot, house=house, agent=AGENT), token=token, patient=patient, on_token=on_token
    )


def _check_name(name: str) -> None:
    """Raise `BadName` for what no message could carry; the server refuses other names that it does not like."""
    try:
        name.encode()
        msgspec.convert(name, Name)
    except (UnicodeEncodeError, msgspec.ValidationError):
        raise BadName(errors.BAD_NAME.meaning) from None


class Client(Commands):
    """A player at a server. Make it with `connect`.

    Its commands wait until the server has answered, over lost connections if need be; each is carried out once. They
    raise `Refused` when the server says no, and `Stopped` when the connection is gone for good.
    """

    def __init__(
        self,
        url: str | Sequence[str],
        who: Who,
        *,
        token: str | None = None,
        patient: bool = False,
        on_token: Callable[[str], None] | None = None,
        dial: Dial = dial,
        backoff: Backoff = Backoff(),  # noqa: B008  # immutable
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
        chance: Callable[[], float] = random.random,
        make_nonce: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        ids = (f"{secrets.token_hex(8)}-{number}" for number in count(1))
        self._dialogue = Dialogue(who, token=token, make_id=ids.__next__, make_nonce=make_nonce)
        self._urls = (url,) if isinstance(url, str) else tuple(url)
        if not self._urls:
            raise BadAddress("Name at least one server.")
        self._at = int(chance() * len(self._urls)) if len(self._urls) > 1 else 0
        self._patient = patient
        self._on_token = on_token
        self._dial = dial
        self._backoff = backoff
        self._sleep = sleep
        self._clock = clock
        self._chance = chance
        self._attempt = 0
        self._wake = asyncio.Event()
        self._ready: asyncio.Future[None] | None = None
        self._failure: ClientError | None = None
        self._waiting: dict[str, asyncio.Future[AnyReply]] = {}
        self._feeds: dict[str, Feed] = {}
        self._pushes: set[asyncio.Queue[Push | None]] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.player = ""
        self.name = ""
        self.tables: tuple[MyTable, ...] = ()

    @property
    def token(self) -> str | None:
        """The secret with which to be the same player again."""
        return self._dialogue.token

    @property
    def url(self) -> str:
        """The server that it is connected to, or tries next."""
        return self._urls[self._at % len(self._urls)]

    @property
    def online(self) -> bool:
        """Whether the server can be talked to at this moment."""
        return self._dialogue.phase is Phase.READY

    def link(self, table: str, invite: str | None = None) -> str:
        """The link by which others come to a table; `invite` is the code of a private one."""
        return table_link(self._dialogue.public_url or self.url, table, invite)

    async def __aenter__(self) -> Self:
        self._ready = asyncio.get_running_loop().create_future()
        self._spawn(self._keep_up())
        try:
            await self._ready
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connection. The player and their seats stay, for whoever has the token."""
        self._fail(Stopped("The client was closed."))
        await cancelled(self._tasks)

    async def request(self, command: AnyCommand) -> AnyReply:
        """Send any command and wait for its answer. Raises `Refused` and `Stopped`."""
        if self._failure is not None:
            raise self._failure
        waiting: asyncio.Future[AnyReply] = asyncio.get_running_loop().create_future()
        self._waiting[command.id] = waiting
        self._dialogue.ask(command)
        self._wake.set()
        try:
            reply = await waiting
        finally:
            self._waiting.pop(command.id, None)
            self._dialogue.forget(command.id)
        if isinstance(reply, Error):
            raise Refused(reply)
        return reply

    def new_id(self) -> str:
        """A new id for a command."""
        return self._dialogue.new_id()

    def commit(self, table: str) -> str:
        """A commitment for `ready`; the nonce is kept, and told when the table asks for it."""
        return self._dialogue.nonces.commit(table)

    def follow(self, table: str) -> Follower:
        """A follower of a table where the player sits or that was created or watched; see `Follower`."""
        return Follower(self._feed(table), self.events)

    def forget(self, table: str) -> None:
        """Drop what is kept of a table; its followers end."""
        feed = self._feeds.pop(table, None)
        if feed is not None and feed.closed is None:
            feed.close("left")

    def pushes(self) -> AsyncIterator[Push]:
        """What the server says from now on that belongs to no table; it ends when the client is closed."""
        queue: asyncio.Queue[Push | None] = asyncio.Queue()
        if self._failure is not None:
            queue.put_nowait(None)
        self._pushes.add(queue)
        return self._read(queue)

    async def _read(self, queue: "asyncio.Queue[Push | None]") -> AsyncIterator[Push]:
        try:
            while (push := await queue.get()) is not None:
                yield push
        finally:
            self._pushes.discard(queue)

    def _feed(self, table: str) -> Feed:
        feed = self._feeds.get(table)
        if feed is None:
            feed = self._feeds[table] = Feed(table)
            if self._failure is not None:
                feed.fail(self._failure)
        return feed

    def _spawn(self, work: "Awaitable[None]") -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _keep_up(self) -> None:
        """Connect, talk until the connection is lost, wait, and so on until told to stop."""
        try:
            while not self._dialogue.stopped:
                await self._one_connection()
                if not self._dialogue.stopped:
                    await self._sleep(self._go_on())
            assert self._dialogue.failure is not None
            self._fail(self._dialogue.failure)
        except ClientError as error:
            self._fail(error)
        except Exception as error:
            _log.exception("The client stops after an error of its own.")
            self._fail(Stopped(f"The client stopped after an error of its own ({type(error).__name__})."))

    def _go_on(self) -> float:
        """Turn to the next server; for how many seconds to wait before. What one server says of its return is no reason
        to let another one wait."""
        servers = len(self._urls)
        delay = self._backoff.delay(self._attempt // servers, self._chance())
        self._attempt += 1
        self._at += 1
        return delay if servers > 1 else max(delay, self._dialogue.after_ms / 1000)

    async def _open(self) -> Transport:
        """A connection to the server whose turn it is. Raises `BadAddress` and `Unreachable`."""
        try:
            async with asyncio.timeout(ELSEWHERE_SECONDS if len(self._urls) > 1 else None):
                return await self._dial(self.url)
        except TimeoutError:
            raise Unreachable(f"No server answers at {self.url} in time.") from None

    async def _one_connection(self) -> None:
        try:
            transport = await self._open()
        except Unreachable as error:
            first = self._ready is not None and not self._ready.done()
            all_tried = self._attempt + 1 >= len(self._urls)
            if not error.retry or (first and not self._patient and all_tried):
                raise
            _log.info("%s", error)
            return
        self._dialogue.opened()
        writer = asyncio.ensure_future(self._write(transport))
        code: int | None = None
        ready_at: float | None = None
        try:
            async with asyncio.timeout(HELLO_SECONDS) as limit:
                while not self._dialogue.hang_up:
                    self._dialogue.received(await transport.receive())
                    if self._dialogue.phase is Phase.READY and limit.when() is not None:
                        limit.reschedule(None)
                        ready_at = self._clock()
                    self._told()
        except Lost as lost:
            code = lost.code
        except TimeoutError:
            _log.info("The server did not answer hello.")
        finally:
            writer.cancel()
            try:
                await asyncio.wait([writer])  # after `await writer` one could not tell whose end was asked for
            finally:
                await transport.close()
            if not writer.cancelled():
                writer.result()  # raises what it failed with
            if ready_at is not None and (code not in TROUBLE or self._clock() - ready_at > STEADY_SECONDS):
                self._attempt = 0
            self._dialogue.lost(code)
            self._told()

    async def _write(self, transport: Transport) -> None:
        """Send what the dialogue gives out, no faster than the server takes it."""
        pace: Pace | None = None
        with suppress(Lost):  # the reader hears of it, too
            while True:
                await self._wake.wait()
                self._wake.clear()
                if pace is None and (limits := self._dialogue.limits) is not None:
                    pace = Pace(limits.commands_per_second, limits.burst, self._clock())
                for command in self._dialogue.outgoing():
                    if pace is not None and (wait := pace.wait(self._clock())) > 0:
                        await self._sleep(wait)
                    await transport.send(command)

    def _told(self) -> None:
        for happening in self._dialogue.happened():
            self._hear(happening)
        self._wake.set()

    def _hear(self, happening: Happening) -> None:
        match happening:
            case Replied(reply):
                waiting = self._waiting.get(reply.re or "")
                if waiting is not None and not waiting.done():
                    waiting.set_result(reply)
            case Later():
                self._spawn(self._again(happening))
            case View():
                self._feed(happening.table).saw(happening)
            case Presence():
                self._feed(happening.table).saw_presence(happening)
            case Closed():
                feed = self._feeds.pop(happening.table, None)
                if feed is not None:
                    feed.close(happening.reason)
            case Resumed():
                self._resumed(happening)
            case _:
                self._push(happening)

    def _resumed(self, resumed: Resumed) -> None:
        session = resumed.session
        self.player, self.name, self.tables = session.player, session.name, session.tables
        if session.token is not None and self._on_token is not None:
            self._on_token(session.token)
        if resumed.afresh:
            for feed in self._feeds.values():
                feed.restart()
        self._push(resumed)
        if self._ready is not None and not self._ready.done():
            self._ready.set_result(None)

    def _push(self, push: Push) -> None:
        for queue in self._pushes:
            queue.put_nowait(push)

    async def _again(self, later: Later) -> None:
        delay = RETRY.delay(later.tries, self._chance())
        await self._sleep(max(delay, later.after_ms / 1000))
        self._dialogue.again(later.id)
        self._wake.set()

    def _fail(self, failure: ClientError) -> None:
        """Nobody need wait any longer."""
        if self._failure is not None:
            return
        self._failure = failure
        if self._ready is not None and not self._ready.done():
            self._ready.set_exception(failure)
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(failure)
        for feed in self._feeds.values():
            feed.fail(failure)
        for queue in self._pushes:
            queue.put_nowait(None)
