"""``bigtop bench``: how fast parts of Bigtop are on this machine.

Each bench is a module with a function ``add(benches)`` that adds its subcommand and sets ``run`` to a function from the
parsed arguments to an exit status.
"""

import argparse
from typing import Final

from clients.bench import engine, server

BENCHES: Final = (engine, server)


def main(argv: list[str]) -> int:
    """Run the bench that `argv` names, and return the exit status."""
    parser = argparse.ArgumentParser(prog="bigtop bench", description="Measure how fast parts of Bigtop are.")
    benches = parser.add_subparsers(required=True, metavar="BENCH")
    for bench in BENCHES:
        bench.add(benches)
    arguments = parser.parse_args(argv)
    status: int = arguments.run(arguments)
    return status
