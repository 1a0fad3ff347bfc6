"""Measures what becomes of a table's steps: how long storing one takes, and how long its views to their last outbox."""

from time import perf_counter

from server import metrics
from server.asked import asked


class Stopwatch:
    """Of one table. Of steps whose views overtake each other, only the newest one's are measured.

    The views of a step made here are measured from the command that asked for it (what the server does by itself:
    from the moment it is stored on), those of a step of another process from the first that comes.
    """

    __slots__ = ("_left", "_made_here", "_since", "_version")

    def __init__(self) -> None:
        self._version = 0
        self._since = 0.0
        self._left = 0
        self._made_here = False

    def start(self, version: int, audiences: int) -> float:
        """A step is handed to the store, and so many audiences here wait for its views. Returns when that was."""
        now = perf_counter()
        command = asked.get()
        self._version, self._left, self._made_here = version, audiences, True
        self._since = command.at if command is not None else now
        return now

    def stored(self, started: float) -> None:
        """It is stored."""
        metrics.commit_stored(perf_counter() - started)

    def lost(self) -> None:
        """Somebody else was faster."""
        self._version = 0
        metrics.commit_lost()

    def failed(self) -> None:
        """The store failed."""
        self._version = 0
        metrics.commit_failed()

    def handed_over(self, version: int, audiences: int) -> None:
        """One of the views of a step lies in its outboxes; so many audiences wait here."""
        if version != self._version:
            if version < self._version:
                return
            self._version, self._left, self._made_here = version, audiences, False
            self._since = perf_counter()
        self._left -= 1
        if self._left == 0:
            metrics.views_handed_over(perf_counter() - self._since, made_here=self._made_here)
