"""What a server cannot write into a record, though it knows the seed and can make every head fit."""

from collections.abc import Callable

import pytest

from server.table.record import written_time
from server.table.verify import verify
from tests.server.table.desk import START
from tests.server.table.forging import header, is_wrong, resealed, with_line


def forged(text: str, find: str, change: Callable[[str], str | None], match: str) -> None:
    """The change is found, in that very line."""
    changed, line = with_line(text, find, change)
    assert is_wrong(resealed(changed), match) == line


def put(new: str) -> Callable[[str], str]:
    return lambda _: new


def swap(old: str, new: str) -> Callable[[str], str]:
    def swapped(row: str) -> str:
        assert old in row
        return row.replace(old, new, 1)

    return swapped


def test_sealing_again_changes_no_honest_record(short: str, eventful: str) -> None:
    """Else the tests here would show nothing."""
    assert resealed(short) == short
    assert resealed(eventful) == eventful


class TestDeals:
    def test_another_one_is_found(self, short: str) -> None:
        forged(short, r"\* deal B", swap("10/2 2/5", "2/5 10/2"), "not what the seed and the nonces deal")

    def test_one_of_other_cards_is_found(self, short: str) -> None:
        forged(short, r"\* deal B", swap("10/2 2/5", "10/2 10/2"), "right cards")

    def test_one_more_is_found(self, short: str) -> None:
        changed, line = with_line(short, r"\* deal A", lambda row: f"{row}\n{row}")
        assert is_wrong(resealed(changed), "No deal is due") == line + 1

    def test_a_nonce_that_was_not_committed_to_is_found(self, short: str) -> None:
        forged(short, "revealed 1", swap(" 1 d2", " 1 d3"), "does not fit the commitment")

    def test_a_start_without_a_nonce_is_found(self, short: str) -> None:
        """The server cannot leave out a nonce that leads to a deal it does not like."""
        changed, line = with_line(short, "revealed 1", lambda _: None)
        assert is_wrong(resealed(changed), "nonce that was committed to is missing") == line

    def test_a_start_without_asking_for_nonces_is_found(self, short: str) -> None:
        changed, _ = with_line(short, "reveal_asked", lambda _: None)
        is_wrong(resealed(changed), "No nonce is asked for")

    def test_asking_for_nonces_too_early_is_found(self, short: str) -> None:
        changed, line = with_line(short, "readied 1", lambda row: f"5. ; +0 reveal_asked\n{row}")
        assert is_wrong(resealed(changed), "when all are ready") == line

    def test_a_commitment_after_the_others_nonces_is_found(self, short: str) -> None:
        changed, line = with_line(short, "revealed 1", lambda row: f"7. ; +0 readied 1 {'ab' * 32}\n{row}")
        assert is_wrong(resealed(changed), "Only a seated player gets ready") == line

    def test_another_order_of_the_seats_is_found(self, short: str) -> None:
        forged(short, "started 0 1", swap("0 1", "1 0"), "when all are ready")
        forged(short, "started 0 1", swap("0 1", "0"), "when all are ready")

    def test_another_seed_is_found(self, short: str) -> None:
        changed, line = with_line(short, r"^\[Seed ", put(f'[Seed "{"00" * 32}"]'))
        assert is_wrong(changed, "the seed does not fit the commitment") == line

    def test_another_commitment_in_the_first_entry_is_found(self, short: str) -> None:
        forged(short, "created", swap("commitment 63", "commitment 64"), "commitment to the seed")


class TestMoves:
    def test_an_illegal_one_is_found(self, short: str) -> None:
        forged(short, r"^11\. ", put("11. A show 1-11 ; +0"), "neither all equal nor a run")
        forged(short, r"^11\. ", put("11. B show 1 ; +0"), "not your turn")
        forged(short, r"^11\. ", put("11. E keep ; +0"), "no seat 4")
        forged(short, r"^11\. ", put("11. A castle ; +0"), "move is one of")

    def test_another_spelling_is_found(self, short: str) -> None:
        forged(short, r"^8\. A turn", put("8. A TURN ; +0"), "one notation")

    def test_a_legal_one_leads_to_another_head(self, short: str) -> None:
        changed, line = with_line(short, r"^8\. A turn", put("8. A keep ; +0"))
        assert is_wrong(changed, "entry 8 does not give the head") == line

    def test_one_of_a_minder_for_who_is_here_is_found_and_the_reverse(self, short: str, eventful: str) -> None:
        forged(short, r"^8\. A turn", put("8. A turn ; +0 minder"), "The minder plays for minded seats")
        forged(eventful, " minder$", lambda row: row.removesuffix(" minder"), "The minder plays for minded seats")

    def test_one_before_the_start_is_found(self, short: str) -> None:
        forged(short, r"^4\. ", put("4. A keep ; +0"), "No round is being played")
        forged(short, r"^4\. ", put("4. * deal A 1/2 | 1/3 | ; +0"), "No deal is due")


class TestLines:
    @pytest.mark.parametrize(
        ("find", "line", "match"),
        [
            ("created", '1. ; +0 sat 0 abc person "X"', "begins with a creation"),
            (r"^2\. ", "2. ; +0 created scout - 2 60 by abc commitment {commitment}", "created once"),
            (r"^2\. ", '2. ; +0 sat 9 abc person "X"', "no seat 9"),
            (r"^3\. ", '3. ; +0 sat 0 abc person "X"', "Only a free seat"),
            (r"^3\. ", '3. ; +0 sat 1 adaadaadaadaadaa person "Ada"', "Nobody sits on two seats"),
            (r"^3\. ", "3. ; +0 stood 1 stood", "Nobody and nothing"),
            (r"^3\. ", "3. ; +0 readied -1 -", "no seat -1"),
            (r"^3\. ", "3. ; +0 bot_asked 0", "Only a free seat"),
            (r"^3\. ", "3. ; +0 minded 0 time", "Only a match has minders"),
            (r"^3\. ", "3. ; +0 back 0", "Only a minded seat"),
            (r"^3\. ", "3. ; +0 said_next 0", "No result"),
            (r"^3\. ", "3. ; +0 voted 0 1", "does not count"),
            (r"^3\. ", "3. ; +0 rematched 0 abc", "comes after the match"),
            (r"^3\. ", "3. ; +0 reveal_asked", "when all are ready"),
            (r"^3\. ", "3. ; +0 revealed 0 {commitment}", "No nonce is asked for"),
            (r"^3\. ", "3. ; +0 started 0 1", "A match starts once"),
            (r"^10\. ", "10. ; +0 stood 0 stood", "Nobody stands up"),
            (r"^10\. ", "10. ; +0 bots_offered", "before the start"),
            (r"^10\. ", "10. ; +0 said_next 1", "No result"),
            (r"^10\. ", "10. ; +0 voted 0 0", "does not count"),
            (r"^10\. ", "10. ; +00 voted 0 1", "not how such a line is written"),
            (r"^10\. ", "10. ; +0 voted 0  1", "not how such a line is written"),
            (r"^10\. ", "11. ; +0 voted 0 1", "entry 10 should stand here"),
            (r"^10\. ", "10. ; a remark", "no line of an entry"),
            (r"^10\. ", "; a remark", "entry 10 should stand here"),
            ("created", "1. ; +0 created chess - 2 60 by abc commitment {commitment}", "no such game"),
            ("created", "1. ; +0 created scout - 6 60 by abc commitment {commitment}", "not played like this"),
            ("created", "1. ; +0 created scout odd 2 60 by abc commitment {commitment}", "not played like this"),
            ("created", "1. ; +0 created scout - 2 60 by abc commitment {commitment} kept -", "Every seat is kept"),
            ("created", "1. ; +5 created scout - 2 60 by abc commitment {commitment}", "at no time but its own"),
        ],
    )
    def test_one_that_cannot_follow_is_found(self, short: str, find: str, line: str, match: str) -> None:
        forged(short, find, put(line.format(commitment=header(short, "Commitment"))), match)

    def test_nothing_follows_on_a_closed_table(self, short: str) -> None:
        changed, line = with_line(short, r"^10\. ", lambda row: f"10. ; +0 closed empty\n{row}")
        assert is_wrong(resealed(changed), "closed table") == line + 1

    def test_a_match_that_was_closed_has_no_record(self, short: str) -> None:
        changed, line = with_line(short, "^= ", lambda row: f"39. ; +20000 closed operator\n; head 39 \n{row}")
        assert is_wrong(resealed(changed), "does not end here") == line + 2

    def test_who_left_is_minded_already(self, eventful: str) -> None:
        changed, line = with_line(eventful, "minded 2 left", lambda row: f"{row}\n{row}")
        assert is_wrong(resealed(changed), "The minder plays there already") == line + 1

    def test_there_is_one_rematch(self, eventful: str) -> None:
        changed, line = with_line(eventful, "rematched 0", lambda row: f"{row}\n{row}")
        assert is_wrong(resealed(changed), "One rematch") == line + 1

    def test_a_record_that_goes_on_is_found(self, short: str) -> None:
        changed, line = with_line(short, "^= ", lambda row: f"39. ; +20000 bots_offered\n{row}")
        assert is_wrong(changed, "no head stands after this entry") == line


class TestTime:
    def test_it_does_not_go_back(self, short: str) -> None:
        forged(short, r"^25\. ", swap("+20000", "+0"), "time does not go back")

    def test_an_entry_happens_at_one(self, short: str) -> None:
        forged(short, r"7\. ; \+0 started", swap("+0", "+1"), "an entry happens at one time")

    def test_the_time_of_creation_is_bound_by_the_heads(self, short: str) -> None:
        other = written_time(START + 1)
        changed, _ = with_line(short, r"^\[Created ", put(f'[Created "{other}"]'))
        is_wrong(changed, "entry 1 does not give the head")
        assert verify(resealed(changed)).table.created == START + 1

    def test_what_was_shown_during_play_finds_a_record_that_was_written_anew(self, short: str) -> None:
        """The only forgery that the record alone cannot show."""
        changed, _ = with_line(short, '"Ada"$', lambda row: row.replace("Ada", "Eve"))
        changed, _ = with_line(resealed(changed), r"^\[SeatA ", put('[SeatA "Eve"]'))
        verify(changed)
        (shown,) = (row.split()[-1] for row in short.split("\n") if row.startswith("; head 2 "))
        is_wrong(changed, "another head was shown for version 2", {2: shown})
