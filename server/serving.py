"""Serves in this process."""

import gc
import socket
from collections.abc import Callable

import structlog

from server import wiring
from server.settings import Settings
from server.store.base import StoreError
from server.web.run import RECONNECT_MS, run
from server.web.site import read_site
from server.web.sockets import SocketOptions

log = structlog.get_logger()

OBJECTS_BETWEEN_COLLECTIONS = 10_000


class StartError(Exception):
    """The server cannot start; the message is a sentence for the operator."""


async def serve_here(
    settings: Settings, house_key: str, listener: socket.socket, on_started: Callable[[], None]
) -> None:
    """Serve until a signal comes. Raises `StartError`."""
    hub = wiring.build_hub(settings, house_key)
    try:
        await hub.start()
    except StoreError as error:
        raise StartError(_sentence(str(error))) from error
    if (reason := await hub.check()) is not None:
        log.warning("not_ready", reason=reason)
    options = SocketOptions(
        house_key=house_key,
        connections=settings.connections,
        commands_per_second=settings.rate,
        burst=settings.burst,
        public_url=settings.public_url,
    )
    site = read_site()
    _collect_seldom()
    # Where tables are shared, somebody else serves them at once.
    await run(hub, listener, options, on_started, site=site, reconnect_ms=0 if settings.redis else RECONNECT_MS)


def _collect_seldom() -> None:
    """Look for cycles less often than Python does by itself, and not in what was there from the start.

    A move leaves many new objects at its table and none in a cycle; looking through them cost a tenth of the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."
