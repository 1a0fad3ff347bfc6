"""The client's own part of every shuffle: a commitment with `ready`, the nonce when all have committed."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from protocol.pushes import View


@dataclass(slots=True)
class _Nonce:
    nonce: bytes
    commitment: str
    told: bool = False


class Nonces:
    """The nonces of one player at all tables."""

    def __init__(self, make: Callable[[int], bytes]) -> None:
        self._make = make
        self._nonces: dict[str, _Nonce] = {}

    def commit(self, table: str) -> str:
        """A commitment to a new nonce. Until that was told, the commitment for a table stays the same."""
        known = self._nonces.get(table)
        if known is None or known.told:
            nonce = self._make(32)
            known = self._nonces[table] = _Nonce(nonce, sha256(nonce).hexdigest())
        return known.commitment

    def reveal(self, view: View) -> str | None:
        """The nonce in hexadecimal, when the table asks for it and it was not told before."""
        known = self._nonces.get(view.table)
        if known is None or known.told or view.status != "revealing" or view.you is None:
            return None
        if view.seats[view.you].commitment != known.commitment:
            return None
        known.told = True
        return known.nonce.hex()

    def forget(self, table: str) -> None:
        """Drop what belongs to a table."""
        self._nonces.pop(table, None)

    def clear(self) -> None:
        """Drop everything, for a new player."""
        self._nonces.clear()
