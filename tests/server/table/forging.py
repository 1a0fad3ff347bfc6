"""Records that somebody has changed: by hand, or as the server could, which knows the seed and makes the heads fit."""

import re
from collections.abc import Callable

import pytest

from server.table.chain import commit, first_head, next_head
from server.table.record import read_time
from server.table.verify import Verified, WrongRecord, verify


def header(text: str, key: str) -> str:
    found = re.search(rf'^\[{key} "(.*)"\]$', text, re.MULTILINE)
    assert found is not None
    return found[1]


def resealed(text: str) -> str:
    """The record with heads that fit its lines, whatever they say."""
    rows = text.split("\n")
    start = rows.index("") + 1
    seed = bytes.fromhex(header(text, "Seed"))
    head = first_head(header(text, "Table"), commit(seed), read_time(header(text, "Created")))
    lines: list[str] = []
    entry = 0
    for number in range(start, len(rows)):
        if rows[number].startswith("; head"):
            entry += 1
            head = next_head(head, seed, entry, "\n".join(lines))
            rows[number] = f"; head {entry} {head.hex()}"
            lines = []
        else:
            lines.append(rows[number])
    return "\n".join(rows)


def with_line(text: str, find: str, change: Callable[[str], str | None]) -> tuple[str, int]:
    """The record with its first line that matches changed, or left out; and that line's number."""
    rows = text.split("\n")
    number = next(i for i, row in enumerate(rows) if re.search(find, row))
    row = change(rows[number])
    rows[number : number + 1] = [] if row is None else row.split("\n")
    return "\n".join(rows), number + 1


def is_wrong(text: str, match: str | None = None, seen: dict[int, str] | None = None) -> int:
    """The first wrong line of a record that must not hold."""
    with pytest.raises(WrongRecord, match=match) as caught:
        verify(text, seen)
    assert 1 <= caught.value.line <= text.count("\n") + 1
    assert caught.value.message in str(caught.value)
    return caught.value.line


def holds(text: str, seen: dict[int, str] | None = None) -> Verified:
    return verify(text, seen)


def entry_of(text: str, line: int) -> tuple[int, int]:
    """The first and the last line of the entry that a line of the body belongs to."""
    rows = text.split("\n")
    first = last = line
    while first > rows.index("") + 2 and not rows[first - 2].startswith("; head"):
        first -= 1
    while last < len(rows) and not rows[last - 1].startswith(("; head", "=")):
        last += 1
    return first, last
