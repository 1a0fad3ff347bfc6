"""The command `bigtop`: hands over to the subcommand that is named first.

Subcommands are entry points of the group `bigtop.commands`, each a `main(argv) -> int`. They are looked up by name and
imported only when they run, so that the clients need not know the server.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import EntryPoint, PackageNotFoundError, entry_points, version
from typing import Final

GROUP: Final = "bigtop.commands"
OWN: Final = {
    "play": "clients.play.command:main",
    "watch": "clients.watch.command:main",
    "bot": "clients.bots.command:main",
}
"""What also runs from a checkout that is not installed, where there are no entry points."""
SUMMARIES: Final = {
    "serve": "run a server",
    "play": "play in the terminal",
    "watch": "follow a table in the terminal, or have bots play",
    "bot": "play as a bot, or fill seats with bots",
    "verify": "check the record of a match",
    "bench": "measure how fast the engine and a server are on this machine",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run `bigtop` with these arguments, or those of the process; the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    own = {name: EntryPoint(name, value, GROUP) for name, value in OWN.items()}
    commands = own | {entry.name: entry for entry in entry_points(group=GROUP)}
    match arguments:
        case [] | ["-h" | "--help", *_]:
            print(usage(commands))
            return 0 if arguments else 2
        case ["--version", *_]:
            print(f"bigtop {installed_version()}")
            return 0
        case [name, *rest] if name in commands:
            return load(commands[name])(rest)
    print(f"bigtop: there is no command {arguments[0]!r}; `bigtop --help` lists them.", file=sys.stderr)
    return 2


def usage(commands: Mapping[str, EntryPoint]) -> str:
    """What `bigtop --help` prints."""
    order = [*(name for name in SUMMARIES if name in commands), *sorted(commands.keys() - SUMMARIES.keys())]
    lines = [f"  {name:<8} {SUMMARIES.get(name, '')}".rstrip() for name in order]
    return "\n".join(["usage: bigtop COMMAND [OPTION ...]", "", *lines, "", "`bigtop COMMAND --help` tells more."])


def load(entry: EntryPoint) -> Callable[[list[str]], int]:
    """The function of a subcommand."""
    run: Callable[[list[str]], int] = entry.load()
    return run


def installed_version() -> str:
    """The version of Bigtop."""
    try:
        return version("bigtop")
    except PackageNotFoundError:
        return "(not installed)"


if __name__ == "__main__":
    sys.exit(main())
