"""Where every shuffle comes from, so that anybody can do it again once the seed is shown.

Draw number c of a purpose is the first 8 bytes, as a big-endian number, of

    HMAC-SHA256(seed, purpose || c || table || nonces)

with every part preceded by its length in two bytes, and c in eight. `pick(n)` takes the remainder by n, and passes over
numbers at the top of the range that would favour small remainders.
"""

from collections.abc import Sequence

from server.table.keyed import hmac_sha256

_RANGE = 1 << 64


def _part(data: bytes) -> bytes:
    return len(data).to_bytes(2, "big") + data


class Draws:
    """The numbers for one purpose, for example ``chance 1``, in order.

    Attributes:
        drawn: how many numbers were taken from the stream, those passed over included.
    """

    __slots__ = ("_key", "_prefix", "_suffix", "drawn")

    def __init__(self, seed: bytes, nonces: Sequence[bytes | None], table: str, purpose: str) -> None:
        self._key = seed
        self._prefix = _part(purpose.encode())
        self._suffix = _part(table.encode()) + b"".join(_part(nonce or b"") for nonce in nonces)
        self.drawn = 0

    def pick(self, n: int) -> int:
        """A number from 0 to n - 1, each as likely as the others; n is at most 2 ** 64."""
        if not 0 < n <= _RANGE:
            raise ValueError(f"nothing can be drawn from {n} numbers")
        limit = _RANGE - _RANGE % n
        while True:
            counter = _part(self.drawn.to_bytes(8, "big"))
            self.drawn += 1
            number = int.from_bytes(hmac_sha256(self._key, self._prefix + counter + self._suffix)[:8], "big")
            if number < limit:
                return number % n
