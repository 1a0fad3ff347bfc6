"""How fast a connection may send commands. Pure: the time is passed in."""

from enum import Enum, auto

PATIENCE = 10
"""How many bursts of refused commands are borne before the connection is closed."""


class TokenBucket:
    """Holds up to `burst` tokens and gains `rate` of them a second; it begins full."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._tokens = burst
        self._at = float("-inf")

    def take(self, now: float) -> bool:
        """Take one token, if there is one."""
        self._refill(now)
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    def wait(self, now: float) -> float:
        """How many seconds until there is a token."""
        self._refill(now)
        return max(0.0, (1 - self._tokens) / self._rate)

    def _refill(self, now: float) -> None:
        if now > self._at:
            self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
            self._at = now


class Verdict(Enum):
    """What is to be done with a command."""

    ALLOW = auto()
    REFUSE = auto()
    CLOSE = auto()


class Limiter:
    """Refuses what comes too fast, and gives up on who goes on for long at more than twice the rate."""

    def __init__(self, rate: float, burst: int) -> None:
        self._commands = TokenBucket(rate, burst)
        self._patience = TokenBucket(rate, burst * PATIENCE)

    def judge(self, now: float) -> Verdict:
        """Count a command that came at `now` (in seconds), and say what to do with it."""
        if self._commands.take(now):
            return Verdict.ALLOW
        return Verdict.REFUSE if self._patience.take(now) else Verdict.CLOSE

    def after_ms(self, now: float) -> int:
        """In how many milliseconds a command will be allowed."""
        return -int(-self._commands.wait(now) * 1000 // 1)
