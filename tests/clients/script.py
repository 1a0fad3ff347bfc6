"""A server that a test writes line by line, one coroutine for each connection; in memory, without any waiting."""

import asyncio
import random
from collections.abc import Callable, Coroutine
from itertools import count
from typing import Any, TypeVar

from clients.client import Client
from clients.dialogue import Who
from clients.errors import Unreachable
from clients.transport import Lost
from protocol import errors
from protocol.commands import AnyCommand, Command, Hello
from protocol.pushes import AnyMessage, Done, Error, Limits, MyTable, Session, Welcome

C = TypeVar("C", bound=Command)
PLAYER = "p000000000000000"
TOKEN = "t" * 32
TABLE = "table0000000"
HEAD = "0" * 64
WELCOME = Welcome(
    server="scripted", limits=Limits(frame_bytes=16384, commands_per_second=100, burst=1000, hello_ms=1000)
)


def session(re: str, *, token: str | None = TOKEN, tables: tuple[MyTable, ...] = (), name: str = "Ada") -> Session:
    return Session(re=re, player=PLAYER, name=name, token=token, tables=tables)


def refusal(re: str, code: errors.ErrorCode, after_ms: int | None = None) -> Error:
    return Error(re=re, code=code.code, message=code.meaning, retry=code.retry, after_ms=after_ms)


class Peer:
    """One connection; the script holds one end, the client the other."""

    def __init__(self) -> None:
        self._sent: asyncio.Queue[AnyCommand] = asyncio.Queue()
        self._said: asyncio.Queue[AnyMessage | Lost] = asyncio.Queue()
        self._gone: Lost | None = None

    async def send(self, command: AnyCommand) -> None:
        if self._gone is not None:
            raise self._gone
        self._sent.put_nowait(command)

    async def receive(self) -> AnyMessage:
        message = await self._said.get()
        if isinstance(message, Lost):
            raise message
        return message

    async def close(self) -> None:
        self._gone = Lost()

    def say(self, *messages: AnyMessage) -> None:
        for message in messages:
            self._said.put_nowait(message)

    def lose(self, code: int | None = None) -> None:
        self._gone = Lost(code)
        self._said.put_nowait(self._gone)

    async def expect(self, kind: type[C], **fields: object) -> C:
        command = await self._sent.get()
        assert isinstance(command, kind), command
        for name, value in fields.items():
            assert getattr(command, name) == value, command
        return command

    async def done(self, kind: type[C], table: str | None = TABLE, **fields: object) -> C:
        command = await self.expect(kind, **fields)
        self.say(Done(re=command.id, table=table, version=1))
        return command

    async def greet(self, *, tables: tuple[MyTable, ...] = (), token: str | None = TOKEN, **fields: object) -> Hello:
        self.say(WELCOME)
        hello = await self.expect(Hello, **fields)
        self.say(session(hello.id, tables=tables, token=token))
        return hello

    def assert_quiet(self) -> None:
        assert self._sent.empty(), self._sent.get_nowait()


async def only_greet(peer: Peer) -> None:
    await peer.greet()


Script = Callable[[Peer], Coroutine[Any, Any, None]]


class ScriptedServer:
    """Plays one script for each connection; `None` in their place refuses the connection."""

    def __init__(self, *scripts: Script | None, peer: type[Peer] = Peer) -> None:
        self._scripts = list(scripts)
        self._peer = peer
        self._tasks: list[asyncio.Task[None]] = []
        self.slept: list[float] = []
        self.failures: list[BaseException] = []

    async def dial(self, url: str) -> Peer:
        if not self._scripts:
            await asyncio.Event().wait()  # nobody is there any more, and nobody says so
        script = self._scripts.pop(0)
        if script is None:
            raise Unreachable(f"No server answers at {url}.")
        peer = self._peer()
        self._tasks.append(asyncio.ensure_future(script(peer)))
        return peer

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(0)  # gives way, as a real sleep would

    def client(self, who: Who = Who(name="Ada"), **options: Any) -> Client:  # noqa: B008  # immutable
        rng, ids = random.Random(1), count(1)
        options.setdefault("sleep", self.sleep)
        client = Client(
            "ws://scripted/ws", who, dial=self.dial, chance=rng.random, make_nonce=lambda n: bytes(n), **options
        )
        client._dialogue._make_id = lambda: f"id{next(ids)}"
        return client

    async def assert_done(self) -> None:
        """All scripts have run to their end, and nothing went wrong in them."""
        assert not self._scripts, "a connection was not used"
        async with asyncio.timeout(5):
            await asyncio.gather(*self._tasks)
