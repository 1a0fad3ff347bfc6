"""Peers without sockets: they keep what they are sent, as a client would."""

import asyncio
from collections.abc import Callable
from itertools import count
from typing import Any, TypeVar

import msgspec

from protocol import commands as said
from protocol.commands import AnyCommand
from protocol.pushes import AnyMessage, Done, Error, Session, View
from server.hub.hub import TableHub

M = TypeVar("M")
_numbers = count(1)
_view = msgspec.msgpack.Decoder(View)


class FakePeer:
    """One connection of one player.

    Attributes:
        views: the newest view of each table.
        messages: everything else, in order.
        every: every view, in order.
        closed: the close code, once it was closed.
    """

    def __init__(self, hub: TableHub) -> None:
        self.id = f"peer{next(_numbers)}"
        self.hub = hub
        self.views: dict[str, View] = {}
        self.messages: list[AnyMessage] = []
        self.every: list[View] = []
        self.latest: dict[str, AnyMessage] = {}
        self.closed: int | None = None
        self.token = ""
        self.player = ""
        self.news = asyncio.Event()

    def send(self, message: AnyMessage) -> None:
        self.messages.append(message)

    def send_view(self, table: str, version: int, seated: bool, frame: bytes) -> None:
        view = _view.decode(frame)
        assert (view.table, view.version, view.you is not None) == (table, version, seated)
        known = self.views.get(table)
        if known is None or known.version <= version:
            self.views[table] = view
            self.every.append(view)
            self.news.set()

    def send_latest(self, key: str, message: AnyMessage) -> None:
        self.latest[key] = message

    def close(self, code: int, reason: str) -> None:
        self.closed = code

    async def ask(self, command: AnyCommand) -> AnyMessage:
        """Send a command and return its reply."""
        await self.hub.handle(self, command)
        return next(m for m in reversed(self.messages) if getattr(m, "re", None) == command.id)

    async def do(self, command: AnyCommand) -> Done:
        """Send a command that must succeed."""
        reply = await self.ask(command)
        assert isinstance(reply, Done), reply
        return reply

    async def refused(self, command: AnyCommand) -> Error:
        """Send a command that must be refused."""
        reply = await self.ask(command)
        assert isinstance(reply, Error), reply
        return reply

    async def hello(self, name: str | None = "Ann", token: str | None = None, **more: Any) -> Session:
        reply = await self.ask(said.Hello(id=new_id(), name=name, token=token, **more))
        assert isinstance(reply, Session), reply
        self.token, self.player = reply.token or token or "", reply.player
        return reply

    async def until(self, table: str, holds: Callable[[View], bool]) -> View:
        """The newest view, once it holds."""
        while table not in self.views or not holds(self.views[table]):
            self.news.clear()
            await self.news.wait()
        return self.views[table]


def new_id() -> str:
    """An id for a command."""
    return f"c{next(_numbers)}"


async def guest(hub: TableHub, name: str, **more: Any) -> FakePeer:
    """A new player with one connection."""
    peer = FakePeer(hub)
    await peer.hello(name, **more)
    return peer
