"""What can go wrong for a client.

    ClientError
    ├── BadAddress     the text is no address of a server or table
    ├── BadName        nobody can be called that
    ├── Unreachable    nobody answers there, or not as a Bigtop server
    ├── Stopped        the server told the client to stop trying, or the client was closed
    └── Refused        the server refused a command: code, message, detail, retry, after_ms

Each has one sentence for a person as its text.
"""

from protocol.pushes import Error


class ClientError(Exception):
    """Anything a client can fail with."""


class BadAddress(ClientError):
    """The text is no address of a server or a table."""


class BadName(ClientError):
    """Nobody can be called that."""


class Unreachable(ClientError):
    """Nobody answers at the address, or not as a Bigtop server would.

    Attributes:
        retry: whether somebody may answer later.
    """

    def __init__(self, message: str, *, retry: bool = True) -> None:
        super().__init__(message)
        self.retry = retry


class Stopped(ClientError):
    """The connection is gone for good.

    Attributes:
        code: the close code, if the server gave one.
    """

    def __init__(self, message: str, code: int | None = None) -> None:
        super().__init__(message)
        self.code = code


class Refused(ClientError):
    """The server refused a command, which changed nothing.

    Attributes:
        code: a stable word, see `protocol.errors`.
        message: one sentence for a person.
        detail: for moves, the engine's own stable word, for example ``not_stronger``.
        retry: whether the same command may succeed later.
        after_ms: how long to wait before trying again, if the server said so.
    """

    def __init__(self, error: Error) -> None:
        super().__init__(error.message)
        self.code = error.code
        self.message = error.message
        self.detail = error.detail
        self.retry = error.retry
        self.after_ms = error.after_ms

    def __repr__(self) -> str:
        return f"Refused({self.code!r}, {self.message!r})"
