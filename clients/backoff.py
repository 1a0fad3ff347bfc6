"""How long to wait before the next attempt. Nothing here sleeps or makes randomness."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Backoff:
    """Delays that grow from attempt to attempt, up to a cap, each shortened by chance by up to a half.

    The first attempt comes within 200 ms, also from a busy program, so that a restart is hardly noticed; the jitter
    keeps many clients of one server from coming back all at once.

    Attributes:
        first: the longest first delay, in seconds.
        factor: by what the longest delay grows.
        cap: the longest delay of all, in seconds.
    """

    first: float = 0.15
    factor: float = 2.0
    cap: float = 5.0

    def delay(self, attempt: int, chance: float) -> float:
        """Seconds to wait before an `attempt`, counted from 0; `chance` is drawn from 0 to 1 by the caller."""
        longest = min(self.cap, self.first * self.factor ** min(attempt, 64))
        return longest * (1 + chance) / 2


class Pace:
    """Keeps a connection below the server's limit on commands: a bucket that fills at a rate.

    The caller says what time it is, in seconds from anywhere, and does the waiting.
    """

    def __init__(self, per_second: float, burst: float, now: float) -> None:
        self._rate = max(per_second, 0.1) * 0.95  # stay below the limit where clocks and arrivals differ
        self._room = max(burst - 1.0, 1.0)
        self._level = self._room
        self._at = now

    def wait(self, now: float) -> float:
        """Takes one command's worth, and says for how many seconds to wait before sending it."""
        self._level = min(self._room, self._level + (now - self._at) * self._rate) - 1
        self._at = now
        return max(0.0, -self._level / self._rate)
