"""`docs/records.md`: its example is a real record, and what it says is enough to write a checker."""

import hashlib
import hmac
import re
from collections.abc import Iterator
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import get_args

import pytest

from protocol.table_events import Minded, Stood
from server.table import acts
from server.table.text import _WRITE
from server.table.verify import verify

PAGE = (Path(__file__).parents[3] / "docs" / "records.md").read_text(encoding="utf-8")


@pytest.fixture
def example() -> str:
    found = re.search(r'```\n(\[Game "scout"\]\n.*?)```\n', PAGE, re.DOTALL)
    assert found is not None
    return found[1]


def test_the_example_holds(example: str) -> None:
    verified = verify(example)
    assert (verified.deals, len(verified.heads)) == (2, 29)
    assert verified.table.game.points == (-19, 7)


def test_its_commands_name_heads_of_the_example(example: str) -> None:
    for version, head in re.findall(r"--head (\d+):(\w+)…", PAGE):
        assert f"; head {version} {head}" in example


def test_every_line_of_a_table_is_explained() -> None:
    words = {word for row in re.findall(r"^\| `(\w+)", PAGE, re.MULTILINE) for word in [row]}
    assert {kind.__struct_config__.tag for kind in _WRITE} - {"closed"} <= words
    for event, act in ((Stood, acts.Stood), (Minded, acts.Minded)):
        reasons = get_args(event.__annotations__["reason"])
        assert reasons == get_args(act.__annotations__["reason"])
        assert all(f"`{reason}`" in PAGE for reason in reasons)


class Checker:
    """Written from the page alone: nothing of the server, the engine or the protocol is used."""

    def __init__(self, text: str) -> None:
        header, body = text.split("\n\n")
        self.tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', header, re.MULTILINE))
        self.rows = body.removesuffix("\n").split("\n")
        self.seed = bytes.fromhex(self.tags["Seed"])
        self.nonces = [bytes.fromhex(nonce) for nonce in re.findall(r"revealed \d (\w+)", body)]

    def entries(self) -> Iterator[tuple[str, str]]:
        """The text of each entry, and its head."""
        lines: list[str] = []
        for row in self.rows[:-1]:
            if row.startswith("; head"):
                yield "\n".join(lines), row.split()[-1]
                lines = []
            else:
                lines.append(row)

    def heads(self) -> Iterator[str]:
        created = round(datetime.fromisoformat(self.tags["Created"]).timestamp() * 1000).to_bytes(8, "big")
        table, commitment = self.tags["Table"].encode(), bytes.fromhex(self.tags["Commitment"])
        head = hashlib.sha256(b"bigtop" + table + commitment + created).digest()
        for i, (text, _) in enumerate(self.entries(), 1):
            salt = hmac.new(self.seed, b"salt" + i.to_bytes(8, "big"), "sha256").digest()
            leaf = hashlib.sha256(salt + text.encode()).digest()
            head = hashlib.sha256(head + leaf).digest()
            yield head.hex()

    def picks(self, deal: int) -> Iterator[int]:
        def part(data: bytes) -> bytes:
            return len(data).to_bytes(2, "big") + data

        after = part(self.tags["Table"].encode()) + b"".join(map(part, self.nonces))
        for c in count():
            message = part(b"chance %d" % deal) + part(c.to_bytes(8, "big")) + after
            yield int.from_bytes(hmac.new(self.seed, message, "sha256").digest()[:8], "big")

    def first_deal_of_two(self) -> str:
        numbers = self.picks(1)

        def pick(n: int) -> int:
            return next(number for number in numbers if number < 2**64 - 2**64 % n) % n

        cards = [(low, high) for low in range(1, 11) for high in range(low + 1, 11) if (low, high) != (9, 10)]
        for i in range(len(cards) - 1, 0, -1):
            j = pick(i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        turned = [f"{high}/{low}" if pick(2) else f"{low}/{high}" for low, high in cards]
        start = "AB"[pick(2)]
        ada, ben, kept = (" ".join(turned[begin:end]) for begin, end in ((0, 11), (11, 22), (22, 44)))
        return f"* deal {start} {ada} | {ben} | keeping {kept} ;"


def test_the_page_is_enough_for_the_commitment_and_the_heads(example: str) -> None:
    checker = Checker(example)
    assert hashlib.sha256(checker.seed).hexdigest() == checker.tags["Commitment"]
    assert list(checker.heads()) == [head for _, head in checker.entries()]


def test_the_page_is_enough_for_the_nonces(example: str) -> None:
    checker = Checker(example)
    committed = re.findall(r"readied \d (\w+)", example)
    assert [hashlib.sha256(nonce).hexdigest() for nonce in checker.nonces] == committed


def test_the_page_is_enough_for_the_deals(example: str) -> None:
    checker = Checker(example)
    assert checker.first_deal_of_two() in example
    kept = re.findall(r"keeping (.*) ;", example)[0].split()
    assert f"* deal B {' '.join(kept[:11])} | {' '.join(kept[11:])} | ;" in example
