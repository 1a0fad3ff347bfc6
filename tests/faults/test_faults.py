"""A short run of every fault. `make soak` does the same for longer, with hundreds of tables."""

from pathlib import Path
from random import Random

import pytest

from tests.faults import arena, duels
from tests.faults.arena import Course
from tests.faults.duels import Duels
from tests.faults.sleepers import CLOCKS
from tests.faults.soak import FORGOTTEN, MET, PLAYED_ON, SHIFT, WORKERS
from tests.faults.verdict import complaints

pytestmark = pytest.mark.slow


async def test_players_hardly_notice_dying_servers_and_a_redis_that_is_away_for_a_while(tmp_path: Path) -> None:
    course = Course("busy", PLAYED_ON, 1, 0, tables=12, think=0.1, workers=WORKERS, shifts=(SHIFT,))
    found = (await arena.play(course, tmp_path, Random(3))).judged()
    assert not list(complaints(found, dict.fromkeys(PLAYED_ON, 1)))
    assert found.moves > 500
    assert found.refusals["store_down"]
    assert found.close_codes["workers_exchanged"].keys() == {"4000"}


async def test_tables_whose_moves_redis_has_lost_are_closed_and_never_forked(tmp_path: Path) -> None:
    course = Course("forgetful", FORGOTTEN, 1, 0, tables=8, think=0.1, workers=0, shifts=(SHIFT, 0))
    found = (await arena.play(course, tmp_path, Random(4))).judged()
    assert not list(complaints(found, dict.fromkeys(FORGOTTEN, 1), forgetful=True))
    assert found.moves > 100
    assert sum(found.closed.values()) >= 8


async def test_two_processes_at_the_same_moment_and_clocks_minutes_apart(tmp_path: Path) -> None:
    found = (await duels.play(Duels(meetings=1000, naps=4, seconds=0), tmp_path, Random(5))).judged()
    assert not list(complaints(found, {**dict.fromkeys(MET, 1000), CLOCKS: 4}))
    assert found.moves > 2000
