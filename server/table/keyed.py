"""HMAC-SHA256 without a moment in which the interpreter is free for another thread.

`hmac.digest` lets go of the interpreter lock for two microseconds of work; where another thread waits for the lock, as
the one that writes for the store does, getting it back takes ten times as long.
"""

import hashlib
from typing import Final

_BLOCK: Final = 64
_INNER: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER: Final = bytes(byte ^ 0x5C for byte in range(256))


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """RFC 2104; for messages of less than two thousand bytes."""
    block = (key if len(key) <= _BLOCK else hashlib.sha256(key).digest()).ljust(_BLOCK, b"\0")
    inner = hashlib.sha256(block.translate(_INNER) + message).digest()
    return hashlib.sha256(block.translate(_OUTER) + inner).digest()
