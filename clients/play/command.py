"""`bigtop play`: a small line-based game in the terminal."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from clients.address import Place, target
from clients.client import Client, connect
from clients.errors import BadAddress, Refused
from clients.play.game import Game
from clients.running import complain, run
from clients.terminal.connection import telling_connection
from clients.terminal.lines import typed_lines
from clients.terminal.telling import Teller
from clients.tokens import TokenFile, token_file_for
from protocol.errors import ALREADY_SEATED
from protocol.options import TableOptions
from protocol.values import DEFAULT_MOVE_SECONDS, MAX_SEATS

DEFAULT_SEATS: Final = 4


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
    parser.add_argument("--no-limit", action="store_true", help="with --new or --bots: no limit for a move")
    parser.add_argument("--name", default=None, help="how you are called")
    parser.add_argument("--invite", default=None, help="the invite code of a private table")
    parser.add_argument("--url", default=None, help="the server (BIGTOP_URL, else ws://127.0.0.1:8765/ws)")
    parser.add_argument("--token-file", type=Path, default=None, help="where to keep who you are")
    return parser


def main(argv: Sequence[str]) -> int:
    """Run the command; its exit code."""
    arguments = parser().parse_args(argv)
    try:
        url, where = target(arguments.table, arguments.url, arguments.invite)
    except BadAddress as error:
        return complain(error)
    if (where is not None) + arguments.new + (arguments.bots is not None) + arguments.quick > 1:
        parser().error("name a table, or one of --new, --bots and --quick")

    async def work() -> int:
        file = TokenFile(arguments.token_file) if arguments.token_file else token_file_for(url)
        teller = Teller()
        client = connect(url, name=arguments.name, token=file.get(0), on_token=lambda token: file.put(0, token))
        async with client, telling_connection(client, teller.say):
            table, invite = await _table(client, arguments, where)
            teller.say(f"You are {client.name}, at table {table}.")
            if arguments.new or arguments.bots:
                teller.say(f"Others join or watch by this link: {client.link(table, invite)}")
            return await Game(client, table, teller).play(typed_lines())

    return run(work)


async def _table(client: Client, arguments: argparse.Namespace, where: Place | None) -> tuple[str, str | None]:
    """Sit down; the table and its invite code."""
    if where is not None:
        return await _join(client, where), where.invite
    running = [table.table for table in client.tables if table.status not in ("over", "closed")]
    made = arguments.new or arguments.bots is not None
    if not made and not arguments.quick and running:
        return running[0], None
    if not made:
        done = await client.quick(arguments.seats)
    else:
        options = TableOptions(
            seats=max(arguments.seats or (DEFAULT_SEATS if arguments.new else 0), (arguments.bots or 0) + 1),
            private=arguments.private,
            move_seconds=None if arguments.no_limit else DEFAULT_MOVE_SECONDS,
        )
        done = await client.create(options, seat=0, bots=arguments.bots or 0, level=arguments.level)
    assert done.table is not None
    return done.table, done.invite


async def _join(client: Client, where: Place) -> str:
    try:
        await client.sit(where.table, invite=where.invite)
    except Refused as refused:
        if refused.code != ALREADY_SEATED.code:
            raise
        await client.watch(where.table, where.invite)
    return where.table
