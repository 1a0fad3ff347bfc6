"""Delays and pace are values; nothing here waits."""

from hypothesis import given
from hypothesis import strategies as st

from clients.backoff import Backoff, Pace

CHANCE = st.floats(0, 1)


@given(CHANCE)
def test_the_first_delay_is_at_most_200_ms(chance: float) -> None:
    assert 0 < Backoff().delay(0, chance) <= 0.2


@given(st.integers(0, 10**9), CHANCE)
def test_no_delay_is_longer_than_the_cap_or_shorter_than_half_the_first(attempt: int, chance: float) -> None:
    assert 0.075 <= Backoff().delay(attempt, chance) <= 5


@given(st.integers(0, 100), CHANCE)
def test_delays_grow_at_equal_chance(attempt: int, chance: float) -> None:
    assert Backoff().delay(attempt, chance) <= Backoff().delay(attempt + 1, chance)


def test_jitter_spreads_clients_over_half_of_the_delay() -> None:
    assert Backoff().delay(20, 0.0) == 2.5
    assert Backoff().delay(20, 1.0) == 5


@given(st.lists(st.floats(0, 2), min_size=1, max_size=100), st.integers(1, 50), st.integers(1, 100))
def test_pace_never_sends_more_than_the_server_takes(gaps: list[float], rate: int, burst: int) -> None:
    now, sent, pace = 0.0, [], Pace(rate, burst, 0.0)
    for gap in gaps:
        now += gap
        now += pace.wait(now)
        sent.append(now)
    level, before = float(burst), 0.0
    for at in sent:  # the server's own bucket
        level = min(burst, level + (at - before) * rate) - 1
        before = at
        assert level >= -1e-6


def test_pace_lets_a_burst_through_at_once() -> None:
    pace = Pace(10, 5, 0.0)
    assert [pace.wait(0.0) for _ in range(4)] == [0, 0, 0, 0]
    assert pace.wait(0.0) > 0
