"""Where every shuffle comes from: as documented, fair, and independent."""

import hashlib
import hmac
from collections import Counter
from itertools import product

import pytest

from engine.scout import Card
from engine.scout.decks import shuffled
from server.table import draws
from server.table.draws import Draws

SEED = bytes(range(32))
NONCES = (b"\xaa" * 32, None, b"\xbb" * 32)
TABLE = "07k3mnpqrstv"
GOLDEN = [2489273409160291490, 6833808971482419105, 6455806587923012459]


def by_the_book(seed: bytes, nonces: tuple[bytes | None, ...], table: str, purpose: str, counter: int) -> int:
    """The docstring of `server.table.draws`, written again."""
    parts = [purpose.encode(), counter.to_bytes(8, "big"), table.encode(), *(nonce or b"" for nonce in nonces)]
    message = b"".join(len(part).to_bytes(2, "big") + part for part in parts)
    return int.from_bytes(hmac.new(seed, message, hashlib.sha256).digest()[:8], "big")


def test_golden_draws() -> None:
    golden = Draws(SEED, NONCES, TABLE, "chance 1")
    assert [golden.pick(2**64) for _ in range(3)] == GOLDEN


@pytest.mark.parametrize("n", [1, 2, 3, 10, 44, 2**32])
def test_the_draws_are_those_of_the_book(n: int) -> None:
    drawn = Draws(SEED, NONCES, TABLE, "chance 2")
    for counter in range(50):
        assert drawn.pick(n) == by_the_book(SEED, NONCES, TABLE, "chance 2", counter) % n
    assert drawn.drawn == 50


@pytest.mark.parametrize("n", range(1, 17))
def test_each_number_is_as_likely_as_the_others(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exactly: of the 16 numbers that a small source gives once each, the same number come to each remainder."""
    numbers = iter(range(16))
    monkeypatch.setattr(draws, "_RANGE", 16)
    monkeypatch.setattr(draws, "hmac_sha256", lambda *_: next(numbers).to_bytes(8, "big") + bytes(24))
    drawn = Draws(SEED, (), TABLE, "any")
    found = Counter(drawn.pick(n) for _ in range(16 // n * n))
    assert found == dict.fromkeys(range(n), 16 // n)


def test_numbers_that_would_favour_some_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = iter([2**64 - 1, 2**64 - 2, 5])
    monkeypatch.setattr(draws, "hmac_sha256", lambda *_: next(numbers).to_bytes(8, "big") + bytes(24))
    drawn = Draws(SEED, (), TABLE, "any")
    assert drawn.pick(2**63 - 1) == 5  # 2 ** 64 leaves a remainder of 2
    assert drawn.drawn == 3


@pytest.mark.parametrize("n", [0, -1, 2**64 + 1])
def test_nothing_is_drawn_from_no_numbers_or_too_many(n: int) -> None:
    with pytest.raises(ValueError, match="nothing can be drawn"):
        Draws(SEED, (), TABLE, "any").pick(n)


def test_a_shuffle_gives_each_order_and_orientation_once() -> None:
    """Over all draws that a small deck can have."""
    cards = (Card(1, 2), Card(1, 3), Card(2, 3))
    ranges = (3, 2, 2, 2, 2)
    found: Counter[tuple[Card, ...]] = Counter()
    for numbers in product(*map(range, ranges)):
        source = iter(numbers)
        asked: list[int] = []

        def pick(n: int, source: object = source, asked: list[int] = asked) -> int:
            asked.append(n)
            return next(source)  # type: ignore[call-overload, no-any-return]  # an iterator of numbers

        found[tuple(shuffled(cards, pick))] += 1
        assert tuple(asked) == ranges
    assert len(found) == 6 * 8
    assert set(found.values()) == {1}


@pytest.mark.parametrize(
    ("seed", "nonces", "table", "purpose"),
    [
        (bytes(32), NONCES, TABLE, "chance 1"),
        (SEED, (b"\xaa" * 32, None, b"\xbc" * 32), TABLE, "chance 1"),
        (SEED, (None, b"\xaa" * 32, b"\xbb" * 32), TABLE, "chance 1"),
        (SEED, (b"\xaa" * 32, b"\xbb" * 32), TABLE, "chance 1"),
        (SEED, NONCES, "07k3mnpqrstw", "chance 1"),
        (SEED, NONCES, TABLE, "chance 2"),
        (SEED, NONCES, TABLE, "chance 11"),
    ],
)
def test_whatever_differs_changes_every_draw(
    seed: bytes, nonces: tuple[bytes | None, ...], table: str, purpose: str
) -> None:
    one = Draws(SEED, NONCES, TABLE, "chance 1")
    other = Draws(seed, nonces, table, purpose)
    assert not {one.pick(2**64) for _ in range(100)} & {other.pick(2**64) for _ in range(100)}
