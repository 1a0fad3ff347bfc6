"""`bigtop serve`: runs a server until it is told to stop."""

import asyncio
import os
import secrets
import shlex
import shutil
import socket
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from ipaddress import ip_address
from pathlib import Path

import uvicorn

from server import wiring
from server.house import KEY_VARIABLE, HouseBots
from server.hub.peer import Hub
from server.logs import set_up_logging
from server.settings import Settings, SettingsError, load
from server.store.base import StoreError
from server.web.run import listen, run
from server.web.sockets import SocketOptions

if sys.platform != "win32":
    import resource

EXIT_BAD_START = 2
PROBE_ADDRESS = "192.0.2.1"
"""Reserved for documentation; nothing is sent there."""
SPARE_FILES = 256
"""How many files may be open besides the connections."""


class StartError(Exception):
    """The server cannot start; the message is a sentence for the operator."""


def main(argv: Sequence[str]) -> int:
    """Run a server. Returns 0 after a stop that was asked for, and 2 if it cannot start."""
    try:
        settings = load(argv, os.environ)
        house_key = _house_key()
        set_up_logging(settings.log_level)
        os.umask(0o077)  # the store holds the cards of running matches: only its owner may read it
        _prepare_store(settings)
        _allow_many_files(settings.connections)
        with _listener(settings) as listener:
            loop_factory = uvicorn.Config(app="", log_config=None).get_loop_factory()  # uvloop, where there is one
            with asyncio.Runner(loop_factory=loop_factory) as runner:
                runner.run(_serve(settings, house_key, listener))
    except (SettingsError, StartError) as error:
        print(f"bigtop serve: {error}", file=sys.stderr)
        return EXIT_BAD_START
    return 0


async def _serve(settings: Settings, house_key: str, listener: socket.socket) -> None:
    hub = await _started_hub(settings, house_key)
    host, port = listener.getsockname()[:2]
    tokens = _house_tokens(settings)
    here = _address(_reachable(host), port)
    bots = None if settings.no_bots else HouseBots(here, house_key, token_file=tokens)
    options = SocketOptions(
        house_key=house_key,
        connections=settings.connections,
        commands_per_second=settings.rate,
        burst=settings.burst,
        public_url=settings.public_url,
    )

    def on_started() -> None:
        print(_greeting(settings, host, port), flush=True)
        if bots is not None:
            bots.start()

    try:
        await run(hub, listener, options, on_started)
    finally:
        if bots is not None:
            await bots.stop()
        if settings.memory:
            tokens.unlink(missing_ok=True)


def _house_tokens(settings: Settings) -> Path:
    """Where the house bots keep who they are: beside the tables, or for as long as the server runs."""
    if settings.memory:
        return Path(tempfile.gettempdir()) / f"bigtop-{secrets.token_hex(8)}-house"
    return settings.store.with_name(f"{settings.store.name}-house")


async def _started_hub(settings: Settings, house_key: str) -> Hub:
    hub = wiring.build_hub(settings, house_key)
    try:
        await hub.start()
    except StoreError as error:
        raise StartError(_sentence(str(error))) from error
    return hub


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def _listener(settings: Settings) -> socket.socket:
    try:
        return listen(settings.host, settings.port)
    except OSError as error:
        reason = error.strerror or str(error)
        raise StartError(f"Cannot listen on {settings.host} port {settings.port}: {reason}.") from error


def _prepare_store(settings: Settings) -> None:
    """Make the folder of the store."""
    if not settings.memory:
        try:
            settings.store.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StartError(f"Cannot make the folder {settings.store.parent}: {error.strerror}.") from error


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


def _greeting(settings: Settings, host: str, port: int) -> str:
    bigtop = _command()
    here = _address(_reachable(host), port)
    share = settings.public_url or _address(_lan_address() or host, port)
    lines = [f"listening on {_address(host, port)}"]
    if settings.memory:
        lines.append("tables are kept in memory only and are lost when the server stops")
    else:
        lines.append(f"tables are kept in {settings.store}")
    if settings.public_url or not ip_address(host).is_loopback:
        lines.append(f"share this address with the other players: {share}")
    else:
        lines.append("only this computer can connect; for others, see --host and --public-url")
    if settings.no_bots:
        lines.append(f"play: {bigtop} play {here}")
    else:
        lines.append(f"play against bots: {bigtop} play --bots 3 {here}")
        lines.append(f"watch a match between bots: {bigtop} watch --bots 4 {here}")
    return "\n".join(lines)


def _command() -> str:
    """How to call `bigtop` from the current folder; in a checkout it may lie where no shell looks for it."""
    script = Path(sysconfig.get_path("scripts"), "bigtop")
    found = shutil.which("bigtop")
    if not script.exists() or (found and script.samefile(found)):
        return "bigtop"
    here = Path.cwd()
    return shlex.quote(str(script.relative_to(here) if script.is_relative_to(here) else script))


def _address(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _reachable(host: str) -> str:
    """An address of this computer under which a server that listens on `host` can be reached from it."""
    if not ip_address(host).is_unspecified:
        return host
    return "::1" if ":" in host else "127.0.0.1"


def _lan_address() -> str | None:
    """This computer's address in its network, if it can be told. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((PROBE_ADDRESS, 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])
