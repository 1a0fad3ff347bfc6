"""The store's time as Redis tells it, and the grace after an outage."""

from collections import deque
from collections.abc import Callable
from typing import Final

from server.store.base import GRACE_MS

BEAT_SECONDS: Final = 1.0
"""How often a process asks Redis for the time, and says that it is in contact."""
OUTAGE_MS: Final = 3_000
"""How long a time without any contact is an outage. A shorter one costs nobody a move."""
SAMPLES: Final = 8


class StoreClock:
    """Redis's time, known from what it said last.

    All processes ask the same server, so they agree, whatever their own clocks say. Of the last answers the one counts
    that came fastest: half its way is the most that the time can be wrong.

    Args:
        local: this process's own clock in milliseconds; only its pace matters.
    """

    def __init__(self, local: Callable[[], float]) -> None:
        self.local = local
        self._samples: deque[tuple[float, float]] = deque(maxlen=SAMPLES)
        self._offset = 0.0

    def now(self) -> int:
        return int(self.local() + self._offset)

    def learn(self, told_ms: float, sent: float, received: float) -> None:
        """Redis told a time between two local times."""
        error = (received - sent) / 2
        offset = told_ms - (sent + error)
        if self._samples and abs(offset - self._offset) > error + self._samples_error() + 1:
            # One of the clocks was set, or another server answers.
            self._samples.clear()
        self._samples.append((error, offset))
        self._offset = min(self._samples)[1]

    def _samples_error(self) -> float:
        return min(self._samples)[0]


class Grace:
    """Whether there was an outage, and until when no limit runs out.

    Attributes:
        until: in the store's time.
        noticed: this process itself noticed an outage that the store does not know of yet.
        settled: all servers are known; another one takes somebody's place.
    """

    def __init__(self) -> None:
        self.until = 0
        self.noticed = False
        self.settled = False
        self._run_ids: dict[object, bytes] = {}

    def connected(self, node: object, run_id: bytes, away_seconds: float) -> None:
        """A server is (again) connected. Another run id means that it, or another in its place, was started anew."""
        known = self._run_ids.get(node)
        if self.settled and (known != run_id or away_seconds * 1000 > OUTAGE_MS):
            self.noticed = True
        self._run_ids[node] = run_id

    def pulse_args(self, run_id: bytes) -> tuple[bytes | int, ...]:
        return (run_id, b"1" if self.noticed else b"", OUTAGE_MS, GRACE_MS)

    def told(self, until: int) -> None:
        """The store knows by now, and says so."""
        self.until = until
        self.noticed = False
