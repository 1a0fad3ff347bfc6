"""Where Redis is, as the operator writes it.

redis://[[user]:password@]host[:port][/database]
rediss://...    the same over TLS; ?ssl_ca_certs=FILE, ssl_certfile, ssl_keyfile, ssl_check_hostname=false
redis+sentinel://[[user]:password@]host[:port][,host[:port]...]/master[/database]
redis+cluster://[[user]:password@]host[:port][,host[:port]...]
"""

import ssl
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from redis.asyncio.connection import parse_url

from server.store.base import StoreError
from server.store.redis_wire import Access

SENTINEL_PORT = 26379
PORT = 6379
SCHEMES = ("redis", "rediss", "redis+sentinel", "redis+cluster")

Address = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Place:
    """Where Redis is.

    Attributes:
        scheme: one of `SCHEMES`.
        addresses: of the server, of the sentinels, or of some nodes of the cluster.
        access: how to get in.
        master: the name by which sentinels know the server.
    """

    scheme: str
    addresses: tuple[Address, ...]
    access: Access
    master: str = ""

    def __str__(self) -> str:
        """As it may be shown: without a password."""
        hosts = ",".join(f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host, port in self.addresses)
        return f"{self.scheme}://{hosts}" + (f"/{self.master}" if self.master else "")


def read_url(url: str) -> Place:
    """Raises `StoreError` with a sentence that shows nothing of the URL, which may hold a password."""
    scheme, found, rest = url.partition("://")
    if not found or scheme not in SCHEMES:
        raise StoreError(f"the store's URL must begin with one of {', '.join(f'{known}://' for known in SCHEMES)}")
    try:
        return _many(scheme, rest) if "+" in scheme else _one(scheme, url)
    except (ValueError, ssl.SSLError):
        # What redis-py and urllib say may quote the URL.
        raise StoreError(f"the store's URL cannot be understood as a {scheme}:// URL") from None
    except OSError as error:
        raise StoreError(f"a file that the store's URL names cannot be read: {error.strerror}") from None


def _one(scheme: str, url: str) -> Place:
    options: dict[str, Any] = dict(parse_url(url))
    address = (options.pop("host", "localhost"), options.pop("port", PORT))
    username, password, database = options.pop("username", None), options.pop("password", None), options.pop("db", 0)
    options.pop("connection_class", None)
    tls = _tls(options) if scheme == "rediss" else None
    if options:
        raise StoreError(f"the store's URL has options that are not known: {', '.join(sorted(options))}")
    return Place(scheme, (address,), Access(username, password, int(database), tls))


def _tls(options: dict[str, Any]) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=options.pop("ssl_ca_certs", None))
    certificate, key = options.pop("ssl_certfile", None), options.pop("ssl_keyfile", None)
    if certificate is not None:
        context.load_cert_chain(certificate, key)
    context.check_hostname = options.pop("ssl_check_hostname", True)
    return context


def _many(scheme: str, rest: str) -> Place:
    where, _, path = rest.partition("/")
    access, _, hosts = where.rpartition("@")
    username, colon, password = access.partition(":")
    parts = [unquote(part) for part in path.split("/") if part]
    port = SENTINEL_PORT if scheme == "redis+sentinel" else PORT
    addresses = tuple(_address(host, port) for host in hosts.split(","))
    if "?" in rest or (access and not colon):
        raise ValueError("options, or a user without a password")
    if scheme == "redis+sentinel":
        if not 1 <= len(parts) <= 2:
            raise ValueError("no name of a master")
        database = int(parts[1]) if len(parts) == 2 else 0
        return Place(scheme, addresses, _access(username, password, database), parts[0])
    if parts:
        raise ValueError("a cluster has one database")
    return Place(scheme, addresses, _access(username, password, 0))


def _access(username: str, password: str, database: int) -> Access:
    return Access(unquote(username) or None, unquote(password) or None, database)


def _address(text: str, port: int) -> Address:
    host, colon, given = text.rpartition(":")
    if text.endswith("]") or not colon:
        host, given = text, str(port)
    if not host.strip("[]"):
        raise ValueError("no host")
    return host.strip("[]"), int(given)
