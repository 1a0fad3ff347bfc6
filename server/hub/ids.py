"""New ids and secrets. All randomness of the server comes from here, and so from the operating system.

A test injects an `Entropy` of its own to get the same ones twice.
"""

import hashlib
import secrets
from collections.abc import Callable
from typing import Final

Entropy = Callable[[int], bytes]
"""So many random bytes."""

BUCKETS: Final = 64
_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"


RESERVE: Final = 4096


class _Reserve:
    """Random bytes from the operating system, fetched many at a time: each call of it costs as much as a small view."""

    def __init__(self) -> None:
        self._bytes = b""
        self._at = 0

    def __call__(self, size: int) -> bytes:
        if self._at + size > len(self._bytes):
            self._bytes, self._at = secrets.token_bytes(max(RESERVE, size)), 0
        self._at += size
        return self._bytes[self._at - size : self._at]


system_entropy: Final = _Reserve()
"""The randomness of the server, unless a test brings its own."""


def _letters(data: bytes) -> str:
    return "".join(_ALPHABET[byte % 32] for byte in data)


def table_id(data: bytes) -> str:
    """A table's public id from 11 bytes: the two digits of its bucket, and ten letters."""
    return f"{data[0] % BUCKETS:02d}{_letters(data[1:11])}"


def new_table_id(entropy: Entropy) -> str:
    """A new table's id."""
    return table_id(entropy(11))


def rematch_id(seed: bytes, table: str) -> str:
    """The id of a table's rematch: always the same one, and nobody can guess it from outside."""
    return table_id(hashlib.sha256(b"rematch" + seed + table.encode()).digest())


def new_player_id(entropy: Entropy) -> str:
    """A new player's public id."""
    return _letters(entropy(16))


def new_invite(entropy: Entropy) -> str:
    """A code for a private table or its record: 60 bits, in three groups that can be read out."""
    letters = _letters(entropy(12))
    return f"{letters[:4]}-{letters[4:8]}-{letters[8:]}"


def new_token(entropy: Entropy) -> str:
    """A new player's secret."""
    return entropy(24).hex()


def token_hash(token: str) -> bytes:
    """What is stored of a token."""
    return hashlib.sha256(token.encode()).digest()
