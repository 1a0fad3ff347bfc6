"""`bigtop bot`: the reference bot."""

import argparse
import asyncio
import logging
import os
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from clients.address import DEFAULT_URL, Place, target
from clients.bots.service import Service, leaf
from clients.bots.single import Plan, play_plan
from clients.bots.strategies import BUILT_IN, NoStrategy, Strategy, load
from clients.client import Client, connect
from clients.errors import ClientError
from clients.running import cancelled, complain, run
from clients.terminal.lines import typed_lines
from clients.tokens import TokenFile
from protocol.values import MAX_SEATS

NAMES: Final = ("Gelsomina", "Zampano", "Colombina", "Pierrot", "Harlequin", "Columbo", "Zerbina", "Augusto")
MORE_PLAYERS: Final = 16
"""How many players a service has at most unless told otherwise."""


def parser() -> argparse.ArgumentParser:
    """What the command understands."""
    parser = argparse.ArgumentParser(prog="bigtop bot", description="Plays SCOUT at a Bigtop server.")
    parser.add_argument(
        "table",
        nargs="?",
        metavar="TABLE",
        help="the table to join: its id, or an invite link; else the server's address",
    )
    parser.add_argument("--quick", action="store_true", help="join any public table that waits for players")
    parser.add_argument("--serve", action="store_true", help="fill seats that ask for a bot, until stopped")
    parser.add_argument("--url", default=None, help=f"the server (default: BIGTOP_URL, else {DEFAULT_URL})")
    parser.add_argument(
        "--strategy", default="greedy", help=f"{', '.join(BUILT_IN)}, or a path as my.module:choose (default: greedy)"
    )
    parser.add_argument(
        "--levels",
        default=None,
        help="with --serve: the strategies on offer, as those who ask for a bot name them with --level, with commas; "
        "the first also serves those who name none (default: the --strategy alone)",
    )
    parser.add_argument(
        "--seats", type=int, choices=range(2, MAX_SEATS + 1), help="with --quick: for how many players (default: any)"
    )
    parser.add_argument("--matches", type=_positive, default=1, help="how many matches to play (default: 1)")
    parser.add_argument(
        "--count",
        type=_positive,
        default=None,
        help=f"how many bots (default: 1); with --serve, at most how many (default: {MORE_PLAYERS})",
    )
    parser.add_argument("--invite", default=None, help="the invite code of a private table")
    parser.add_argument("--name", default=None, help="how the bot is called (default: a name by chance)")
    parser.add_argument(
        "--think-ms",
        type=_milliseconds,
        default=None,
        metavar="MS",
        help="how long to wait before each move (default: BIGTOP_THINK_MS, else 0)",
    )
    parser.add_argument(
        "--token-file", type=Path, default=None, help="keep the bot's identity here over restarts (default: nowhere)"
    )
    parser.add_argument("--until-stdin-closes", action="store_true", help="with --serve: stop when stdin is closed")
    parser.add_argument("--verbose", action="store_true", help="say more on stderr")
    return parser


def main(argv: Sequence[str]) -> int:
    """Run the command; its exit code."""
    arguments = parser().parse_args(argv)
    logging.basicConfig(level=logging.INFO if arguments.verbose else logging.WARNING, format="%(message)s")
    sys.path.insert(0, "")  # for strategies in the folder where the command is given
    try:
        url, where = target(arguments.table, arguments.url, arguments.invite)
        if sum((where is not None, arguments.quick, arguments.serve)) != 1:
            parser().error("name a table, or one of --quick and --serve")
        return _serve(arguments, url) if arguments.serve else _play(arguments, url, where)
    except (ClientError, NoStrategy) as error:
        return complain(error)


def _play(arguments: argparse.Namespace, url: str, where: Place | None) -> int:
    plan = Plan(load(arguments.strategy), where, arguments.seats, arguments.matches, _think(arguments))
    enter = _entrance(arguments, url, patient=False)

    async def one(index: int) -> bool:
        async with enter(index) as client:
            return await play_plan(client, plan, say)

    async def work() -> int:
        try:
            async with asyncio.TaskGroup() as tasks:
                bots = [tasks.create_task(one(index)) for index in range(arguments.count or 1)]
        except ExceptionGroup as group:
            raise leaf(group) from None
        return 0 if all(bot.result() for bot in bots) else 1

    return run(work)


def _serve(arguments: argparse.Namespace, url: str) -> int:
    names = (arguments.levels or arguments.strategy).split(",")
    strategies: dict[str, Strategy] = {name.strip(): load(name.strip()) for name in names}
    most = arguments.count or MORE_PLAYERS
    service = Service(
        _entrance(arguments, url, patient=True),
        strategies,
        most=most,
        say=say,
        think=_think(arguments),
    )
    known = len(TokenFile(arguments.token_file).load()) if arguments.token_file else 0

    async def work() -> int:
        if not arguments.until_stdin_closes:
            await service.run(resume=known)
            return 0
        tasks = {asyncio.create_task(service.run(resume=known)), asyncio.create_task(_stdin_closes())}
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            await cancelled(tasks)
        return 0

    return run(work, stopped=0)


async def _stdin_closes() -> None:
    async for _ in typed_lines():
        pass


def _entrance(arguments: argparse.Namespace, url: str, *, patient: bool) -> Callable[[int], Client]:
    """What makes the client of each bot, counted from 0."""
    file = TokenFile(arguments.token_file) if arguments.token_file else None
    house = os.environ.get("BIGTOP_HOUSE_KEY") or None
    alone = arguments.count == 1 or (arguments.count is None and not arguments.serve)
    first, number = random.randrange(len(NAMES)), random.randrange(2, 100)

    def name(index: int) -> str:
        if arguments.name is not None:
            return str(arguments.name) if alone or not index else f"{arguments.name[:20]} {index + 1}"
        if not arguments.serve:  # others may be started the same way, and shall not be called the same
            return f"{NAMES[(first + index) % len(NAMES)]} {number + index // len(NAMES)}"
        again = index // len(NAMES)
        return NAMES[index % len(NAMES)] + (f" {again + 1}" if again else "")

    def enter(index: int) -> Client:
        return connect(
            url,
            name=name(index),
            token=file.get(index) if file else None,
            bot=True,
            house=house,
            patient=patient,
            on_token=(lambda token: file.put(index, token)) if file else None,
        )

    return enter


def say(line: str) -> None:
    """One plain line about something notable."""
    print(line, flush=True, file=sys.stdout)


def _think(arguments: argparse.Namespace) -> float:
    """Seconds to wait before each move."""
    if arguments.think_ms is None:
        text = os.environ.get("BIGTOP_THINK_MS", "")
        return int(text) / 1000 if text.isdecimal() else 0.0
    return float(arguments.think_ms) / 1000


def _positive(text: str) -> int:
    return _whole(text, 1)


def _milliseconds(text: str) -> int:
    return _whole(text, 0)


def _whole(text: str, least: int) -> int:
    if not (text.isascii() and text.isdigit() and least <= int(text[:12]) < 10**9):
        raise argparse.ArgumentTypeError(f"must be a whole number from {least}, and {text!r} is none")
    return int(text)
