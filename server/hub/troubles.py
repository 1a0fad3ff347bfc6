"""What is done about a store that fails: it is logged and counted, wherever it is noticed."""

from typing import Literal

import structlog

from server import metrics
from server.store.base import StoreError

log = structlog.get_logger()


def store_down(error: StoreError, hit: Literal["command", "background"]) -> None:
    """The store failed under a command, or under what a process does by itself."""
    metrics.store_error(hit)
    log.error("store_down", error=str(error))
