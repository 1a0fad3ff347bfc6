"""`bigtop verify`: checks the record of a match, with nothing but the record."""

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from server.table.record import SEAT_LETTERS, outcome_of
from server.table.verify import Verified, WrongRecord, verify

EXIT_WRONG = 1
EXIT_UNREADABLE = 2

_HEAD = re.compile(r"([1-9][0-9]{0,8}):([0-9a-f]{64})")


def main(argv: Sequence[str]) -> int:
    """Check a record. Returns 0 if it holds, 1 if it does not, and 2 if there is none to be read."""
    arguments = _parser().parse_args(argv)
    try:
        text = _text(arguments.record)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        print(f"bigtop verify: Cannot read {arguments.record}: {reason}.", file=sys.stderr)
        return EXIT_UNREADABLE
    try:
        verified = verify(text, _seen(arguments.head))
    except WrongRecord as wrong:
        print(f"wrong: {wrong}")
        return EXIT_WRONG
    print(_report(verified, len(set(arguments.head))))
    return 0


def _text(file: str) -> str:
    data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    return data.decode("utf-8").replace("\r\n", "\n")


def _seen(heads: Sequence[tuple[int, str]]) -> dict[int, str]:
    """The heads by version. A server that showed two for one version has changed its log, whatever the record says."""
    seen: dict[int, str] = {}
    for version, head in heads:
        if seen.setdefault(version, head) != head:
            raise WrongRecord(1, f"during play two heads were shown for version {version}")
    return seen


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bigtop verify",
        description="Work out every deal, move, score and head of a match again, and tell the first wrong line.",
        epilog="Exit code: 0 if the record holds, 1 if it does not, 2 if it cannot be read.",
    )
    parser.add_argument("record", metavar="FILE", help="the record, as served at /records/TABLE; - for standard input")
    parser.add_argument(
        "--head",
        metavar="VERSION:HEX",
        type=_head,
        action="append",
        default=[],
        help="a head that you were shown during play; may be given many times",
    )
    return parser


def _head(text: str) -> tuple[int, str]:
    match = _HEAD.fullmatch(text.lower())
    if match is None:
        raise argparse.ArgumentTypeError("a head is a version, a colon and 64 hexadecimal digits")
    return int(match[1]), match[2]


def _report(verified: Verified, seen: int) -> str:
    table = verified.table
    outcome = outcome_of(table)
    results = ", ".join(
        f"{letter} {seat.name} {score}"
        for letter, seat, score in zip(SEAT_LETTERS, table.seats, outcome.scores, strict=False)
    )
    heads = f"{len(verified.heads)} heads" + (f", {seen} of them as they were shown to you" if seen else "")
    return (
        f"right: {verified.deals} deals follow from the seed and the nonces, {verified.moves} moves are legal, "
        f"{heads}\nresult: {results}"
    )
