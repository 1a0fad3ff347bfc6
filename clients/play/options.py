"""What `bigtop play` understands, and which options go together."""

import argparse
import re
from pathlib import Path
from typing import Final

from clients.tokens import state_folder
from protocol.options import TableOptions
from protocol.values import DEFAULT_MOVE_SECONDS, MAX_SEATS

DEFAULT_SEATS: Final = 4
SHORTEST: Final = 5
LONGEST: Final = 30 * 86400
_LIMIT: Final = re.compile(r"(\d{1,9})([smhd]?)")
_SECONDS: Final = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}


def parser() -> argparse.ArgumentParser:
    """What the command understands."""
    parser = argparse.ArgumentParser(
        prog="bigtop play",
        description="Plays SCOUT in the terminal. Without a table or --bots it goes on with your running match, "
        "or sits down at a public table.",
    )
    parser.add_argument(
        "table",
        nargs="?",
        metavar="TABLE",
        help="the table to join: its id, or an invite link; else the server's address",
    )
    parser.add_argument("--bots", type=int, choices=range(1, MAX_SEATS), metavar="N", help="a new table with N bots")
    parser.add_argument("--new", action="store_true", help="a new table for people; the others come by its link")
    parser.add_argument("--level", default="", help="with --bots: which kind of bot")
    parser.add_argument("--quick", action="store_true", help="a public table, even if a match of yours is running")
    parser.add_argument("--seats", type=int, choices=range(2, MAX_SEATS + 1), help="for how many players")
    parser.add_argument("--private", action="store_true", help="with --new or --bots: only for those who have the link")
    limits = parser.add_mutually_exclusive_group()
    limits.add_argument(
        "--limit",
        type=_limit,
        default=DEFAULT_MOVE_SECONDS,
        metavar="SECONDS",
        help="with --new or --bots: the limit for a move, for example 90, 2h or 3d; none for no limit "
        f"(default: {DEFAULT_MOVE_SECONDS})",
    )
    limits.add_argument("--no-limit", action="store_true", help="the same as --limit none")
    parser.add_argument("--name", default=None, help="how you are called")
    parser.add_argument("--invite", default=None, help="the invite code of a private table")
    parser.add_argument("--url", default=None, help="the server (BIGTOP_URL, else ws://127.0.0.1:8765/ws)")
    parser.add_argument(
        "--token-file",
        type=Path,
        default=None,
        metavar="FILE",
        help=f"where to keep who you are (default: a file for each server in {_folder()}); "
        "with another file you are another player",
    )
    return parser


def misfit(arguments: argparse.Namespace, *, named: bool) -> str | None:
    """What is wrong with options that do not go together; `named` tells whether a table is named."""
    made = arguments.new or arguments.bots is not None
    if named + arguments.new + (arguments.bots is not None) + arguments.quick > 1:
        return "name a table, or one of --new, --bots and --quick"
    for option, given in (
        ("--private", arguments.private),
        ("--no-limit", arguments.no_limit),
        ("--limit", arguments.limit != DEFAULT_MOVE_SECONDS),
    ):
        if given and not made:
            return f"{option} is for a new table: give --new or --bots, too"
    if arguments.level and arguments.bots is None:
        return "--level is for bots: give --bots, too"
    if named and arguments.seats is not None:
        return "--seats does not apply to a table that is there already"
    if arguments.invite is not None and not named:
        return "--invite is for a table: name it, too"
    if arguments.seats is not None and (arguments.bots or 0) >= arguments.seats:
        return f"--bots {arguments.bots} and you are more than --seats {arguments.seats}"
    return None


def table_options(arguments: argparse.Namespace) -> TableOptions:
    """What a new table is created with."""
    seats = arguments.seats or (DEFAULT_SEATS if arguments.new else arguments.bots + 1)
    limit = None if arguments.no_limit else arguments.limit
    return TableOptions(seats=seats, private=arguments.private, move_seconds=limit)


def _folder() -> str:
    """Where tokens are kept by default, as argparse wants it."""
    try:
        return str(state_folder()).replace("%", "%%")
    except RuntimeError:  # a user without a home
        return "your state folder"


def _limit(text: str) -> int | None:
    """Seconds, or a number with s, m, h or d behind it; `none` for no limit."""
    if text.lower() == "none":
        return None
    found = _LIMIT.fullmatch(text.lower())
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no limit: write for example 90, 2h, 3d or none")
    seconds = int(found[1]) * _SECONDS[found[2]]
    if not SHORTEST <= seconds <= LONGEST:
        raise argparse.ArgumentTypeError("a limit is from 5 seconds to 30 days, or none")
    return seconds
