"""The chain of a table's log: what was shown during play binds the record that is shown afterwards.

    salt(i) = HMAC-SHA256(seed, "salt" || i)
    leaf(i) = SHA-256(salt(i) || text of entry i, as in the record)
    head(i) = SHA-256(head(i - 1) || leaf(i)),  head(0) = SHA-256("bigtop" || table || commitment || created)

Entries count from 1; i and the time of creation (milliseconds since 1970) are written in eight bytes, big-endian. The
salt keeps a leaf from telling anything about its entry while the seed is secret; once the seed is out, everybody can
recompute every head from the record.
"""

import hashlib

from server.table.keyed import hmac_sha256


def commit(secret: bytes) -> bytes:
    """What is published of a secret that is shown later."""
    return hashlib.sha256(secret).digest()


def first_head(table: str, commitment: bytes, created: int) -> bytes:
    """The head of a log without entries."""
    return hashlib.sha256(b"bigtop" + table.encode() + commitment + created.to_bytes(8, "big")).digest()


def next_head(head: bytes, seed: bytes, index: int, text: str) -> bytes:
    """The head after entry number `index`, whose text in the record is `text`."""
    salt = hmac_sha256(seed, b"salt" + index.to_bytes(8, "big"))
    leaf = hashlib.sha256(salt + text.encode()).digest()
    return hashlib.sha256(head + leaf).digest()
