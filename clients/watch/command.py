"""`bigtop watch`: follows a table in the terminal, or has bots play at a new one."""

import argparse
import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from clients.address import Place, target
from clients.bots.strategies import BUILT_IN, check_level
from clients.client import Client, connect
from clients.errors import ClientError
from clients.running import complain, run
from clients.terminal.connection import telling_connection
from clients.terminal.presence import telling_presence
from clients.terminal.records import record_sentence
from clients.terminal.telling import Teller
from protocol.options import TableOptions
from protocol.values import MAX_SEATS

PAUSE: Final = 0.7
"""Seconds between steps that a person watches."""


def parser() -> argparse.ArgumentParser:
    """What the command understands."""
    parser = argparse.ArgumentParser(prog="bigtop watch", description="Follows a table of SCOUT in the terminal.")
    parser.add_argument(
        "table",
        nargs="?",
        metavar="TABLE",
        help="the table: its id, or an invite link; with --bots, the server's address",
    )
    parser.add_argument(
        "--bots", type=int, choices=range(2, MAX_SEATS + 1), help="have N bots play at a new table", metavar="N"
    )
    parser.add_argument("--level", default="", help=f"with --bots: which kind of bot, {' or '.join(BUILT_IN)}")
    parser.add_argument("--url", default=None, help="the server (BIGTOP_URL, else ws://127.0.0.1:8765/ws)")
    parser.add_argument("--invite", default=None, help="the invite code of a private table")
    return parser


def main(argv: Sequence[str]) -> int:
    """Run the command; its exit code."""
    arguments = parser().parse_args(argv)
    try:
        url, where = target(arguments.table, arguments.url, arguments.invite)
        check_level(arguments.level)
    except ClientError as error:
        return complain(error)
    if (where is None) == (arguments.bots is None):
        parser().error("name a table, or --bots for a new one")

    async def work() -> int:
        async with connect(url) as client:
            table = await (_join(client, where) if where else _create(client, arguments.bots, arguments.level))
            teller = Teller()
            async with telling_connection(client, teller.say):
                return await watch(client, table, teller, pause=PAUSE if teller.terminal else 0)

    return run(work)


async def watch(
    client: Client,
    table: str,
    teller: Teller,
    *,
    pause: float = 0,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> int:
    """Tell a table's course to its end; the exit code: 0 for a finished match, 1 for a closed table.

    With a `pause` in seconds after each step, bots that play fast can be followed by eye.
    """
    follower = client.follow(table)
    async with telling_presence(follower, teller):
        async for view, steps in follower.course():
            for step in steps:
                teller.step(view, step)
                if pause:
                    await sleep(pause)
            teller.arrive(view)
            if view.status == "over":
                teller.say(record_sentence(client, view))
                return 0
    if follower.closed and not (follower.view is not None and follower.view.closed):
        teller.closed(follower.closed)
    return 1


async def _join(client: Client, where: Place) -> str:
    await client.watch(where.table, where.invite)
    return where.table


async def _create(client: Client, bots: int, level: str) -> str:
    done = await client.create(TableOptions(seats=bots), seat=None, bots=bots, level=level)
    assert done.table is not None
    return done.table
