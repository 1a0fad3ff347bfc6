"""A hub that answers without tables, and a server that has it."""

import asyncio

from protocol.closing import TOKEN_UNKNOWN
from protocol.codec import MsgpackCodec
from protocol.commands import AnyCommand, Create, Hello, Lobby, Ping, Watch
from protocol.options import TableOptions
from protocol.pushes import Done, GoingAway, LobbyPage, Pong, Presence, Session, View
from protocol.table_events import Created
from server.hub.peer import Peer
from server.store.base import StoreError

PLAYER = "p" * 16
TABLE = "t" * 12
TOKEN = "k" * 40
SHARE = "wxyz-wxyz-wxyz"
UNKNOWN_TOKEN = "u" * 40


def view(version: int, padding: int = 0) -> bytes:
    """An encoded view, which grows by the padding."""
    return MsgpackCodec().encode(
        View(
            table=TABLE,
            version=version,
            head="0" * 64,
            status="open",
            options=TableOptions(),
            quick=False,
            commitment="0" * 64,
            seed=None,
            invite=None,
            seats=(),
            you=None,
            decision=None,
            to_act=(),
            deadline_ms=None,
            bots_offered=False,
            rematch=None,
            closed="x" * padding or None,
            game=None,
            by="player",
            events=(Created(),),
        )
    )


class FakeHub:
    """Keeps what it is told, and answers the same whoever asks.

    `create` makes it fail.
    """

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.commands: list[AnyCommand] = []
        self.peers: dict[str, Peer] = {}
        self.joined = asyncio.Event()
        self.left = asyncio.Event()
        self.trouble: str | None = None
        self.start_trouble: str | None = None
        self.hold: asyncio.Event | None = None
        self.held = asyncio.Event()
        self.draining = asyncio.Event()
        self.hang_on_drain = False

    async def start(self) -> None:
        self.calls.append("start")
        if self.start_trouble is not None:
            raise StoreError(self.start_trouble)

    async def drain(self, reason: str, after_ms: int) -> None:
        self.calls.append("drain")
        self.draining.set()
        for peer in self.peers.values():
            peer.send(GoingAway(reason=reason, after_ms=after_ms))
        if self.hang_on_drain:
            await asyncio.Event().wait()

    async def stop(self) -> None:
        self.calls.append("stop")

    async def handle(self, peer: Peer, command: AnyCommand) -> None:
        self.commands.append(command)
        if self.hold is not None:
            self.held.set()
            await self.hold.wait()
        match command:
            case Hello(token=token) if token == UNKNOWN_TOKEN:
                peer.close(TOKEN_UNKNOWN.code, TOKEN_UNKNOWN.name)
            case Hello():
                self.peers[peer.id] = peer
                self.joined.set()
                peer.send(Session(re=command.id, player=PLAYER, name=command.name or "Ann", token=TOKEN, tables=()))
            case Ping():
                peer.send(Pong(re=command.id))
            case Lobby():
                peer.send(LobbyPage(re=command.id, tables=()))
                peer.send_latest("presence", Presence(table=TABLE, seats=(True, False), spectators=1))
            case Watch():
                peer.send(Done(re=command.id, table=command.table, version=1))
            case Create():
                raise RuntimeError("a bug in the hub")
            case _:
                raise AssertionError(command)

    async def gone(self, peer: Peer) -> None:
        self.calls.append("gone")
        self.peers.pop(peer.id, None)
        self.left.set()

    async def lobby(self) -> LobbyPage:
        self._fail_if_troubled()
        return LobbyPage(re=None, tables=())

    async def record(self, table: str, token: str | None, share: str | None = None) -> str | None:
        self._fail_if_troubled()
        if table == TABLE:
            return '[Game "scout"]\n'
        return "private\n" if token == TOKEN or share == SHARE else None

    async def share(self, table: str, token: str | None) -> str | None:
        self._fail_if_troubled()
        return SHARE if table != TABLE and token == TOKEN else None

    async def check(self) -> str | None:
        return self.trouble

    def only_peer(self) -> Peer:
        (peer,) = self.peers.values()
        return peer

    def _fail_if_troubled(self) -> None:
        if self.trouble is not None:
            raise StoreError(self.trouble)
