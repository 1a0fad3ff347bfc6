"""One of the processes of `bigtop serve --workers`: `python -m server.commands.worker`, started by `server.workers`.

It gets the arguments of `bigtop serve`, the listening socket as an open file, and the key of the house bots in the
environment. On standard output it says that it serves, or why it cannot. It stops when its standard input closes: then
whoever started it is gone.
"""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Sequence

import uvicorn

from server.house import KEY_VARIABLE
from server.logs import set_up_logging
from server.serving import StartError, serve_here
from server.settings import load
from server.workers import LISTENER_VARIABLE, READY


def main(argv: Sequence[str]) -> int:
    """Serve until told to stop. Returns 0 then, and 2 if it cannot start."""
    settings = load(argv, os.environ)
    set_up_logging(settings.log_level, settings.log_format)
    loop_factory = uvicorn.Config(app="", log_config=None).get_loop_factory()
    with (
        socket.socket(fileno=int(os.environ[LISTENER_VARIABLE])) as listener,
        asyncio.Runner(loop_factory=loop_factory) as runner,
    ):
        try:
            runner.run(_serve(argv, listener))
        except StartError as error:
            print(error, flush=True)
            return 2
    return 0


async def _serve(argv: Sequence[str], listener: socket.socket) -> None:
    await asyncio.get_running_loop().connect_read_pipe(_Parent, sys.stdin)
    await serve_here(load(argv, os.environ), os.environ[KEY_VARIABLE], listener, lambda: print(READY, flush=True))


class _Parent(asyncio.Protocol):
    """The other end of standard input."""

    def connection_lost(self, exc: Exception | None) -> None:
        signal.raise_signal(signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
