"""Where a program keeps the secrets that make it the same player again. They never show in arguments, URLs or logs."""

import os
import re
import sys
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from clients.errors import ClientError

_LONGEST: Final = 1_000_000
"""How much of a file is read, in characters; a line that is cut off there makes it no token file."""
_TOKEN: Final = re.compile(r"[0-9A-Za-z_-]{32,64}")


class TokenFile:
    """A file with one token a line, readable by its owner alone; `-` stands for none. No other file is written to."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self) -> list[str | None]:
        """The tokens in the file, none if there is no file. Raises `ClientError` for any file but a token file."""
        try:
            with self._path.open(encoding="ascii", errors="replace") as file:
                lines = file.read(_LONGEST).splitlines()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise ClientError(f"The token file {self._path} cannot be read ({error.strerror}).") from None
        if not all(line in ("", "-") or _TOKEN.fullmatch(line) for line in lines):
            raise ClientError(f"{self._path} is not a token file; name another one, or one that is not there yet.")
        return [line if _TOKEN.fullmatch(line) else None for line in lines]

    def get(self, index: int) -> str | None:
        """The token in a line, counted from 0."""
        tokens = self.load()
        return tokens[index] if index < len(tokens) else None

    def put(self, index: int, token: str) -> None:
        """Set the token in a line, counted from 0. Raises `ClientError` where it cannot be written."""
        tokens = self.load()
        tokens += [None] * (index + 1 - len(tokens))
        tokens[index] = token
        new = self._path.with_name(f"{self._path.name}.{os.getpid()}.new")
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            new.unlink(missing_ok=True)
            handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w", encoding="ascii") as file:
                file.writelines(f"{token or '-'}\n" for token in tokens)
                file.flush()
                os.fsync(file.fileno())  # else a loss of power might leave neither the old nor the new file
            new.replace(self._path)
        except OSError as error:
            raise ClientError(f"The token file {self._path} cannot be written ({error.strerror}).") from None


def state_folder() -> Path:
    """Where this platform has programs keep what should outlast them."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(base) / "bigtop"


def token_file_for(url: str) -> TokenFile:
    """The file in the state folder for the player at one server."""
    place = re.sub(r"[^0-9a-z]+", "-", urlsplit(url).netloc.rpartition("@")[2].lower())
    return TokenFile(state_folder() / f"player-{place}.token")
