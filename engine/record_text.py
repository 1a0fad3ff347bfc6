"""The lines of a record: how they are read and written. What they mean is the business of `engine.record`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.errors import RecordError
from engine.game import CHANCE

MAX_CHARACTERS: Final = 4_000_000
"""No longer text is read."""

COUNTS: Final = frozenset("123456789")
"""How a number of players may be written."""

_ACTORS: Final = {letter: seat for seat, letter in enumerate("ABCDE")} | {"*": CHANCE}
_LETTERS: Final = {seat: letter for letter, seat in _ACTORS.items()}
_TAG: Final = re.compile(r'\[([A-Za-z][A-Za-z0-9_]{0,39}) "((?:[^"\\]|\\["\\])*)"\]')
_KEY: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
_NUMBERED: Final = re.compile(r"([1-9][0-9]{0,8})\.(?: (.*))?")
_TOTALS: Final = re.compile(r"=((?: (?:0|-?[1-9][0-9]{0,8}))+)")
_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_COMMENT: Final = re.compile(r"(?:^|(?<= ));")

Head = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class RecordLine:
    """One line after the header.

    Attributes:
        number: the number of the entry in the table's log, from 1; several lines may share one, none goes back. `None`
            for a comment that belongs to no entry.
        actor: the seat that moved, or `engine.game.CHANCE`; `None` on a line without a move.
        move: the notation of the move; empty on a line without one.
        comment: what stands after the semicolon, without spaces around it; `None` if there is no semicolon.
    """

    number: int | None = None
    actor: int | None = None
    move: str = ""
    comment: str | None = None

    def __str__(self) -> str:
        """The line as it stands in a record."""
        words = [] if self.number is None else [f"{self.number}."]
        if self.actor is not None:
            words += [_LETTERS[self.actor], self.move]
        if self.comment is not None:
            words.append(f"; {self.comment}".rstrip(" "))
        return " ".join(words)


def parse(text: str) -> tuple[Head, tuple[RecordLine, ...], tuple[int, ...] | None]:
    """Header, lines and totals. Raises `RecordError`."""
    if len(text) > MAX_CHARACTERS:
        raise RecordError(1, f"a record has at most {MAX_CHARACTERS} characters")
    rows = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
    for line, row in enumerate(rows, start=1):
        if _has_controls(row):
            raise RecordError(line, "there is a control character")
    end = rows.index("") if "" in rows else len(rows)
    head = _parse_head(rows[:end])
    rest = rows[end + 1 :]
    totals = None
    if rest and (found := _TOTALS.fullmatch(rest[-1])):
        totals = tuple(map(int, found[1].split()))
        rest.pop()
    lines = []
    last = 1
    for line, row in enumerate(rest, start=end + 2):
        parsed = _parse_line(line, row)
        if parsed.number is not None:
            if parsed.number < last:
                raise RecordError(line, "the numbers of the entries must not go back")
            last = parsed.number
        lines.append(parsed)
    return head, tuple(lines), totals


def write(head: Sequence[tuple[str, str]], lines: Sequence[RecordLine], totals: tuple[int, ...] | None) -> str:
    """The text, which `parse` reads back. Raises `ValueError` for what it would not."""
    keys = [key for key, _ in head]
    if not all(map(_KEY.fullmatch, keys)) or len(set(keys)) < len(keys):
        raise ValueError("the keys of the header are not distinct words")
    rows = [f'[{key} "{_escape(value)}"]' for key, value in head]
    rows.append("")
    try:
        rows += map(str, lines)
        if totals is not None:
            rows.append(" ".join(["=", *map(str, totals)]))
        text = "\n".join(rows) + "\n"
        same = parse(text) == (tuple(head), tuple(lines), totals)
    except (KeyError, RecordError) as error:
        raise ValueError(f"this cannot be part of a record: {error}") from error
    if not same:
        raise ValueError("a move or comment cannot be part of a record as it is")
    return text


def _parse_head(rows: list[str]) -> Head:
    head: dict[str, str] = {}
    for line, row in enumerate(rows, start=1):
        tag = _TAG.fullmatch(row)
        if tag is None:
            raise RecordError(line, 'a header line is written [Key "value"]')
        if tag[1] in head:
            raise RecordError(line, f"{tag[1]} is there twice")
        head[tag[1]] = re.sub(r"\\(.)", r"\1", tag[2])
    return tuple(head.items())


def _parse_line(line: int, row: str) -> RecordLine:
    comment = None
    cut = _COMMENT.search(row)
    if cut is not None:
        row, comment = row[: cut.start()], row[cut.end() :].strip(" ")
        if not row:
            return RecordLine(comment=comment)
    numbered = _NUMBERED.fullmatch(row.rstrip(" "))
    if numbered is None:
        raise RecordError(line, "a line is written: the number of the entry and a dot, the actor, the move")
    number, rest = int(numbered[1]), (numbered[2] or "").strip(" ")
    if not rest:
        if comment is None:
            raise RecordError(line, "there is neither a move nor a comment")
        return RecordLine(number, comment=comment)
    actor, _, move = rest.partition(" ")
    move = move.strip(" ")
    if actor not in _ACTORS or not move:
        raise RecordError(line, "a move has an actor, A to E or * for chance, and a notation")
    return RecordLine(number, _ACTORS[actor], move, comment)


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _has_controls(row: str) -> bool:
    """Whether there is a control character, a line separator, or half of a surrogate pair, which no file can hold."""
    return not row.isprintable() and _CONTROL.search(row) is not None
