"""Before the start: who sits where, and who may change that."""

import pytest

from protocol import errors
from protocol.commands import AskBot, Leave, Mind, Next, Play, Ready, Reveal, Sit, Stand
from server.table import acts
from tests.server.table.courses import seated, started
from tests.server.table.desk import ADA, BEN, CEM, DOT, EVE, HAL, ROBO, Desk, refused


class TestSitting:
    def test_somebody_takes_a_free_seat(self) -> None:
        desk = Desk(3)
        assert desk.say(BEN, Sit, seat=1) == (acts.Sat(1, BEN.id, "Ben", bot=False),)
        assert desk.table.seat_of(BEN.id) == 1

    def test_without_a_wish_it_is_the_first_one(self) -> None:
        desk = Desk(3)
        desk.say(ADA, Sit)
        desk.say(BEN, Sit)
        assert [desk.table.seat_of(who.id) for who in (ADA, BEN)] == [0, 1]

    def test_sitting_where_one_sits_changes_nothing(self) -> None:
        desk = seated(ADA, BEN)
        assert desk.say(BEN, Sit) == desk.say(BEN, Sit, seat=1) == ()

    def test_nobody_takes_a_second_seat(self) -> None:
        desk = Desk(3)
        desk.say(ADA, Sit)
        with refused(errors.ALREADY_SEATED):
            desk.say(ADA, Sit, seat=2)

    def test_a_taken_seat_is_not_free(self) -> None:
        desk = seated(ADA, BEN)
        with refused(errors.NO_FREE_SEAT):
            desk.say(CEM, Sit, seat=1)
        with refused(errors.NO_FREE_SEAT):
            desk.say(CEM, Sit)

    def test_there_are_no_more_seats_than_there_are(self) -> None:
        with refused(errors.NO_SUCH_SEAT):
            Desk(3).say(ADA, Sit, seat=3)

    def test_nobody_joins_a_match_or_while_nonces_are_told(self) -> None:
        desk = seated(ADA, BEN)
        desk.say(ADA, Ready, commitment="11" * 32)
        desk.say(BEN, Ready)
        assert desk.table.status == "revealing"
        with refused(errors.NO_FREE_SEAT):
            desk.say(CEM, Sit)
        with refused(errors.ALREADY_STARTED):
            started(ADA, BEN).say(CEM, Sit)

    def test_a_kept_seat_is_for_whom_it_is_kept(self) -> None:
        desk = Desk(3, reserved=(ADA, BEN, None))
        with refused(errors.SEAT_RESERVED):
            desk.say(CEM, Sit, seat=1)
        desk.say(CEM, Sit)
        desk.say(BEN, Sit)
        assert desk.table.seat_of(CEM.id) == 2
        assert desk.table.seat_of(BEN.id) == 1
        assert desk.table.seats[1].kept is None
        with refused(errors.NO_FREE_SEAT):
            desk.say(DOT, Sit)

    def test_a_seat_that_waits_for_a_bot_is_for_bots(self) -> None:
        desk = Desk(3)
        desk.say(ADA, AskBot, seat=0, level="greedy")
        with refused(errors.SEAT_RESERVED, match="bot"):
            desk.say(BEN, Sit, seat=0)
        desk.say(BEN, Sit)
        assert desk.table.seat_of(BEN.id) == 1
        desk.say(ROBO, Sit)
        assert desk.table.seat_of(ROBO.id) == 0
        desk.say(HAL, Sit)
        assert desk.table.seat_of(HAL.id) == 2


class TestStanding:
    def test_a_seat_is_given_up(self) -> None:
        desk = seated(ADA, BEN)
        assert desk.say(BEN, Stand) == (acts.Stood(1, "stood"),)
        assert desk.say(ADA, Stand, seat=0) == (acts.Stood(0, "stood"),)
        assert desk.say(ADA, Stand) == ()

    def test_leaving_before_the_start_is_standing_up(self) -> None:
        desk = seated(ADA, BEN)
        assert desk.say(BEN, Leave) == (acts.Stood(1, "stood"),)
        assert desk.say(BEN, Leave) == ()

    def test_nobody_stands_up_in_a_match(self) -> None:
        desk = started(ADA, ROBO)
        for fields in ({}, {"seat": 0}, {"seat": 1}):
            with refused(errors.ALREADY_STARTED):
                desk.say(ADA, Stand, **fields)
        assert desk.say(CEM, Stand) == ()

    def test_those_who_sit_there_send_bots_away_and_free_what_is_kept(self) -> None:
        desk = Desk(4, reserved=(None, BEN, None, None), creator=EVE)
        desk.say(ADA, Sit)
        desk.say(ROBO, Sit, seat=2)
        desk.say(ADA, AskBot, seat=3)
        for seat in (1, 2, 3):
            assert desk.say(ADA, Stand, seat=seat) == (acts.Stood(seat, "cleared"),)
            assert desk.say(ADA, Stand, seat=seat) == ()

    def test_so_may_the_creator(self) -> None:
        desk = Desk(3, creator=EVE)
        desk.say(ROBO, Sit)
        assert desk.say(EVE, Stand, seat=0) == (acts.Stood(0, "cleared"),)

    def test_strangers_free_nothing(self) -> None:
        desk = Desk(3)
        desk.say(ROBO, Sit)
        with refused(errors.NOT_ALLOWED, match="sit here"):
            desk.say(BEN, Stand, seat=0)

    def test_people_are_not_sent_away(self) -> None:
        with refused(errors.NOT_ALLOWED, match="Only bots"):
            seated(ADA, BEN).say(ADA, Stand, seat=1)
        with refused(errors.NO_SUCH_SEAT):
            seated(ADA, BEN).say(ADA, Stand, seat=4)


class TestAskingForBots:
    def test_the_first_seat_that_nothing_waits_for_gets_one(self) -> None:
        desk = Desk(4, reserved=(None, BEN, None, None))
        desk.say(ADA, Sit)
        assert desk.say(ADA, AskBot, level="greedy") == (acts.BotAsked(2, "greedy"),)
        assert desk.say(ADA, AskBot) == (acts.BotAsked(3, ""),)
        with refused(errors.NO_FREE_SEAT):
            desk.say(ADA, AskBot)

    def test_asking_again_changes_only_the_kind(self) -> None:
        desk = Desk(3)
        desk.say(ADA, AskBot, seat=1, level="greedy")
        assert desk.say(ADA, AskBot, seat=1, level="greedy") == ()
        assert desk.say(ADA, AskBot, seat=1, level="random") == (acts.BotAsked(1, "random"),)

    def test_a_bot_may_replace_somebody_who_does_not_come_to_the_rematch(self) -> None:
        desk = Desk(2, reserved=(ADA, BEN))
        desk.say(ADA, Sit)
        desk.say(ADA, AskBot, seat=1)
        assert desk.table.seats[1].kept is None
        with refused(errors.NO_FREE_SEAT):
            desk.say(BEN, Sit)

    def test_a_taken_seat_gets_none(self) -> None:
        with refused(errors.NO_FREE_SEAT):
            seated(ADA, BEN).say(ADA, AskBot, seat=1)
        with refused(errors.NO_SUCH_SEAT):
            seated(ADA, BEN).say(ADA, AskBot, seat=2)

    def test_strangers_ask_for_nothing(self) -> None:
        with refused(errors.NOT_ALLOWED):
            Desk(3).say(BEN, AskBot)

    def test_it_is_too_late_once_all_are_ready(self) -> None:
        desk = seated(ADA, BEN)
        desk.say(ADA, Ready, commitment="11" * 32)
        desk.say(BEN, Ready)
        with refused(errors.NO_FREE_SEAT):
            desk.say(ADA, AskBot)
        with refused(errors.ALREADY_STARTED):
            started(ADA, BEN).say(ADA, AskBot)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (Ready, {}),
        (Reveal, {"nonce": "00" * 32}),
        (Play, {"decision": 1, "move": "keep"}),
        (Next, {"round": 1}),
        (Mind, {"seat": 0}),
    ],
)
def test_who_does_not_sit_there_has_no_say(kind: type, fields: dict[str, object]) -> None:
    with refused(errors.NOT_SEATED):
        started(ADA, BEN).say(CEM, kind, **fields)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [(Play, {"decision": 1, "move": "keep"}), (Next, {"round": 1}), (Mind, {"seat": 0})],
)
def test_what_belongs_to_a_match_waits_for_its_start(kind: type, fields: dict[str, object]) -> None:
    with refused(errors.NOT_STARTED):
        seated(ADA, BEN).say(ADA, kind, **fields)


def test_at_a_closed_table_nobody_does_anything() -> None:
    desk = seated(ADA, BEN)
    desk.happen(acts.Closed("operator"), by="server")
    for kind in (Sit, Stand, AskBot, Ready, Leave):
        with refused(errors.TABLE_CLOSED):
            desk.say(ADA, kind)
