"""Where the server's randomness comes from."""

import secrets
from itertools import count

import pytest

from server.hub import ids


def test_no_random_byte_is_given_out_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = count()
    monkeypatch.setattr(secrets, "token_bytes", lambda size: bytes(next(numbers) % 251 for _ in range(size)))
    entropy = type(ids.system_entropy)()
    sizes = [8, 32, ids.RESERVE - 41, 8, 1, ids.RESERVE + 1, 8]
    drawn = [entropy(size) for size in sizes]
    assert [len(data) for data in drawn] == sizes
    starts = [0, 8, 40, ids.RESERVE, ids.RESERVE + 8, 2 * ids.RESERVE, 3 * ids.RESERVE + 1]
    assert [data[0] for data in drawn] == [start % 251 for start in starts]
