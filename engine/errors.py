"""What can be wrong with a move or a record.

    EngineError
    ├── MoveError            code, message
    │   ├── InvalidMove      the text is no move at all
    │   └── IllegalMove      it is a move, but not one that is allowed now
    └── RecordError          line, message

Every `MoveError` has a `code` that never changes (bots match on it) and a `message` that a person can read.
"""


class EngineError(Exception):
    """Anything the engine refuses."""


class MoveError(EngineError):
    """A move that was refused; the state it was offered to is unchanged.

    Attributes:
        code: a stable word, for example ``not_stronger``.
        message: one sentence for a person.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.code!r}, {self.message!r})"


class InvalidMove(MoveError):
    """The text cannot be read as a move of this game."""


class IllegalMove(MoveError):
    """The move can be read, but the rules do not allow it in this state."""


class RecordError(EngineError):
    """A record that cannot be read or replayed.

    Attributes:
        line: the first wrong line, counted from 1.
        message: one sentence for a person.
    """

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line
        self.message = message
