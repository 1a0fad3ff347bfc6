"""Addresses that people type: of servers, of tables, and invite links."""

import os
import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qs, urlsplit

from clients.errors import BadAddress

DEFAULT_URL: Final = "ws://127.0.0.1:8765/ws"
_TABLE: Final = re.compile(r"[0-9a-z]{12}")
_INVITE: Final = re.compile(r"[0-9a-z-]{8,32}")
_SCHEMES: Final = {"ws": "ws", "wss": "wss", "http": "ws", "https": "wss"}


@dataclass(frozen=True, slots=True)
class Place:
    """A table at a server.

    Attributes:
        url: the server's WebSocket.
        table: the table's id.
        invite: the code of a private table, if it was given.
    """

    url: str
    table: str
    invite: str | None = None


def default_url() -> str:
    """The server that is meant when none is named."""
    return os.environ.get("BIGTOP_URL") or DEFAULT_URL


def server_url(text: str) -> str:
    """The WebSocket of a server, from its address or that of its web page. Raises `BadAddress`."""
    scheme, netloc, path, _ = _split(text)
    return f"{scheme}://{netloc}{path.rstrip('/') or '/ws'}"


def place(text: str, url: str, invite: str | None = None) -> Place:
    """The table that is meant by an id, or by an invite link, which also names the server. Raises `BadAddress`."""
    if invite is not None and not _INVITE.fullmatch(invite):
        raise BadAddress(f"{invite!r} is no invite code.")
    if _TABLE.fullmatch(text):
        return Place(url, text, invite)
    if "://" not in text:
        raise BadAddress(f"{text!r} is no table: give its id of 12 letters and figures, or an invite link.")
    scheme, netloc, path, query = _split(text)
    before, found, table = path.rstrip("/").rpartition("/t/")
    if not found or not _TABLE.fullmatch(table):
        raise BadAddress(f"{text} is no link to a table; it should look like http://host:8765/t/TABLE.")
    codes = parse_qs(query).get("invite", [])
    if codes and not _INVITE.fullmatch(codes[0]):
        raise BadAddress(f"The invite code in {text} is none.")
    return Place(f"{scheme}://{netloc}{before}/ws", table, codes[0] if codes else invite)


def target(text: str | None, url: str | None, invite: str | None = None) -> tuple[str, Place | None]:
    """The server that is meant, and the table at it, by an argument that may also be the address of a server alone.

    Without an address in the argument, the server is at `url`, or the default one. Raises `BadAddress`.
    """
    server = server_url(url or default_url())
    if text is None:
        return server, None
    if "://" in text and _split(text)[2] in ("", "/", "/ws"):
        return server_url(text), None
    where = place(text, server, invite)
    return where.url, where


def table_link(server: str, table: str, invite: str | None = None) -> str:
    """The link to a table, with the code that opens a private one; `place` reads it.

    Args:
        server: the address that the server is to be named by, or the one that this client is connected to.
    """
    scheme, netloc, path, _ = _split(server)
    web = {"ws": "http", "wss": "https"}[scheme]
    code = f"?invite={invite}" if invite else ""
    return f"{web}://{netloc}{path.removesuffix('/ws').rstrip('/')}/t/{table}{code}"


def _split(text: str) -> tuple[str, str, str, str]:
    try:
        parts = urlsplit(text)
        _ = parts.port  # raises for a port that is no number
    except ValueError:
        raise BadAddress(f"{text} is no address.") from None
    scheme = _SCHEMES.get(parts.scheme)
    if scheme is None or not parts.hostname:
        raise BadAddress(f"{text} is no address of a server; it should look like {DEFAULT_URL}.")
    return scheme, parts.netloc, parts.path, parts.query
