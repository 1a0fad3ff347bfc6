"""How a command is refused."""

from protocol.errors import ErrorCode


class Refused(Exception):
    """A command that was refused and changed nothing.

    Attributes:
        code: which error of the protocol.
        message: one sentence for a person.
        detail: the engine's own code, if it was the engine that refused.
        after_ms: when trying again may help.
    """

    def __init__(
        self, code: ErrorCode, message: str | None = None, *, detail: str | None = None, after_ms: int | None = None
    ) -> None:
        super().__init__(message or code.meaning)
        self.code = code
        self.message = message or code.meaning
        self.detail = detail
        self.after_ms = after_ms
