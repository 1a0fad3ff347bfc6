"""The page of public tables."""

from protocol.pushes import LobbyPage, LobbyTable
from protocol.values import MAX_LOBBY_TABLES
from server.store.base import Store
from server.table.views import Listing, lobby_table, read_listing


async def lobby_page(store: Store, re: str | None = None) -> LobbyPage:
    """The tables that wait for players first, then the running ones, the newest first."""
    listed = [(id, read_listing(data)) for id, data in await store.listed()]
    listed.sort(key=_order)
    return LobbyPage(re=re, tables=tuple([await _line(store, *line) for line in listed[:MAX_LOBBY_TABLES]]))


def _order(line: tuple[str, Listing]) -> tuple[bool, int, str]:
    id, listed = line
    return listed.status != "open", -listed.created, id


async def _line(store: Store, id: str, listed: Listing) -> LobbyTable:
    present = await store.present(id)
    return lobby_table(id, listed, present.spectators, store.now())
