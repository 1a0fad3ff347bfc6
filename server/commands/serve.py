"""`bigtop serve`: runs a server until it is told to stop."""

import asyncio
import os
import secrets
import socket
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import uvicorn

from server.greeting import greeting, local_address
from server.house import KEY_VARIABLE, HouseBots
from server.logs import set_up_logging
from server.metrics_page import Folder, show
from server.serving import StartError, serve_here
from server.settings import Settings, SettingsError, default_store, load
from server.web.run import listen
from server.web.site import is_built
from server.workers import Workers

if sys.platform != "win32":
    import resource

EXIT_BAD_START = 2
SPARE_FILES = 256
"""How many files may be open besides the connections."""


def main(argv: Sequence[str]) -> int:
    """Run a server. Returns 0 after a stop that was asked for, and 2 if it cannot start."""
    try:
        settings = load(argv, os.environ)
        house_key = _house_key()
        set_up_logging(settings.log_level, settings.log_format)
        os.umask(0o077)  # the store holds the cards of running matches: only its owner may read it
        _prepare_store(settings)
        _allow_many_files(settings.connections)
        with _listener(settings) as listener, _metrics(settings) as folder:
            loop_factory = uvicorn.Config(app="", log_config=None).get_loop_factory()  # uvloop, where there is one
            with asyncio.Runner(loop_factory=loop_factory) as runner:
                runner.run(_serve(settings, house_key, listener, argv, folder))
    except (SettingsError, StartError) as error:
        print(f"bigtop serve: {error}", file=sys.stderr)
        return EXIT_BAD_START
    return 0


async def _serve(
    settings: Settings, house_key: str, listener: socket.socket, argv: Sequence[str], folder: Folder | None
) -> None:
    host, port = listener.getsockname()[:2]
    tokens, kept = _house_tokens(settings, port)
    bots = None if settings.no_bots else HouseBots(local_address(host, port), house_key, token_file=tokens)

    def on_started() -> None:
        print(greeting(settings, host, port, is_built()), flush=True)
        if bots is not None:
            bots.start()

    try:
        if settings.workers == 1:
            await serve_here(settings, house_key, listener, on_started)
        else:
            await Workers(settings.workers, argv, house_key, listener, folder=folder).run(on_started)
    finally:
        if bots is not None:
            await bots.stop()
        if not kept:
            tokens.unlink(missing_ok=True)


def _house_tokens(settings: Settings, port: int) -> tuple[Path, bool]:
    """Where the house bots keep who they are, and whether that outlives this server.

    Beside the tables where they are in a file. In Redis others may have house bots, too, and each has its own.
    """
    if settings.memory or (settings.redis and not settings.port):
        return Path(tempfile.gettempdir()) / f"bigtop-{secrets.token_hex(8)}-house", False
    if settings.redis:
        return default_store().with_name(f"house-{port}"), True
    return settings.store.with_name(f"{settings.store.name}-house"), True


def _listener(settings: Settings) -> socket.socket:
    try:
        return listen(settings.host, settings.port)
    except OSError as error:
        reason = error.strerror or str(error)
        raise StartError(f"Cannot listen on {settings.host} port {settings.port}: {reason}.") from error


@contextmanager
def _metrics(settings: Settings) -> Iterator[Folder | None]:
    """Serve the page of metrics, if one is wanted; the folder is where workers leave what it shows."""
    if not settings.metrics_port:
        yield None
        return
    with ExitStack() as stack:
        folder = stack.enter_context(Folder()) if settings.workers > 1 else None
        host, port = settings.metrics_host, settings.metrics_port
        try:
            stack.enter_context(show(host, port, folder))
        except OSError as error:
            reason = error.strerror or str(error)
            raise StartError(f"Cannot show metrics on {host} port {port}: {reason}.") from error
        yield folder


def _prepare_store(settings: Settings) -> None:
    """Make the folder of the store, or of what the house bots keep."""
    if settings.memory:
        return
    folder = (default_store() if settings.redis else settings.store).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StartError(f"Cannot make the folder {folder}: {error.strerror}.") from error


def _allow_many_files(connections: int) -> None:
    """Raise the limit on open files, as far as that is allowed: many systems begin with 1024 or less."""
    if sys.platform != "win32":
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = connections + SPARE_FILES
        if soft != resource.RLIM_INFINITY and soft < wanted:
            allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))


def _house_key() -> str:
    """The key of the house bots; several servers with one store share it by the environment."""
    key = os.environ.get(KEY_VARIABLE) or secrets.token_urlsafe(32)
    if not (16 <= len(key) <= 64 and key.isascii() and key.isprintable()):
        raise SettingsError(f"{KEY_VARIABLE} must have 16 to 64 characters of ASCII.")
    return key
