"""Whatever players say and however time passes, a table keeps its laws (`tests.server.table.laws`)."""

from functools import cache
from random import Random

import pytest

from protocol.commands import Leave
from protocol.values import Status
from server.table import acts
from server.table.acts import decode_entry, encode_entry
from server.table.due import deadline, due
from server.table.fold import fold
from server.table.record import record
from server.table.state import Table
from server.table.verify import verify
from tests.server.table.courses import every_number, finished, random_course, rounds, started, time_passes_until
from tests.server.table.desk import PEOPLE, TABLE, Desk

LIMITS = (None, 5, 60, 7200)


@cache
def random_desk(seed: int) -> Desk:
    random = Random(seed)
    return random_course(
        random,
        seats=2 + seed % 4,
        move_seconds=random.choice(LIMITS),
        private=random.random() < 0.3,
        quick=random.random() < 0.5,
    )


def folded(desk: Desk) -> Table:
    """The table, from nothing but the bytes of its log."""
    table: Table | None = None
    for step in desk.steps:
        table = fold(table, decode_entry(encode_entry(step.entry)), TABLE).table
    assert table is not None
    return table


@pytest.mark.parametrize("seed", range(8))
def test_the_laws_hold_and_the_log_tells_all(seed: int) -> None:
    desk = random_desk(seed)
    assert folded(desk) == desk.table


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 140))
def test_the_laws_hold_in_many_courses(seed: int) -> None:
    desk = random_desk(seed)
    assert folded(desk) == desk.table
    if desk.table.status == "over":
        verify(str(record(desk.steps)))


def test_random_courses_go_everywhere() -> None:
    """Else the laws would hold for nothing."""
    desks = [random_desk(seed) for seed in range(8)]
    done = {type(act) for desk in desks for step in desk.steps for act in step.entry.acts}
    assert done > {acts.Sat, acts.Stood, acts.Readied, acts.Revealed, acts.Started, acts.Moved, acts.Minded, acts.Back}
    been: set[Status] = {step.table.status for desk in desks for step in desk.steps}
    assert been >= {"open", "revealing", "running", "break", "over"}
    assert max(map(rounds, desks)) > 2


@every_number
@pytest.mark.parametrize("move_seconds", [5, 60, 7200])
def test_time_alone_finishes_a_match(seats: int, move_seconds: int) -> None:
    """Nobody says anything any more."""
    desk = started(*PEOPLE[:seats], move_seconds=move_seconds)
    time_passes_until(desk, "over")
    assert rounds(desk) == seats


@every_number
def test_time_alone_finishes_a_match_without_a_limit_once_all_have_left(seats: int) -> None:
    desk = started(*PEOPLE[:seats], move_seconds=None)
    for person in PEOPLE[:seats]:
        desk.say(person, Leave)
    desk.wait(3_600_000)
    assert desk.table.status == "over"
    assert all(act.minder for step in desk.steps for act in step.entry.acts if isinstance(act, acts.Moved))


@every_number
def test_nothing_is_due_before_its_time(seats: int) -> None:
    desk = finished(*PEOPLE[:seats])
    for step in desk.steps:
        at = deadline(step.table)
        assert due(step.table, (at or 2**53) - 1) == ()
        assert at is None or due(step.table, at)
