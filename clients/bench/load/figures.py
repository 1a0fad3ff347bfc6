"""From slices of time to figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

BUSY: Final = 0.75
"""Which part of its core a server must have used for its speed to be its own."""


@dataclass(frozen=True, slots=True)
class Slice:
    """What was counted while one server was under load.

    Attributes:
        seconds: how long it took.
        moves: moves that all seats have seen.
        sends: views received.
        server_cpu: seconds of processor time that the server used.
        own_cpu: seconds that the load generator used.
    """

    seconds: float
    moves: int
    sends: int
    server_cpu: float
    own_cpu: float

    @property
    def rate(self) -> float:
        """Moves a second."""
        return self.moves / self.seconds

    @property
    def busy(self) -> float:
        """Which part of its core the server used."""
        return self.server_cpu / self.seconds


def summary(slices: Sequence[Slice], prefix: str = "") -> dict[str, float]:
    """The medians of slices. How busy the server was tells whether it was the server that was measured."""
    return {
        f"{prefix}moves_per_s": round(median(each.rate for each in slices), 1),
        f"{prefix}sends_per_s": round(median(each.sends / each.seconds for each in slices), 1),
        f"{prefix}cpu_us_per_move": round(_cost(slices), 1),
        f"{prefix}cpu_moves_per_s": round(1e6 / max(1e-9, _cost(slices)), 1),
        f"{prefix}server_busy": round(median(each.busy for each in slices), 3),
        f"{prefix}generator_busy": round(median(each.own_cpu / each.seconds for each in slices), 3),
    }


def ratios(real: Sequence[Slice], bare: Sequence[Slice]) -> dict[str, float]:
    """The real server's part of the bare one's speed, from slices that lay side by side: the machine's speed drifts.

    Where a server could not use its core, something else was the limit: other work on this machine, or the load
    generator. Such pairs do not count as long as there are others.
    """
    pairs = list(zip(real, bare, strict=True))
    steady = [pair for pair in pairs if min(each.busy for each in pair) >= BUSY]
    return {
        "ratio": round(median(one.rate / max(1e-9, other.rate) for one, other in steady or pairs), 3),
        "cpu_ratio": round(_cost(bare) / max(1e-9, _cost(real)), 3),
        "steady_slices": len(steady),
    }


def redis_ratios(real: Sequence[Slice], loop: Sequence[Slice]) -> dict[str, float]:
    """The real server's part of what a bare loop over its Redis does.

    The loop waits for Redis most of its time, so only the real one is asked whether it used its core.
    """
    pairs = list(zip(real, loop, strict=True))
    steady = [pair for pair in pairs if pair[0].busy >= BUSY]
    return {
        "redis_ratio": round(median(one.rate / max(1e-9, other.rate) for one, other in steady or pairs), 3),
        "redis_cpu_ratio": round(_cost(loop) / max(1e-9, _cost(real)), 3),
    }


def workers_ratio(many: Sequence[Slice], one: Sequence[Slice]) -> float:
    """Moves for a second of processor time with several processes, as a part of those with one."""
    return round(_cost(one) / max(1e-9, _cost(many)), 3)


def _cost(slices: Sequence[Slice]) -> float:
    """Microseconds of the server's processor time for a move, over all slices."""
    return 1e6 * sum(each.server_cpu for each in slices) / max(1, sum(each.moves for each in slices))


def percentile_ms(seconds: Sequence[float], part: float) -> float:
    """The time within which `part` of all were done, in milliseconds; 0 if there are none."""
    ordered = sorted(seconds)
    return round(1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))], 3) if ordered else 0.0
