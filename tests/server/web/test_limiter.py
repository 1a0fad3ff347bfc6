"""How fast a connection may send."""

from hypothesis import given
from hypothesis import strategies as st

from server.web.limiter import PATIENCE, Limiter, TokenBucket, Verdict

pauses = st.lists(st.floats(0, 2), max_size=200)


def test_a_burst_is_allowed_at_once_and_no_more() -> None:
    limiter = Limiter(rate=10, burst=3)
    assert [limiter.judge(5.0) for _ in range(4)] == [Verdict.ALLOW] * 3 + [Verdict.REFUSE]


def test_after_the_time_it_names_a_command_is_allowed() -> None:
    limiter = Limiter(rate=10, burst=1)
    limiter.judge(0.0)
    assert limiter.judge(0.0) is Verdict.REFUSE
    assert limiter.after_ms(0.0) == 100
    assert limiter.judge(0.099) is Verdict.REFUSE
    assert limiter.judge(0.1001) is Verdict.ALLOW


def test_nothing_is_to_be_waited_for_while_there_are_tokens() -> None:
    assert Limiter(rate=10, burst=1).after_ms(0.0) == 0


def test_who_ignores_refusals_for_long_is_given_up() -> None:
    limiter = Limiter(rate=10, burst=2)
    verdicts = [limiter.judge(0.0) for _ in range(2 + 2 * PATIENCE + 1)]
    assert verdicts == [Verdict.ALLOW] * 2 + [Verdict.REFUSE] * (2 * PATIENCE) + [Verdict.CLOSE]


def test_less_than_twice_the_rate_is_never_given_up() -> None:
    limiter = Limiter(rate=10, burst=2)
    verdicts = {limiter.judge(step * 0.051) for step in range(5000)}
    assert verdicts == {Verdict.ALLOW, Verdict.REFUSE}


def test_a_clock_that_goes_back_gives_no_tokens() -> None:
    bucket = TokenBucket(rate=1, burst=1)
    assert bucket.take(100.0)
    assert not bucket.take(50.0)
    assert not bucket.take(100.5)
    assert bucket.take(101.0)


@given(pauses)
def test_never_more_than_the_burst_and_the_rate(times: list[float]) -> None:
    bucket = TokenBucket(rate=3, burst=5)
    now = taken = 0.0
    for pause in times:
        now += pause
        taken += bucket.take(now)
        assert taken <= 5 + 3 * now + 1e-6
