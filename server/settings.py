"""What an operator may set: each setting is an option of `bigtop serve` and an environment variable."""

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urlsplit

from server.store.base import StoreError
from server.store.redis_url import read_url

LOG_LEVELS = ("debug", "info", "warning", "error")
LOG_FORMATS = ("text", "json")


class SettingsError(Exception):
    """A setting has a value that it cannot have; the message is a sentence for the operator."""


def default_store() -> Path:
    """Where the tables are kept: the user's data folder, so that it does not matter where the server is started."""
    if sys.platform == "win32":
        root = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        root = Path.home() / "Library" / "Application Support"
    else:
        root = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return root / "bigtop" / "bigtop.sqlite"


def _text(value: str) -> str:
    if not value or not value.isprintable():
        raise ValueError("must be text")
    return value


def _path(value: str) -> Path:
    return Path(_text(value)).expanduser()


def _between(least: int, most: int) -> Callable[[str], int]:
    def parse(value: str) -> int:
        if not (value.isascii() and value.isdigit() and least <= int(value[:12]) <= most):
            raise ValueError(f"must be a whole number from {least} to {most}")
        return int(value)

    return parse


def _url(value: str) -> str:
    sentence = "must be an address like https://scout.example.org"
    try:
        parts = urlsplit(value)
        _ = parts.port  # is read only now, and may be bad
    except ValueError:
        raise ValueError(sentence) from None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment or parts.username:
        raise ValueError(sentence)
    return value.rstrip("/")


def _redis(value: str) -> str:
    try:
        read_url(_text(value))
    except StoreError as error:
        raise ValueError(f"is of no use: {error}") from None
    return value


def _one_of(words: Sequence[str]) -> Callable[[str], str]:
    def parse(value: str) -> str:
        if value not in words:
            raise ValueError(f"must be one of {', '.join(words)}")
        return value

    return parse


def _switch(value: str) -> bool:
    if value.lower() in ("1", "true", "yes", "on"):
        return True
    if value.lower() in ("", "0", "false", "no", "off"):
        return False
    raise ValueError("must be 1 or 0")


def _about(parse: Callable[[str], Any], help_text: str, shown: str) -> dict[str, Any]:
    return {"parse": parse, "help": help_text, "shown": shown}


def _setting(parse: Callable[[str], Any], help_text: str, default: Any, shown: str | None = None) -> Any:
    return field(default=default, metadata=_about(parse, help_text, str(default) if shown is None else shown))


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All settings."""

    host: str = _setting(_text, "the address to listen on; 0.0.0.0 for all", "127.0.0.1")
    port: int = _setting(_between(0, 65535), "the port to listen on; 0 for any free one", 8765)
    public_url: str | None = _setting(
        _url, "the address that players use, if it is another one", None, shown="from host and port"
    )
    store: Path = field(
        default_factory=default_store,
        metadata=_about(_path, "the SQLite file that keeps the tables", "bigtop/bigtop.sqlite in the data folder"),
    )
    memory: bool = _setting(_switch, "keep the tables in memory only; they are lost at the end", False, shown="off")
    redis: str | None = _setting(
        _redis, "the URL of a Redis that keeps the tables, so that several processes can serve them", None, shown="none"
    )
    lossy_redis: bool = _setting(
        _switch, "be content with a Redis that may lose moves it has stored", False, shown="off"
    )
    workers: int = _setting(_between(1, 64), "how many processes serve; more than one needs --redis", 1)
    no_bots: bool = _setting(_switch, "do not run the bots that sit down where one is asked for", False, shown="off")
    keep_days: int = _setting(_between(1, 36500), "how many days finished tables are kept", 90)
    rate: int = _setting(_between(1, 100_000), "how many commands a second a connection may send in the long run", 20)
    burst: int = _setting(_between(1, 100_000), "how many commands a connection may send at once", 60)
    connections: int = _setting(_between(1, 1_000_000), "how many connections each process takes at once", 5000)
    metrics_port: int = _setting(_between(0, 65535), "the port that shows metrics to Prometheus; 0 for none", 0)
    metrics_host: str = _setting(_text, "the address to show metrics on", "127.0.0.1")
    log_level: str = _setting(_one_of(LOG_LEVELS), f"how much to log: {', '.join(LOG_LEVELS)}", "warning")
    log_format: str = _setting(_one_of(LOG_FORMATS), f"how log lines look: {' or '.join(LOG_FORMATS)}", "text")


@dataclass(frozen=True)
class Named:
    """How one setting is named, for the help and the documentation."""

    field: str
    option: str
    variable: str
    takes_value: bool
    help: str
    default: str


def named() -> list[Named]:
    """Every setting, in the order of `Settings`."""
    return [
        Named(
            field=each.name,
            option="--" + each.name.replace("_", "-"),
            variable="BIGTOP_" + each.name.upper(),
            takes_value=each.metadata["parse"] is not _switch,
            help=each.metadata["help"],
            default=each.metadata["shown"],
        )
        for each in fields(Settings)
    ]


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise SettingsError(f"{message[:1].upper()}{message[1:]}; see `bigtop serve --help`.")


def load(argv: Sequence[str], environ: Mapping[str, str]) -> Settings:
    """The settings from the arguments, else the environment, else the defaults.

    Raises `SettingsError`, and `SystemExit` for `--help`.
    """
    given = vars(_parser().parse_args(argv))
    values: dict[str, Any] = {}
    for each, name in zip(fields(Settings), named(), strict=True):
        if given[each.name] is not None:
            values[each.name] = _parsed(each.metadata["parse"], name.option, given[each.name])
        elif environ.get(name.variable):
            values[each.name] = _parsed(each.metadata["parse"], name.variable, environ[name.variable])
        else:
            values[each.name] = each.default if each.default is not MISSING else default_store()
    settings = Settings(**values)
    _check_together(settings)
    return settings


def _check_together(settings: Settings) -> None:
    if settings.memory and settings.redis:
        raise SettingsError("The tables are kept either with --memory or with --redis.")
    if settings.workers > 1 and not settings.redis:
        raise SettingsError("Several --workers need --redis: a file or memory serves one process only.")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="bigtop serve",
        description="Run a server. Each option can be set by the environment variable that is named with it, too.",
        epilog="BIGTOP_HOUSE_KEY is a variable only, as options can be seen by other users: the key that lets in the "
        "server's own bots (default: a new one at each start). docs/operations.md tells more.",
        allow_abbrev=False,
    )
    for name in named():
        text = f"{name.help} (default: {name.default}; {name.variable})"
        if name.takes_value:
            parser.add_argument(name.option, dest=name.field, metavar="X", help=text)
        else:
            parser.add_argument(name.option, dest=name.field, action="store_const", const="1", help=text)
    return parser


def _parsed(parse: Callable[[str], Any], name: str, value: str) -> Any:
    try:
        return parse(value)
    except ValueError as error:
        raise SettingsError(f"{name} {error}.") from None
