"""The chain of heads: as documented, over the very lines of the record."""

import hashlib
import hmac

from server.table.chain import commit, first_head, next_head
from server.table.record import record
from tests.server.table.courses import finished
from tests.server.table.desk import ADA, BEN, SEED, START, TABLE

FIRST = "9e2b6a399f993a8b32c6c4ec1748ca25b1ea96a117a9c7c6cd0777ba40873808"
SECOND = "b25f942e3274ccc79095fe23097534c3769e60ff39a83acf9b8d897cd7bcee3c"


def test_golden_heads() -> None:
    assert commit(SEED).hex() == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    first = first_head(TABLE, commit(SEED), START)
    assert first.hex() == FIRST
    assert next_head(first, SEED, 1, "1. ; +0 created").hex() == SECOND


def test_the_heads_follow_from_the_lines_of_the_record() -> None:
    """Written again, with nothing but the text: an own verifier needs no more."""
    desk = finished(ADA, BEN, nonces=True)
    rows = str(record(desk.steps)).split("\n")
    body = rows[rows.index("") + 1 : -2]
    head = hashlib.sha256(b"bigtop" + TABLE.encode() + commit(SEED) + START.to_bytes(8, "big")).digest()
    lines: list[str] = []
    entry = 0
    for row in body:
        if not row.startswith("; head"):
            lines.append(row)
            continue
        entry += 1
        salt = hmac.new(SEED, b"salt" + entry.to_bytes(8, "big"), hashlib.sha256).digest()
        leaf = hashlib.sha256(salt + "\n".join(lines).encode()).digest()
        head = hashlib.sha256(head + leaf).digest()
        assert row == f"; head {entry} {head.hex()}"
        assert head == desk.steps[entry - 1].table.head
        lines = []
    assert entry == len(desk.steps)
    assert not lines
