"""Puts the server together."""

from server.hub.hub import TableHub
from server.hub.peer import Hub
from server.settings import Settings
from server.store.base import Store
from server.store.memory import MemoryStore
from server.store.redis import RedisStore
from server.store.sqlite import SqliteStore

DAY_MS = 86_400_000


def build_hub(settings: Settings, house_key: str) -> Hub:
    """The hub with its store, not started yet."""
    return TableHub(build_store(settings), house_key=house_key, retention_ms=settings.keep_days * DAY_MS)


def build_store(settings: Settings) -> Store:
    """The store that the settings name."""
    if settings.redis:
        return RedisStore(settings.redis, lossy=settings.lossy_redis)
    return MemoryStore() if settings.memory else SqliteStore(settings.store)
