"""Seats that ask for a bot are offered to those who serve bots, one after the other.

The house bots come first, and whoever let offers pass comes last: a stranger who only pretends to serve bots must not
be able to keep seats empty.
"""

from typing import NamedTuple

from protocol import errors
from protocol.pushes import BotWanted
from server.hub.connection import Connection
from server.store.base import Store
from server.table.refusal import Refused
from server.table.views import Wants, read_wants

OFFER_AGAIN_MS = 2_000
"""How long a bot may take to sit down before the seat is offered to the next one."""


class _Offer(NamedTuple):
    server: Connection
    at: int


class BotDesk:
    """Who serves bots here, and what they were offered."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._servers: list[Connection] = []
        self._offered: dict[tuple[str, int], _Offer] = {}

    def register(self, connection: Connection) -> None:
        """From now on this connection is offered seats. Raises `Refused` for people."""
        if not connection.player.bot:
            raise Refused(errors.NOT_ALLOWED, "Only a program can take a seat that asks for a bot.")
        if connection not in self._servers:
            self._servers.append(connection)
            connection.passed = 0

    def drop(self, connection: Connection) -> None:
        """This connection is no more."""
        if connection in self._servers:
            self._servers.remove(connection)

    async def offer(self) -> None:
        """Offer every seat that asks for a bot and was not offered a moment ago."""
        if not self._servers:
            return
        now = self._store.now()
        wanting = [(table, read_wants(data)) for table, data in await self._store.wanting()]
        open_seats = {(table, seat) for table, wants in wanting for seat, _ in wants.seats}
        for key in self._offered.keys() - open_seats:
            self._offered.pop(key).server.passed = 0
        for table, wants in wanting:
            for seat, level in wants.seats:
                last = self._offered.get((table, seat))
                if last is None or now - last.at >= OFFER_AGAIN_MS:
                    if last is not None:
                        last.server.passed += 1
                    self._offer(table, seat, level, wants, now)

    def _offer(self, table: str, seat: int, level: str, wants: Wants, now: int) -> None:
        able = [server for server in self._servers if _may_serve(server, level, wants)]
        if not able:
            return
        server = min(able, key=lambda each: each.passed + (not each.house))
        self._servers.remove(server)
        self._servers.append(server)
        self._offered[table, seat] = _Offer(server, now)
        server.peer.send(BotWanted(table=table, seat=seat, level=level, invite=wants.invite))


def _may_serve(server: Connection, level: str, wants: Wants) -> bool:
    return (server.house or not wants.private) and (not level or level in server.levels)
