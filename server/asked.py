"""The command that is being carried out, for whatever is measured or logged meanwhile.

Tasks that are started for a command know of it, too, since they inherit its context.
"""

from contextvars import ContextVar
from typing import NamedTuple


class Asked(NamedTuple):
    """One command under way.

    Attributes:
        connection: which connection it came by.
        request: its id, which is the client's own text.
        player: whose connection that is; `None` before hello.
        at: when it came, by `time.perf_counter`.
    """

    connection: str
    request: str
    player: str | None
    at: float


asked: ContextVar[Asked | None] = ContextVar("asked", default=None)
