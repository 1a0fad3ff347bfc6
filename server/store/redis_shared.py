"""What the parts of `RedisStore` work on."""

from abc import ABC, abstractmethod

from server.store.redis_keys import Keys
from server.store.redis_servers import Servers


class RedisPart(ABC):
    """A part of the store."""

    _keys: Keys
    _me: bytes
    """What tells this process from others where it says something to all of them."""

    @abstractmethod
    def _ready(self) -> Servers:
        """Raise `StoreError` unless the store is open."""

    @abstractmethod
    def now(self) -> int: ...

    @abstractmethod
    def grace_until(self) -> int: ...
