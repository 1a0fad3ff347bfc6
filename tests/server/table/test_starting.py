"""The start: readiness, nonces, and what nobody can steer."""

from hashlib import sha256

from protocol import errors
from protocol.commands import AskBot, Leave, Ready, Reveal, Sit, Stand
from server.table import acts
from server.table.views import listing, wants
from tests.server.table.courses import seated, started
from tests.server.table.desk import ADA, BEN, CEM, DOT, HAL, ROBO, Desk, Person, refused

NONCES = {who: sha256(who.id.encode()).digest() for who in (ADA, BEN, CEM, DOT)}


def commit_all(desk: Desk, *people: Person) -> None:
    for who in people:
        desk.say(who, Ready, commitment=sha256(NONCES[who]).hexdigest())


def tell(desk: Desk, who: Person) -> tuple[acts.AnyAct, ...]:
    return desk.say(who, Reveal, nonce=NONCES[who].hex())


class TestReadiness:
    def test_the_match_starts_with_the_last_one_who_is_ready(self) -> None:
        desk = seated(ADA, BEN)
        assert desk.say(ADA, Ready) == (acts.Readied(0, None),)
        readied, started_, dealt = desk.say(BEN, Ready)
        assert (readied, started_) == (acts.Readied(1, None), acts.Started((0, 1)))
        assert isinstance(dealt, acts.Chance)
        assert desk.table.status == "running"

    def test_a_bot_may_be_the_last_one(self) -> None:
        desk = seated(ADA, ROBO)
        desk.say(ADA, Ready)
        desk.say(ROBO, Ready)
        assert desk.table.status == "running"

    def test_a_free_seat_is_not_ready(self) -> None:
        desk = Desk(3)
        for who in (ADA, BEN):
            desk.say(who, Sit)
            desk.say(who, Ready)
        assert not desk.table.begun
        desk.say(CEM, Sit)
        assert desk.table.to_act == (2,)
        desk.say(CEM, Ready)
        assert desk.table.status == "running"

    def test_saying_it_again_changes_nothing(self) -> None:
        desk = seated(ADA, BEN)
        desk.say(ADA, Ready)
        assert desk.say(ADA, Ready) == ()

    def test_until_all_are_ready_one_may_commit_to_another_nonce(self) -> None:
        desk = seated(ADA, BEN)
        desk.say(ADA, Ready)
        commit_all(desk, ADA)
        assert desk.table.seats[0].commitment == sha256(NONCES[ADA]).digest()

    def test_after_that_one_may_not(self) -> None:
        """Else the last one could wait for the others' nonces."""
        desk = seated(ADA, BEN)
        commit_all(desk, ADA, BEN)
        with refused(errors.NOT_ALLOWED):
            desk.say(ADA, Ready, commitment="11" * 32)
        with refused(errors.NOT_ALLOWED):
            desk.say(ADA, Ready)
        with refused(errors.ALREADY_STARTED):
            started(ADA, BEN).say(ADA, Ready)

    def test_who_sits_down_again_is_not_ready(self) -> None:
        desk = seated(ADA, BEN, CEM)
        commit_all(desk, ADA, BEN)
        desk.say(BEN, Stand)
        desk.say(BEN, Sit)
        assert desk.table.seats[0].ready
        assert desk.table.seats[1].commitment is None


class TestNonces:
    def test_all_are_told_then_the_match_starts(self) -> None:
        desk = seated(ADA, BEN, ROBO)
        commit_all(desk, ADA, BEN)
        assert desk.say(ROBO, Ready)[1:] == (acts.RevealAsked(),)
        assert desk.table.to_act == (0, 1)
        assert tell(desk, BEN) == (acts.Revealed(1, NONCES[BEN]),)
        assert tell(desk, BEN) == ()
        assert [type(act) for act in tell(desk, ADA)] == [acts.Revealed, acts.Started, acts.Chance]
        assert [seat.nonce for seat in desk.table.seats] == [NONCES[ADA], NONCES[BEN], None]

    def test_they_change_the_deal(self) -> None:
        one, other = seated(ADA, BEN), seated(ADA, BEN)
        commit_all(one, ADA)
        one.say(BEN, Ready)
        tell(one, ADA)
        for who in (ADA, BEN):
            other.say(who, Ready)
        assert one.acts[-1] != other.acts[-1]

    def test_another_one_than_was_committed_to_is_refused(self) -> None:
        desk = seated(ADA, BEN)
        commit_all(desk, ADA, BEN)
        with refused(errors.WRONG_NONCE):
            desk.say(ADA, Reveal, nonce="00" * 32)

    def test_nobody_is_asked_who_did_not_commit_or_has_told(self) -> None:
        desk = seated(ADA, BEN, CEM)
        with refused(errors.NO_REVEAL_DUE):
            tell(desk, ADA)
        commit_all(desk, ADA, BEN)
        with refused(errors.NO_REVEAL_DUE):
            tell(desk, ADA)
        desk.say(CEM, Ready)
        with refused(errors.NO_REVEAL_DUE):
            tell(desk, CEM)
        tell(desk, ADA)
        with refused(errors.NO_REVEAL_DUE):
            desk.say(ADA, Reveal, nonce="00" * 32)

    def test_after_ten_seconds_who_did_not_tell_is_stood_up_and_all_choose_anew(self) -> None:
        desk = seated(ADA, BEN, CEM)
        commit_all(desk, ADA, BEN, CEM)
        tell(desk, BEN)
        assert desk.wait(9_999) == ()
        assert desk.wait(1) == (acts.Stood(0, "unrevealed"), acts.Stood(2, "unrevealed"))
        assert (desk.table.status, desk.table.since) == ("open", desk.now)
        assert [seat.player for seat in desk.table.seats] == [None, BEN.id, None]
        assert not any(seat.ready or seat.commitment or seat.nonce for seat in desk.table.seats)

    def test_standing_up_meanwhile_makes_all_choose_anew(self) -> None:
        """So nobody can drop a nonce and have the match go on with the others'."""
        for away in (Stand, Leave):
            desk = seated(ADA, BEN, CEM)
            commit_all(desk, ADA, BEN, CEM)
            tell(desk, ADA)
            desk.say(CEM, away)
            assert desk.table.status == "open"
            assert not any(seat.ready or seat.commitment or seat.nonce for seat in desk.table.seats)

    def test_sending_a_bot_away_meanwhile_does_too(self) -> None:
        desk = seated(ADA, ROBO)
        commit_all(desk, ADA)
        desk.say(ROBO, Ready)
        desk.say(ADA, Stand, seat=1)
        assert not desk.table.seats[0].ready

    def test_what_happens_after_the_start_changes_no_deal(self) -> None:
        """Whoever leaves, and whoever plays, later rounds are dealt from the same nonces."""
        deals = []
        for leaves in (False, True):
            desk = seated(ADA, BEN, CEM)
            commit_all(desk, ADA, BEN, CEM)
            for who in (ADA, BEN, CEM):
                tell(desk, who)
            if leaves:
                desk.say(BEN, Leave)
            desk.wait(3_600_000)
            assert desk.table.status == "over"
            every = [act for step in desk.steps for act in step.entry.acts]
            deals.append([act.move for act in every if isinstance(act, acts.Chance)])
        assert deals[0] == deals[1]


class TestQuickMatch:
    def test_bots_are_offered_after_twenty_seconds_of_waiting(self) -> None:
        desk = Desk(3, quick=True)
        assert desk.wait(60_000) == ()
        desk.say(ADA, Sit)
        assert desk.wait(19_999) == ()
        assert not desk.view(0).bots_offered
        assert desk.wait(1) == (acts.BotsOffered(),)
        assert desk.view(0).bots_offered
        assert desk.wait(3_600_000) == ()

    def test_until_then_nobody_may_ask_for_one(self) -> None:
        desk = Desk(3, quick=True)
        desk.say(ADA, Sit)
        with refused(errors.NOT_ALLOWED, match="20 seconds"):
            desk.say(ADA, AskBot)
        desk.wait(20_000)
        desk.say(ADA, AskBot)

    def test_waiting_begins_anew_for_who_comes_to_an_empty_table(self) -> None:
        desk = Desk(3, quick=True)
        desk.say(ADA, Sit)
        desk.wait(15_000)
        desk.say(ADA, Stand)
        desk.say(BEN, Sit)
        assert desk.wait(19_999) == ()
        assert desk.wait(1) == (acts.BotsOffered(),)

    def test_a_full_table_starts_after_ten_seconds_without_the_unready(self) -> None:
        desk = seated(ADA, BEN, CEM, DOT, quick=True)
        assert desk.view(0).deadline_ms == 10_000
        for who in (ADA, DOT):
            desk.say(who, Ready)
        assert desk.wait(9_999) == ()
        stood = (acts.Stood(1, "unready"), acts.Stood(2, "unready"))
        assert desk.wait(1)[:3] == (*stood, acts.Started((0, 3)))
        assert [seat.player for seat in desk.table.seats] == [ADA.id, DOT.id]
        assert desk.table.options.seats == 2

    def test_their_nonces_are_asked_for_first(self) -> None:
        desk = seated(ADA, BEN, CEM, quick=True)
        commit_all(desk, ADA, CEM)
        assert desk.wait(10_000)[-1] == acts.RevealAsked()
        with refused(errors.NO_FREE_SEAT):
            desk.say(BEN, Sit)
        tell(desk, ADA)
        assert acts.Started((0, 2)) in tell(desk, CEM)
        assert [seat.nonce for seat in desk.table.seats] == [NONCES[ADA], NONCES[CEM]]

    def test_one_alone_does_not_start_but_stays_ready(self) -> None:
        desk = seated(ADA, BEN, CEM, quick=True)
        desk.say(BEN, Ready)
        desk.wait(10_000)
        assert desk.table.status == "open"
        assert [seat.player for seat in desk.table.seats] == [None, BEN.id, None]
        assert desk.table.seats[1].ready

    def test_the_ten_seconds_begin_anew_when_the_table_fills_again(self) -> None:
        desk = seated(ADA, BEN, quick=True)
        desk.wait(8_000)
        desk.say(BEN, Stand)
        desk.say(CEM, Sit)
        assert desk.wait(9_999) == ()
        assert desk.wait(1) == (acts.Stood(0, "unready"), acts.Stood(1, "unready"))

    def test_other_tables_wait_for_ever(self) -> None:
        desk = seated(ADA, BEN)
        assert desk.view(0).deadline_ms is None
        assert desk.wait(3_600_000) == ()


class TestWhatOthersHear:
    def test_the_lobby_hears_of_public_tables_that_live(self) -> None:
        assert listing(seated(ADA, BEN).table)
        assert listing(seated(ADA, BEN, private=True).table) is None
        desk = seated(ADA, BEN)
        desk.happen(acts.Closed("empty"), by="server")
        assert listing(desk.table) is None

    def test_bots_hear_of_seats_that_ask_while_the_table_is_open(self) -> None:
        desk = Desk(3)
        assert wants(desk.table) is None
        desk.say(ADA, AskBot, seat=2)
        assert wants(desk.table)
        desk.say(HAL, Sit)
        assert wants(desk.table) is None
