"""Checking a record with nothing but the record: every deal, move, score and head is worked out again.

What this shows: the server was bound to the seed before anybody chose a nonce, the deals follow from both, every move
was legal, the scores are right, and the heads that were shown during play belong to exactly these lines. A client that
kept a head can name it, and a record that was rewritten since does not reach it.
"""

from collections.abc import Mapping
from datetime import datetime
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
from server.table.record import head_line, whole
from server.table.state import Table
from server.table.text import act_line, entry_text


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
        raise WrongRecord(wrong.line, wrong.message) from None
    checker = _Checker(dict(record.tags), seen or {})
    for index, line in enumerate(record.moves):
        checker.line(record.line(index), line)
    return checker.close(record, text)


class _Checker:
    """Goes through the lines of a record once, entry by entry."""

    def __init__(self, header: dict[str, str], seen: Mapping[int, str]) -> None:
        self._seen = seen
        try:
            self._id = header["Table"]
            self._seed = bytes.fromhex(header["Seed"])
            self._created = round(datetime.fromisoformat(header["Created"]).timestamp() * 1000)
        except (KeyError, ValueError):
            raise WrongRecord(1, "the header does not tell Table, Created and Seed") from None
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
            read = read_line(line, self._seed)
        except UnreadableLine as wrong:
            raise WrongRecord(number, str(wrong)) from None
        if act_line(*read) != line:
            raise WrongRecord(number, "this is not how such a line is written")
        if read.number != self._version + 1:
            raise WrongRecord(number, f"entry {self._version + 1} should stand here")
        if self._pending and self._pending[0][1].after_ms != read.after_ms:
            raise WrongRecord(number, "an entry happens at one time")
        self._pending.append((number, read))

    def _entry_ends(self, number: int, line: RecordLine) -> None:
        if not self._pending:
            raise WrongRecord(number, "a head follows on an entry")
        version = self._version + 1
        first, opening = self._pending[0]
        at = self._created + opening.after_ms
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
            if isinstance(act, acts.Created) and (read.after_ms or commit(self._seed) != act.commitment):
                raise Impossible("the seed does not fit the commitment")
            if isinstance(act, acts.Moved):
                self._moves += 1
            if table is not None and isinstance(act, acts.Chance):
                self._deals += 1
                if act != chance(table):
                    raise Impossible("this is not what the seed and the nonces deal")
            if table is not None and isinstance(act, acts.Revealed):
                _check_nonce(table, act)
            return change(self._id, table, act, at)
        except (Impossible, MoveError, IndexError, ValueError, TypeError, AttributeError) as wrong:
            raise WrongRecord(number, str(wrong) or "this cannot happen here") from None

    def close(self, record: Record, text: str) -> Verified:
        """Check what follows from the whole: the header, the totals, and how all of it is written."""
        table = self._table
        if self._pending:
            raise WrongRecord(self._pending[0][0], "no head stands after this entry")
        last = record.line(len(record.moves))
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
            if version > len(self._heads):
                raise WrongRecord(last, f"during play a version {version} was shown, which the record lacks")
        return Verified(table, self._deals, self._moves, tuple(self._heads))


def _check_nonce(table: Table, act: acts.Revealed) -> None:
    if commit(act.nonce) != table.seats[act.seat].commitment:
        raise Impossible("the nonce does not fit the commitment")
