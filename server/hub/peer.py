"""What the hub knows of a connection, and what a connection may ask of the hub."""

from typing import Protocol

from protocol.commands import AnyCommand
from protocol.pushes import AnyMessage, LobbyPage


class Peer(Protocol):
    """One connection, as the hub sees it. None of its methods blocks or awaits: each puts something into its outbox."""

    id: str
    """Unique among all connections of all processes."""

    def send(self, message: AnyMessage) -> None:
        """Send a reply or a push, after everything that was sent before."""

    def send_view(self, table: str, version: int, seated: bool, frame: bytes) -> None:
        """Send an encoded view (MessagePack); only the newest of a table is kept until it is written.

        A view older than one that was already sent is dropped. `seated` tells whether the receiver sits there: a
        seat that does not read is disconnected after a while, a spectator only loses intermediate views.
        """

    def send_latest(self, key: str, message: AnyMessage) -> None:
        """Send a push of which only the newest with this key matters (presence of a table, the lobby)."""

    def close(self, code: int, reason: str) -> None:
        """Close the connection after what was sent before."""


class Hub(Protocol):
    """What joins tables, players and connections; `server.web` needs no more of it."""

    async def start(self) -> None:
        """Open the store and begin the background work."""

    async def drain(self, reason: str, after_ms: int) -> None:
        """Take no new tables, tell every peer that the server is going away, finish what is under way."""

    async def stop(self) -> None:
        """End the background work and close the store."""

    async def handle(self, peer: Peer, command: AnyCommand) -> None:
        """Carry out one command and send its reply to `peer`. Never raises but `asyncio.CancelledError`.

        The commands of one peer are handed over one after the other. The first is `hello`; the caller has checked that.
        """

    async def gone(self, peer: Peer) -> None:
        """The connection is no more."""

    async def lobby(self) -> LobbyPage:
        """The page of public tables."""

    async def record(self, table: str, token: str | None, share: str | None = None) -> str | None:
        """The record of a finished match, if anybody may read it, or the bearer of `token` or `share` may."""

    async def share(self, table: str, token: str | None) -> str | None:
        """The code that opens the record of a finished match to others, if the bearer of `token` may hand it on.

        That is empty for a public match, which needs none. Of a private one its seats may hand it on.
        """

    async def check(self) -> str | None:
        """`None` if the server can do its work, else why not, in a sentence for the operator."""
