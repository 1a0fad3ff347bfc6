"""`bigtop play`: a small line-based game in the terminal."""

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Final

from clients.address import Place, target
from clients.bots.strategies import check_level
from clients.client import Client, connect
from clients.errors import ClientError, Refused
from clients.play.game import Game
from clients.play.options import misfit, parser, table_options
from clients.running import complain, run
from clients.terminal.connection import telling_connection
from clients.terminal.lines import typed_lines
from clients.terminal.telling import Teller
from clients.tokens import TokenFile, token_file_for
from protocol.errors import ALREADY_SEATED

SITS: Final = "You already sit at this table; to be a second player here, use --token-file FILE."


def main(argv: Sequence[str]) -> int:
    """Run the command; its exit code."""
    arguments = parser().parse_args(argv)
    try:
        url, where = target(arguments.table, arguments.url, arguments.invite)
        check_level(arguments.level)
    except ClientError as error:
        return complain(error)
    if wrong := misfit(arguments, named=where is not None):
        parser().error(wrong)

    async def work() -> int:
        file = TokenFile(arguments.token_file) if arguments.token_file else token_file_for(url)
        teller = Teller()
        client = connect(url, name=arguments.name, token=file.get(0), on_token=lambda token: file.put(0, token))
        async with client, telling_connection(client, teller.say):
            table, invite = await _table(client, arguments, where, teller.say)
            teller.say(f"You are {client.name}, at table {table}.")
            if arguments.new or arguments.bots:
                teller.say(f"Others join or watch by this link: {client.link(table, invite)}")
            lasting = teller.terminal and sys.stdin.isatty()
            return await Game(client, table, teller, lasting=lasting).play(typed_lines())

    return run(work)


async def _table(
    client: Client, arguments: argparse.Namespace, where: Place | None, say: Callable[[str], None]
) -> tuple[str, str | None]:
    """Sit down; the table and its invite code."""
    if where is not None:
        return await _join(client, where, say), where.invite
    running = [table.table for table in client.tables if table.status not in ("over", "closed")]
    made = arguments.new or arguments.bots is not None
    if not made and not arguments.quick and running:
        return running[0], None
    if not made:
        done = await client.quick(arguments.seats)
    else:
        bots = arguments.bots or 0
        done = await client.create(table_options(arguments), seat=0, bots=bots, level=arguments.level)
    assert done.table is not None
    return done.table, done.invite


async def _join(client: Client, where: Place, say: Callable[[str], None]) -> str:
    """Sit down at a table, or look at it from the seat that one has there."""
    sits = any(table.table == where.table for table in client.tables)
    if not sits:
        try:
            await client.sit(where.table, invite=where.invite)
        except Refused as refused:
            if refused.code != ALREADY_SEATED.code:
                raise
            sits = True
    if sits:
        say(SITS)
        await client.watch(where.table, where.invite)
    return where.table
