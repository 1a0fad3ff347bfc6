"""From a log to a table: an entry that cannot follow is refused, whatever it says."""

from random import Random

import pytest
from msgspec.structs import replace

from engine.errors import MoveError
from protocol import errors
from server.table import acts
from server.table.acts import AnyAct, Entry
from server.table.fold import Impossible, Step, fold
from server.table.refusal import Refused
from server.table.views import listing, lobby_table, read_listing, read_wants, wants
from tests.server.table.courses import finished, random_course, seated, started
from tests.server.table.desk import ADA, BEN, CEM, INVITE, TABLE, Desk

EVERY_ACT: tuple[AnyAct, ...] = (
    acts.Sat(0, CEM.id, "Cem", bot=False),
    acts.Stood(1, "stood"),
    acts.BotAsked(2, ""),
    acts.BotsOffered(),
    acts.Readied(0, None),
    acts.RevealAsked(),
    acts.Revealed(0, bytes(32)),
    acts.Started((0, 1)),
    acts.Chance("deal A 1/2 | 1/3 |"),
    acts.Chance("nonsense"),
    acts.Moved(0, "keep", minder=False),
    acts.Moved(-1, "keep", minder=False),
    acts.Minded(7, "time"),
    acts.Back(0),
    acts.SaidNext(3),
    acts.Voted(0, 9),
    acts.Voted(9, 0),
    acts.Rematched(0, "x"),
    acts.Closed("operator"),
)


def test_a_log_begins_with_a_creation() -> None:
    for act in EVERY_ACT:
        with pytest.raises(Impossible, match="begins with a creation"):
            fold(None, Entry(0, "player", (act,)), TABLE)


def test_an_entry_has_an_act() -> None:
    for table in (None, seated(ADA, BEN).table):
        with pytest.raises(Impossible, match="at least one act"):
            fold(table, Entry(0, "player", ()), TABLE)


def test_whatever_follows_on_whatever_it_is_a_step_or_refused() -> None:
    """No log, however damaged, does anything else."""
    desks = (Desk(3), seated(ADA, BEN), started(ADA, BEN, CEM), finished(ADA, BEN))
    for table in (step.table for desk in desks for step in desk.steps):
        for act in EVERY_ACT:
            try:
                step = fold(table, Entry(table.changed, "server", (act,)), TABLE)
            except (Impossible, MoveError):
                continue
            assert isinstance(step, Step)


@pytest.mark.parametrize("seed", range(5))
def test_a_log_with_an_entry_missing_or_twice_is_never_the_same(seed: int) -> None:
    random = Random(seed)
    steps = random_course(random, seats=3, steps=150).steps
    for _ in range(5):
        place = random.randrange(len(steps))
        for log in (steps[:place] + steps[place + 1 :], [*steps[:place], *steps[place : place + 1], *steps[place:]]):
            table = None
            try:
                for step in log:
                    table = fold(table, step.entry, TABLE).table
            except (Impossible, MoveError):
                continue
            assert table is not None
            assert table.head != steps[-1].table.head


def test_the_time_binds_an_entry_too() -> None:
    desk = seated(ADA, BEN)
    step = desk.steps[-1]
    other = fold(desk.steps[-2].table, replace(step.entry, at=step.entry.at + 1), TABLE)
    assert other.table.head != step.table.head


def test_only_players_have_seats() -> None:
    table = seated(ADA, BEN).table
    assert [table.seat_of(player) for player in (BEN.id, CEM.id, None)] == [1, None, None]


class TestWhatIsToldElsewhere:
    def test_the_lobby_shows_names_and_bots(self) -> None:
        desk = seated(ADA, BEN)
        data = listing(desk.table)
        assert data is not None
        line = lobby_table(TABLE, read_listing(data), 3, desk.now + 5_999)
        assert [seat.name for seat in line.seats] == ["Ada", "Ben"]
        assert (line.status, line.spectators, line.age_s) == ("open", 3, 5)
        assert lobby_table(TABLE, read_listing(data), 0, desk.now - 1).age_s == 0

    def test_bots_are_told_the_way_in(self) -> None:
        desk = Desk(3, private=True)
        desk.happen(acts.BotAsked(2, "greedy"))
        data = wants(desk.table)
        assert data is not None
        wanted = read_wants(data)
        assert (wanted.seats, wanted.private, wanted.invite) == (((2, "greedy"),), True, INVITE)


def test_a_refusal_says_what_its_code_means_unless_it_knows_better() -> None:
    assert Refused(errors.NOT_AWAY).message == errors.NOT_AWAY.meaning
    assert Refused(errors.NOT_AWAY, "Still here.", after_ms=5).message == "Still here."
