"""Records of real matches, made once."""

import pytest

from protocol.commands import Leave, Play
from server.table import acts
from server.table.decide import back
from server.table.fold import Step
from server.table.minder import minded_move
from server.table.record import record
from tests.server.table.courses import finished, play_until, started
from tests.server.table.desk import ADA, BEN, CEM, PEOPLE


@pytest.fixture(scope="session")
def short_steps() -> list[Step]:
    """A match of two, with nonces."""
    return finished(ADA, BEN, nonces=True).steps


@pytest.fixture(scope="session")
def short(short_steps: list[Step]) -> str:
    return str(record(short_steps))


@pytest.fixture(scope="session")
def eventful() -> str:
    """A match of three with a minder, somebody who comes back, somebody who leaves, and a rematch."""
    desk = started(ADA, BEN, CEM, nonces=True)
    desk.wait(61_000)
    desk.happen(*back(desk.table, BEN.id))
    turn = desk.table.game.turn
    who = (ADA, BEN, CEM)[turn]
    desk.say(who, Play, decision=desk.table.seats[turn].decision, move=minded_move(desk.table, turn))
    desk.say(CEM, Leave)
    play_until(desk, "over")
    desk.happen(acts.Rematched(0, "09other00000"))
    return str(record(desk.steps))


@pytest.fixture(scope="session", params=[2, 3, 4, 5])
def steps_of_any_number(request: pytest.FixtureRequest) -> list[Step]:
    return finished(*PEOPLE[: request.param], nonces=request.param % 2 == 0).steps
