"""What is planted into notes and records is found, by everything that tells it from what is right."""

from dataclasses import replace

import pytest

from engine.record import Record
from server.table.fold import Step
from server.table.record import record
from tests.end_to_end.noting import Doubt, Log, Noted
from tests.faults.figures import Figures, figures, together
from tests.faults.inject import Fault
from tests.faults.notebook import Drop, Match, Note, Refusals
from tests.faults.verdict import complaints
from tests.server.table.courses import finished
from tests.server.table.desk import ADA, BEN, TABLE


@pytest.fixture(scope="module")
def steps() -> list[Step]:
    return finished(ADA, BEN, nonces=True).steps


@pytest.fixture
def text(steps: list[Step]) -> str:
    return str(record(steps))


@pytest.fixture
def match(steps: list[Step], text: str) -> Match:
    """What the two players would have noted who played this, a move a second, each answered at once."""
    logs = [Log(over=True), Log(over=True)]
    for line in Record.parse(text).moves:
        if line.actor is not None and line.actor >= 0:
            assert line.number is not None
            at = float(line.number)
            logs[line.actor].moves.append(Noted(line.actor, line.move, line.number, at, at + 0.9, at + 1.0))
    for log in logs:
        log.heads = {step.table.version: step.table.head.hex() for step in steps[2:]}
    return Match(TABLE, logs)


def judged(match: Match, text: str | None, *faults: Fault, notes: tuple[Note, ...] = ()) -> Figures:
    return figures([match, *notes], faults, {TABLE: text} if text is not None else {})


def words(found: Figures, **options: bool) -> str:
    return " ".join(complaints(found, {}, **options))


def test_what_is_right_is_accepted(match: Match, text: str) -> None:
    found = judged(match, text)
    assert words(found) == ""
    assert found.moves == sum(len(log.moves) for log in match.logs)


def test_a_planted_loss_is_found(match: Match, text: str) -> None:
    match.logs[0].moves[3] = replace(match.logs[0].moves[3], move="show 9")
    found = judged(match, text)
    assert len(found.lost) == 1
    assert "lost (1)" in words(found)
    assert len(found.doubled) == 1, "the move in its place was acknowledged to nobody"


def test_a_record_that_is_not_there_is_a_loss(match: Match) -> None:
    assert "no record" in words(judged(match, None))


def test_a_planted_double_is_found(match: Match, text: str) -> None:
    match.logs[1].moves.append(match.logs[1].moves[-1])
    assert "doubled (1)" in words(judged(match, text))


def test_a_move_that_nobody_was_told_of_is_a_double_unless_somebody_is_in_doubt(match: Match, text: str) -> None:
    taken = match.logs[1].moves.pop()
    assert "doubled (1)" in words(judged(match, text))
    match.logs[1].doubts.append(Doubt(taken.seat, taken.move, "store_down"))
    assert words(judged(match, text)) == ""


def test_planted_forks_are_found(match: Match, text: str) -> None:
    version = max(match.logs[0].heads)
    match.logs[0].forks.append(version)
    assert "with two heads" in words(judged(match, text))
    match.logs[0].forks.clear()
    match.logs[0].heads[version] = "0" * 64
    assert "with different heads" in words(judged(match, text))
    match.logs[1].heads[version] = "0" * 64
    assert "another head was shown" in words(judged(match, text))


def test_a_fork_at_a_table_that_nobody_closed_is_found_without_a_record(match: Match) -> None:
    match.failure = "no move for too long"
    match.logs[0].forks.append(7)
    assert "forked (1)" in words(judged(match, None), forgetful=True)
    assert "unfinished (1)" in words(judged(match, None), forgetful=True)


def test_a_table_may_be_closed_only_where_the_store_loses_moves(match: Match) -> None:
    for log in match.logs:
        log.over, log.closed = False, "store"
    found = judged(match, None)
    assert found.closed == {"store": 1}
    assert found.moves == 0
    assert "closed" in words(found)
    assert words(found, forgetful=True) == ""


def test_all_have_to_be_told_that_a_table_is_closed(match: Match) -> None:
    match.logs[0].over, match.logs[0].closed = False, "store"
    match.logs[1].over, match.failure = False, "no move for too long"
    assert "unfinished (1)" in words(judged(match, None), forgetful=True)


def test_records_go_only_with_a_store_that_loses_them(match: Match) -> None:
    end = match.logs[0].moves[-1].acknowledged
    assert judged(match, None, Fault("redis_empty", end + 5, end + 6)).forgotten == 1
    assert "no record" in words(judged(match, None, Fault("redis_empty", 1.0, 2.0)))
    assert "no record" in words(judged(match, None, Fault("redis_killed", end + 5, end + 6)))


def test_pauses_belong_to_the_faults_that_they_lie_in(match: Match, text: str) -> None:
    slow = match.logs[0].moves[5]
    match.logs[0].moves[5] = replace(slow, acknowledged=slow.asked + 2.5)
    kill = Fault("worker_killed", slow.asked + 0.1, slow.asked + 2.0)
    assert judged(match, text, kill).longest_pause["worker_killed"] == 2.5
    assert "worker_killed: somebody waited 2.5 s" in words(judged(match, text, kill))
    assert judged(match, text).longest_pause["none"] == 2.5


def test_recovery_counts_from_when_redis_is_back(match: Match, text: str) -> None:
    slow = match.logs[0].moves[5]
    match.logs[0].moves[5] = replace(slow, acknowledged=slow.asked + 16.5)
    outage = Fault("redis_unreachable", slow.asked + 0.1, slow.asked + 12.0, down=10.0)
    found = judged(match, text, outage)
    assert (found.longest_pause, found.longest_recovery) == (
        {"redis_unreachable": 16.5, "none": pytest.approx(0.1)},
        {"redis_unreachable": 6.5},
    )
    assert "waited 6.5 s more than Redis was away" in words(found)


def test_waiting_for_a_view_is_a_pause_and_thinking_is_none(match: Match, text: str) -> None:
    assert judged(match, text).longest_pause["none"] < 0.2
    version = match.logs[0].moves[5].version + 1
    log = next(log for log in match.logs if any(move.version == version for move in log.moves))
    at = next(index for index, move in enumerate(log.moves) if move.version == version)
    late = log.moves[at]
    log.moves[at] = replace(late, shown=late.shown + 7, asked=late.asked + 9, acknowledged=late.acknowledged + 9)
    assert judged(match, text).longest_pause["none"] == pytest.approx(7.1)


def test_connections(match: Match, text: str) -> None:
    stop = Fault("workers_terminated", 10.0, 12.0)
    drops = (Drop(10.5, "ws://one", 4000, 10.6, 11.0), Drop(11.0, "ws://one", 1006, 11.7, 13.5))
    found = judged(match, text, stop, notes=drops)
    assert found.close_codes == {"workers_terminated": {"4000": 1, "1006": 1}}
    for sentence in ("'1006'", "without a server for 2.5 s", "tried again only after 0.7 s"):
        assert sentence in words(found)


def test_errors_that_nobody_should_see(match: Match, text: str) -> None:
    assert "internal" in words(judged(match, text, notes=(Refusals({"internal": 1, "store_down": 5}),)))
    assert words(judged(match, text, notes=(Refusals({"store_down": 5}),))) == ""


def test_sites_are_counted_together(match: Match, text: str) -> None:
    one = judged(match, text, Fault("redis_killed", 1.0, 2.0))
    both = together([one, one])
    assert (both.moves, both.faults) == (2 * one.moves, {"redis_killed": 2})
    assert "1 faults of the kind redis_killed instead of 2" in list(complaints(one, {"redis_killed": 2}))
