"""At what times moves are sent, and from when they count."""

from collections.abc import Callable
from typing import Any, cast

import pytest

from clients.bench.load import pace
from clients.bench.load.pace import at_rate
from clients.bench.load.processes import Server
from clients.bench.load.tally import Load
from clients.bench.load.wire import Wire


class Clock:
    """The time, which passes only while somebody waits."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now

    def process_time(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += seconds


class StillWire:
    """On which nothing comes."""

    def __init__(self, clock: Clock) -> None:
        self.turn = clock.wait

    def until(self, reached: Callable[[], bool], seconds: float, what: str) -> None:
        assert reached(), what


class IdleServer:
    def cpu_seconds(self) -> float:
        return 0.0


class Mover:
    """A seat that may move again at once."""

    def __init__(self, load: Load, moved: Callable[[float], None]) -> None:
        self._load = load
        self._moved = moved

    def move(self, at: float) -> None:
        self._load.waiting.append(self)
        self._moved(at)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(pace, "time", clock)
    return clock


def run(clock: Clock, moved: Callable[[float], None], **more: Any) -> Load:
    load = Load(cast(Wire, StillWire(clock)), 0)
    load.waiting.append(Mover(load, moved))
    at_rate(load, cast(Server, IdleServer()), **more)
    return load


def test_moves_are_sent_at_even_times(clock: Clock) -> None:
    sent: list[tuple[float, float]] = []
    run(clock, lambda at: sent.append((at, clock.now)), rate=10, seconds=1.05)
    assert [at for at, _ in sent] == pytest.approx([number / 10 for number in range(11)])
    assert [now for _, now in sent] == pytest.approx([at for at, _ in sent])


def test_moves_that_a_standstill_held_up_count_from_when_they_were_due(clock: Clock) -> None:
    """Else the server would be measured by the moves that it let through, and not by those that it kept waiting."""
    sent: list[float] = []

    def moved(at: float) -> None:
        sent.append(at)
        if len(sent) == 3:
            clock.now += 0.5

    load = run(clock, moved, rate=10, seconds=1.05)
    assert sent == pytest.approx([number / 10 for number in range(11)])
    assert max(load.tally.late) == pytest.approx(0.4)
