"""`verify` takes real records and finds every change."""

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from engine.record import Record
from server.table.fold import Step
from server.table.record import read_time, record, written_time
from server.table.verify import WrongRecord, verify
from tests.server.table.desk import SEED, START, TABLE
from tests.server.table.forging import entry_of, header, is_wrong, with_line

many = settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


class TestRealRecords:
    def test_they_hold(self, steps_of_any_number: list[Step]) -> None:
        text = str(record(steps_of_any_number))
        verified = verify(text)
        last = steps_of_any_number[-1].table
        assert verified.table.game == last.game
        assert verified.heads == tuple(step.table.head for step in steps_of_any_number)
        assert verified.deals == len(last.seats)
        assert verified.moves == sum(seat.decision - 1 for seat in last.seats)

    def test_the_heads_that_were_shown_are_those(self, steps_of_any_number: list[Step]) -> None:
        text = str(record(steps_of_any_number))
        verify(text, {step.table.version: step.table.head.hex() for step in steps_of_any_number})

    def test_the_engine_replays_them_to_every_state(self, steps_of_any_number: list[Step]) -> None:
        states = list(Record.parse(str(record(steps_of_any_number))).states())
        played = [step.table.game for step in steps_of_any_number if step.table.game is not None]
        assert states[-1] == played[-1]
        assert all(state in states for state in played)

    def test_so_does_an_eventful_one(self, eventful: str) -> None:
        verify(eventful)
        for word in ("minded 0 time", "back 1", "minded 2 left", " minder\n", "rematched 0"):
            assert word in eventful


class TestChanges:
    """Each is found, and the line it names is near."""

    def near(self, text: str, changed: str, line: int) -> None:
        found = is_wrong(changed)
        rows = text.split("\n")
        end = rows.index("") + 1
        if line <= end:  # the header binds all that follows
            assert found <= end + 1
        else:
            first, last = entry_of(text, line)
            assert first <= found <= last + 1

    @many
    @given(st.data())
    def test_of_one_character(self, short: str, data: st.DataObject) -> None:
        place = data.draw(st.integers(0, len(short) - 1))
        other = data.draw(st.characters(exclude_characters=short[place]) | st.sampled_from("0123456789abcdef -"))
        changed = short[:place] + other + short[place + 1 :]
        if changed != short:
            self.near(short, changed, short.count("\n", 0, place) + 1)

    @many
    @given(st.data())
    def test_of_some_characters_more_or_less(self, eventful: str, data: st.DataObject) -> None:
        place = data.draw(st.integers(0, len(eventful)))
        end = place + data.draw(st.integers(0, 3))
        changed = eventful[:place] + data.draw(st.text(max_size=3)) + eventful[end:]
        if changed != eventful:
            self.near(eventful, changed, eventful.count("\n", 0, place) + 1)

    @many
    @given(st.data())
    def test_of_a_line_left_out(self, short: str, data: st.DataObject) -> None:
        rows = short.split("\n")
        line = data.draw(st.integers(1, len(rows)))
        self.near(short, "\n".join(rows[: line - 1] + rows[line:]), line)

    @many
    @given(st.data())
    def test_of_a_line_twice(self, eventful: str, data: st.DataObject) -> None:
        rows = eventful.split("\n")
        line = data.draw(st.integers(1, len(rows)))
        self.near(eventful, "\n".join(rows[:line] + rows[line - 1 :]), line)

    @many
    @given(st.data())
    def test_of_two_lines_exchanged(self, short: str, data: st.DataObject) -> None:
        rows = short.split("\n")
        one, other = sorted(data.draw(st.lists(st.integers(0, len(rows) - 1), min_size=2, max_size=2, unique=True)))
        rows[one], rows[other] = rows[other], rows[one]
        self.near(short, "\n".join(rows), one + 1)

    @many
    @given(st.data())
    def test_of_the_end(self, short: str, data: st.DataObject) -> None:
        is_wrong(short[: data.draw(st.integers(0, len(short) - 1))])
        is_wrong(short + data.draw(st.text(min_size=1, max_size=30)))

    @pytest.mark.slow
    def test_of_any_character(self, short: str) -> None:
        """One change at every place."""
        for place, letter in enumerate(short):
            other = chr(ord(letter) ^ 1)
            self.near(short, short[:place] + other + short[place + 1 :], short.count("\n", 0, place) + 1)

    @pytest.mark.parametrize(
        ("key", "value"),
        [
            ("Game", "chess"),
            ("Players", "3"),
            ("Table", "07k3mnpqrstw"),
            ("Table", "A"),
            ("Created", "2025-10-09T08:53:20.124+00:00"),
            ("Created", "2025-10-09T08:53:20.123"),
            ("Created", "1969-12-31T23:59:59.999+00:00"),
            ("Created", "yesterday"),
            ("SeatA", "Ben"),
            ("Winners", "A"),
            ("Commitment", "00" * 32),
            ("Commitment", "x"),
            ("Seed", bytes(32).hex()),
            ("Seed", SEED.hex().upper()),
        ],
    )
    def test_of_a_value_in_the_header(self, short: str, key: str, value: str) -> None:
        changed, line = with_line(short, rf"^\[{key} ", lambda _: f'[{key} "{value}"]')
        self.near(short, changed, line)

    def test_of_the_totals(self, short: str) -> None:
        changed, line = with_line(short, "^= ", lambda row: row + "0")
        assert is_wrong(changed) == line

    def test_of_line_ends(self, short: str) -> None:
        assert is_wrong(short.replace("\n", "\r\n")) == 1
        assert is_wrong(short.removesuffix("\n")) == short.count("\n")

    def test_of_a_header_that_lacks_something(self, short: str) -> None:
        for key in ("Table", "Created", "Commitment", "Seed"):
            changed, _ = with_line(short, rf"^\[{key} ", lambda _: None)
            assert is_wrong(changed) == 1


@settings(max_examples=300, deadline=None)
@given(st.text())
@example("")
@example('[Game "scout"]\n[Players "2"]\n')
def test_no_text_does_more_than_be_wrong(text: str) -> None:
    with pytest.raises(WrongRecord):
        verify(text)


class TestHeadsThatWereShown:
    def test_another_one_is_found_at_its_entry(self, short: str) -> None:
        line = is_wrong(short, "another head was shown for version 7", {7: "00" * 32})
        assert short.split("\n")[line - 1].startswith("7. ")

    def test_a_version_that_the_record_lacks_is_found(self, short: str) -> None:
        for version in (0, 999):
            is_wrong(short, f"version {version} was shown", {version: "00" * 32})

    def test_another_head_line_is_found_where_it_stands(self, short: str) -> None:
        changed, line = with_line(short, "^; head 3 ", lambda row: row.replace("head 3", "head 4"))
        assert is_wrong(changed, "entry 3 should stand here, and then its head") == line


def test_times_are_written_and_read() -> None:
    assert written_time(START) == "2025-10-09T08:53:20.123+00:00"
    assert read_time(written_time(START)) == START
    assert read_time(written_time(0)) == 0
    for text in ("2025-10-09T08:53:20.123", "2025-10-09", "2025-10-09T10:53:20.123+02:00", "0001-01-01T00:00:00+00:00"):
        with pytest.raises(ValueError, match="time"):
            read_time(text)


def test_the_header_tells_the_table(short: str) -> None:
    assert header(short, "Table") == TABLE
    assert header(short, "Created") == written_time(START)
