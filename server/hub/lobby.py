"""The page of public tables."""

import asyncio
from collections.abc import Callable

from msgspec.structs import replace

from protocol.pushes import LobbyPage, LobbyTable
from protocol.values import MAX_LOBBY_TABLES
from server.hub.peer import Peer
from server.store.base import Store
from server.table.views import Listing, lobby_table, read_listing


async def lobby_page(store: Store, re: str | None = None) -> LobbyPage:
    """The tables that wait for players first, then the running ones, the newest first."""
    listed = [(id, read_listing(data)) for id, data in await store.listed()]
    listed.sort(key=_order)
    lines = await asyncio.gather(*(_line(store, *line) for line in listed[:MAX_LOBBY_TABLES]))
    return LobbyPage(re=re, tables=tuple(lines))


class LobbyPusher:
    """Sends the page to those who follow it."""

    def __init__(self, store: Store, followers: Callable[[], list[Peer]]) -> None:
        self._store = store
        self._followers = followers
        self._sent: tuple[LobbyTable, ...] | None = None

    async def push(self) -> None:
        """Send the page if it has changed; that its tables have grown older is no change. Raises `StoreError`."""
        if not self._followers():
            self._sent = None
            return
        page = await lobby_page(self._store)
        tables = tuple(replace(table, age_s=0) for table in page.tables)
        if tables != self._sent:
            self._sent = tables
            for peer in self._followers():
                peer.send_latest("lobby", page)


def _order(line: tuple[str, Listing]) -> tuple[bool, int, str]:
    id, listed = line
    return listed.status != "open", -listed.created, id


async def _line(store: Store, id: str, listed: Listing) -> LobbyTable:
    present = await store.present(id)
    return lobby_table(id, listed, present.spectators, store.now())
