"""What `bigtop serve` says once it serves."""

import shlex
import shutil
import socket
import sysconfig
from ipaddress import ip_address
from pathlib import Path

from server.settings import Settings
from server.store.redis_url import read_url

PROBE_ADDRESS = "192.0.2.1"
"""Reserved for documentation; nothing is sent there."""


def greeting(settings: Settings, host: str, port: int, in_browser: bool) -> str:
    """Where it listens, where the tables are, and what to do next; `in_browser`, if there is a web client."""
    bigtop = command()
    here = local_address(host, port)
    share = settings.public_url or _address(lan_address() or host, port)
    lines = [f"listening on {_address(host, port)}", _tables(settings)]
    if settings.public_url or not ip_address(host).is_loopback:
        lines.append(f"share this address with the other players: {share}")
    else:
        lines.append("only this computer can connect; for others, see --host and --public-url")
    if in_browser:
        lines.append(f"play in the browser: open {here}")
    if settings.no_bots:
        lines.append(f"play: {bigtop} play {here}")
    else:
        lines.append(f"play against bots: {bigtop} play --bots 3 {here}")
        lines.append(f"watch a match between bots: {bigtop} watch --bots 4 {here}")
    return "\n".join(lines)


def local_address(host: str, port: int) -> str:
    """Where a server that listens on `host` can be reached from this computer."""
    if ip_address(host).is_unspecified:
        host = "::1" if ":" in host else "127.0.0.1"
    return _address(host, port)


def command() -> str:
    """How to call `bigtop` from the current folder; in a checkout it may lie where no shell looks for it."""
    script = Path(sysconfig.get_path("scripts"), "bigtop")
    found = shutil.which("bigtop")
    if not script.exists() or (found and script.samefile(found)):
        return "bigtop"
    here = Path.cwd()
    return shlex.quote(str(script.relative_to(here) if script.is_relative_to(here) else script))


def lan_address() -> str | None:
    """This computer's address in its network, if it can be told. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((PROBE_ADDRESS, 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])


def _tables(settings: Settings) -> str:
    if settings.redis:
        processes = f", and served by {settings.workers} processes" if settings.workers > 1 else ""
        return f"tables are kept in {read_url(settings.redis)}{processes}"
    if settings.memory:
        return "tables are kept in memory only and are lost when the server stops"
    return f"tables are kept in {settings.store}"


def _address(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
