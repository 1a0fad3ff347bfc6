"""Every registered game obeys every law, and so does a toy that only fulfils the contract."""

from functools import cache
from random import Random

import pytest

from engine.games import GAMES
from tests.engine import laws
from tests.engine.courses import Course, random_course
from tests.engine.toy import ToyGame

ALL_GAMES = {game.name: game for game in (*GAMES.values(), ToyGame())}
TABLES = [
    (game.name, players, variant) for game in ALL_GAMES.values() for players in game.seats for variant in game.variants
]


@cache
def played(name: str, players: int, variant: str) -> Course:
    """One random game for each kind of table, played once for all laws."""
    return random_course(ALL_GAMES[name], players, variant, Random(f"{name} {players} {variant}"))


@pytest.fixture(name="course", params=TABLES, ids=lambda table: "-".join(map(str, table)).rstrip("-"))
def course_fixture(request: pytest.FixtureRequest) -> Course:
    return played(*request.param)


def test_waits_for_somebody_until_it_is_over(course: Course) -> None:
    assert not course.states[-1].actors, "the game did not end"
    laws.waits_for_somebody_until_it_is_over(course)


def test_accepts_exactly_what_it_lists(course: Course) -> None:
    laws.accepts_exactly_what_it_lists(course, Random(1))


def test_refuses_without_a_trace(course: Course) -> None:
    laws.refuses_without_a_trace(course, Random(2))


def test_writes_what_it_reads(course: Course) -> None:
    laws.writes_what_it_reads(course)


def test_states_are_values(course: Course) -> None:
    laws.states_are_values(course)


def test_text_tells_everything(course: Course) -> None:
    laws.text_tells_everything(course)


def test_samples_fit_the_view(course: Course) -> None:
    laws.samples_fit_the_view(course, Random(3))


def test_all_are_told_the_same_but_for_what_is_their_own(course: Course) -> None:
    laws.all_are_told_the_same_but_for_what_is_their_own(course)


def test_minders_know_what_to_do(course: Course) -> None:
    laws.minders_know_what_to_do(course)


def test_record_gives_every_state(course: Course) -> None:
    laws.record_gives_every_state(course)


def test_tells_nothing_secret(course: Course) -> None:
    random = Random(4)
    lengths = [len(course.moves), 1, *(random.randrange(len(course.moves)) for _ in range(4))]
    for length in lengths:
        for viewer in course.viewers:
            laws.tells_nothing_secret(course.cut(length), viewer, random)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_all_laws_hold_in_further_games(table: tuple[str, int, str], seed: int) -> None:
    name, players, variant = table
    random = Random(seed)
    course = random_course(ALL_GAMES[name], players, variant, random)
    laws.waits_for_somebody_until_it_is_over(course)
    laws.text_tells_everything(course)
    laws.samples_fit_the_view(course, random)
    laws.record_gives_every_state(course)
    for viewer in course.viewers:
        laws.tells_nothing_secret(course, viewer, random)
