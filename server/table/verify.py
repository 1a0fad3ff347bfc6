"""Checking a record with nothing but the record: every deal, move, score and head is worked out again.

What this shows: the server was bound to the seed before anybody chose a nonce, the deals follow from both, every move
was legal, the scores are right, and the heads that were shown during play belong to exactly these lines. A client that
kept a head can name it, and a record that was rewritten since does not reach it.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from itertools import zip_longest
from typing import NamedTuple

from engine.errors import MoveError, RecordError
from engine.record import Record, RecordLine
from server.table import acts
from server.table.acts import Entry
from server.table.chain import commit
from server.table.compose import chance
from server.table.fold import Impossible, change, finish
from server.table.read_text import ActLine, UnreadableLine, read_line
from server.table.record import head_line, read_time, whole
from server.table.state import Table
from server.table.text import act_line, entry_text

_ID = re.compile(r"[0-9a-z]{1,64}")
_HEAD = re.compile(r"head ([1-9][0-9]{0,8}) [0-9a-f]{64}")
_BYTES32 = re.compile(r"[0-9a-f]{64}")


class WrongRecord(Exception):
    """A record that does not hold.

    Attributes:
        line: the first wrong line, from 1.
        message: what is wrong with it.
    """

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line
        self.message = message


class Verified(NamedTuple):
    """What a record that holds has shown.

    Attributes:
        table: the table at the end.
        deals: how many deals or shuffles were drawn again.
        moves: how many moves were made again.
        heads: the head after every entry.
    """

    table: Table
    deals: int
    moves: int
    heads: tuple[bytes, ...]


def verify(text: str, seen: Mapping[int, str] | None = None) -> Verified:
    """Check a record. Raises `WrongRecord` for the first wrong line.

    Args:
        seen: heads that were shown during play, in hexadecimal, by version.
    """
    try:
        record = Record.parse(text)
    except RecordError as wrong:
        _check_before(wrong.line, text)
        raise WrongRecord(wrong.line, wrong.message) from None
    return _checked(record, text, seen or {}).close(record, text)


def _checked(record: Record, text: str, seen: Mapping[int, str]) -> "_Checker":
    checker = _Checker(_Header(record, text), seen)
    for index, line in enumerate(record.moves):
        checker.line(record.line(index), line)
    return checker


def _check_before(unreadable: int, text: str) -> None:
    """Raise `WrongRecord` if something is wrong before the line that cannot be read."""
    readable = "\n".join(text.split("\n")[: unreadable - 1])
    with suppress(RecordError):
        _checked(Record.parse(readable), readable, {})


class _Header:
    """What is needed of the header before the first entry."""

    def __init__(self, record: Record, text: str) -> None:
        self._tags = dict(record.tags)
        self._rows = text.split("\n")
        self.table = self._read("Table", _ID)
        self.seed = bytes.fromhex(self._read("Seed", _BYTES32))
        if commit(self.seed).hex() != self._read("Commitment", _BYTES32):
            raise WrongRecord(self._line("Seed"), "the seed does not fit the commitment")
        try:
            self.created = read_time(self._tags.get("Created", ""))
        except (ValueError, OverflowError):
            raise WrongRecord(self._line("Created"), "this is no time as records tell it") from None

    def _line(self, key: str) -> int:
        return next((number for number, row in enumerate(self._rows, 1) if row.startswith(f"[{key} ")), 1)

    def _read(self, key: str, form: re.Pattern[str]) -> str:
        value = self._tags.get(key)
        if value is None:
            raise WrongRecord(1, f"{key} is missing in the header")
        if not form.fullmatch(value):
            raise WrongRecord(self._line(key), f"this is not how {key} is written")
        return value


class _Checker:
    """Goes through the lines of a record once, entry by entry."""

    def __init__(self, header: _Header, seen: Mapping[int, str]) -> None:
        self._header = header
        self._seen = seen
        self._table: Table | None = None
        self._pending: list[tuple[int, ActLine]] = []
        self._deals = self._moves = 0
        self._heads: list[bytes] = []

    @property
    def _version(self) -> int:
        return self._table.version if self._table else 0

    def line(self, number: int, line: RecordLine) -> None:
        """Take the next line of the body."""
        if line.number is None:
            self._entry_ends(number, line)
            return
        try:
            read = read_line(line, self._header.seed)
        except UnreadableLine as wrong:
            raise WrongRecord(number, str(wrong)) from None
        if act_line(*read) != line:
            raise WrongRecord(number, "this is not how such a line is written")
        if read.number != self._version + 1:
            raise WrongRecord(number, f"entry {self._version + 1} should stand here")
        if self._pending and self._pending[0][1].after_ms != read.after_ms:
            raise WrongRecord(number, "an entry happens at one time")
        if self._table is not None and self._header.created + read.after_ms < self._table.changed:
            raise WrongRecord(number, "time does not go back")
        self._pending.append((number, read))

    def _entry_ends(self, number: int, line: RecordLine) -> None:
        head = _HEAD.fullmatch(line.comment or "")
        version = self._version + 1
        if not self._pending or head is None or int(head[1]) != version:
            raise WrongRecord(number, f"entry {version} should stand here, and then its head")
        first, opening = self._pending[0]
        at = self._header.created + opening.after_ms
        table = self._table
        for act_number, read in self._pending:
            table = self._happen(act_number, table, read, at)
        assert table is not None
        entry = Entry(at, "server", tuple(read.act for _, read in self._pending))
        table = finish(table, version, entry_text(entry, table), at)
        if line != head_line(version, table.head):
            raise WrongRecord(first, f"entry {version} does not give the head that stands after it")
        if self._seen.get(version, table.head.hex()) != table.head.hex():
            raise WrongRecord(first, f"during play another head was shown for version {version}")
        self._heads.append(table.head)
        self._table = table
        self._pending = []

    def _happen(self, number: int, table: Table | None, read: ActLine, at: int) -> Table:
        act = read.act
        try:
            if isinstance(act, acts.Created) and (read.after_ms or commit(self._header.seed) != act.commitment):
                raise Impossible("the table is created with the commitment to the seed, at no time but its own")
            if isinstance(act, acts.Moved):
                self._moves += 1
            if isinstance(act, acts.Chance):
                self._deals += 1
            after = change(self._header.table, table, act, at)
            if table is not None and isinstance(act, acts.Chance) and act != chance(table):
                raise Impossible("this is not what the seed and the nonces deal")
            return after
        except (Impossible, MoveError) as wrong:
            raise WrongRecord(number, str(wrong)) from None

    def close(self, record: Record, text: str) -> Verified:
        """Check what follows from the whole: the header, the totals, and how all of it is written."""
        table = self._table
        if self._pending:
            raise WrongRecord(self._pending[0][0], "no head stands after this entry")
        last = min(record.line(len(record.moves)), text.count("\n") + 1)
        if table is None or table.status != "over":
            raise WrongRecord(last, "the match does not end here")
        right = str(whole(table, record.moves))
        rows = zip_longest(text.split("\n"), right.split("\n"), fillvalue="")
        for number, (found, wanted) in enumerate(rows, 1):
            if found != wanted:
                raise WrongRecord(number, f"here should stand: {wanted[:100]}")
        if text != right:
            raise WrongRecord(last, "the record ends with one line end")
        for version in self._seen:
            if not 1 <= version <= len(self._heads):
                raise WrongRecord(last, f"during play a version {version} was shown, which the record lacks")
        return Verified(table, self._deals, self._moves, tuple(self._heads))
