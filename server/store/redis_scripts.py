"""The scripts that Redis runs for `RedisStore`. Each is a file beside this one, and says there what it takes."""

import hashlib
from pathlib import Path
from typing import NamedTuple

from server.store.redis_wire import pack


class Script(NamedTuple):
    """Attributes: `source`, and the `digest` by which Redis knows it once it was loaded."""

    source: bytes
    digest: bytes

    def call(self, *keys: bytes, args: tuple[bytes | int, ...] = ()) -> bytes:
        """The command that runs it."""
        return pack((b"EVALSHA", self.digest, len(keys), *keys, *args))

    def call_whole(self, *keys: bytes, args: tuple[bytes | int, ...] = ()) -> bytes:
        """The command that runs it where Redis has forgotten it."""
        return pack((b"EVAL", self.source, len(keys), *keys, *args))


def _script(name: str) -> Script:
    source = Path(__file__).with_name(f"redis_{name}.lua").read_bytes()
    return Script(source, hashlib.sha1(source, usedforsecurity=False).hexdigest().encode())


COMMIT = _script("commit")
DELETE = _script("delete")
HEADS = _script("heads")
BEAT = _script("beat")
PULSE = _script("pulse")
INTEND = _script("intend")
SEAT = _script("seat")
RENAME = _script("rename")
ALL = (COMMIT, DELETE, HEADS, BEAT, PULSE, INTEND, SEAT, RENAME)
