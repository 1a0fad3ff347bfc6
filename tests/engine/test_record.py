"""Records: how they look, what they keep, and that the first wrong line is named."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import IllegalMove, RecordError
from engine.game import CHANCE
from engine.record import MAX_CHARACTERS, Record, RecordLine
from engine.scout import SCOUT
from tests.engine.courses import Course, random_course
from tests.engine.toy import ToyGame

TOY = ToyGame()
TEXT = """\
[Game "toy"]
[Players "2"]
[Event "a \\"small\\" one \\\\"]

1. * deal 3 1
; nothing happened
2. ; A sat down ; again
2. B fold ; quick
3. A bet
= 1 0
"""


def scout_course(length: int = 5000) -> Course:
    return random_course(SCOUT, 3, "", Random(1), length)


class TestLooks:
    def test_a_record_is_read_and_written(self) -> None:
        record = Record.parse(TEXT)
        assert (record.game, record.players, record.variant, record.totals) == ("toy", 2, "", (1, 0))
        assert record.tags == (("Event", 'a "small" one \\'),)
        assert record.moves == (
            RecordLine(1, CHANCE, "deal 3 1"),
            RecordLine(comment="nothing happened"),
            RecordLine(2, comment="A sat down ; again"),
            RecordLine(2, 1, "fold", "quick"),
            RecordLine(3, 0, "bet"),
        )
        assert str(record) == TEXT
        assert Record.parse(TEXT.replace("\n", "\r\n")) == record
        assert Record.parse(TEXT.removesuffix("\n")) == record

    def test_extra_spaces_are_forgiven(self) -> None:
        assert Record.parse(TEXT.replace("B fold ;", " B   fold  ;")) == Record.parse(TEXT)

    def test_a_variant_is_in_the_header_only_if_it_is_not_the_usual_one(self) -> None:
        assert '[Variant "strict"]\n\n' in str(Record("toy", 2, "strict"))
        assert Record.parse(str(Record("toy", 2, "strict", (("Date", ""),)))).variant == "strict"
        assert "Variant" not in str(Record("toy", 2))

    def test_a_semicolon_inside_a_word_begins_no_comment(self) -> None:
        assert Record.parse(TEXT.replace("bet", "bet;x")).moves[-1].move == "bet;x"

    def test_an_empty_comment_stays(self) -> None:
        line = RecordLine(4, comment="")
        assert Record.parse(str(Record("toy", 2, moves=(line,)))).moves == (line,)
        assert Record.parse(TEXT.replace("; nothing happened", ";")).moves[1] == RecordLine(comment="")

    def test_a_record_of_moves(self) -> None:
        course = scout_course()
        record = Record.of(SCOUT, 3, course.moves, tags=[("Date", "2024-05-01")])
        assert str(record).startswith('[Game "scout"]\n[Players "3"]\n[Date "2024-05-01"]\n\n1. * deal ')
        outcome = SCOUT.outcome(course.states[-1])
        assert outcome is not None
        assert record.totals == outcome.scores
        assert tuple(record.states()) == course.states

    def test_the_beginning_of_a_game_is_a_record(self) -> None:
        course = scout_course(30)
        record = Record.of(SCOUT, 3, course.moves)
        assert record.totals is None
        assert tuple(Record.parse(str(record)).states()) == course.states
        assert tuple(Record.of(SCOUT, 3, ()).states()) == (SCOUT.initial(3),)

    def test_only_courses_have_records(self) -> None:
        with pytest.raises(IllegalMove):
            Record.of(SCOUT, 3, scout_course().moves[1:])
        with pytest.raises(ValueError, match="players"):
            Record.of(SCOUT, 9, ())


class TestReplay:
    def test_comments_and_tags_do_not_matter(self) -> None:
        states = list(Record.parse(TEXT).states(TOY))
        assert [TOY.text(state) for state in states] == [
            "toy () (None, None)",
            "toy (3, 1) (None, None)",
            "toy (3, 1) (None, 'fold')",
            "toy (3, 1) ('bet', 'fold')",
        ]

    def test_states_come_as_they_are_asked_for(self) -> None:
        states = Record.parse(TEXT.replace("A bet", "A raise")).states(TOY)
        assert len([next(states), next(states), next(states)]) == 3
        with pytest.raises(RecordError):
            next(states)

    @pytest.mark.parametrize(
        ("old", "new", "line", "message"),
        [
            ("deal 3 1", "deal 3 3", 5, "different"),
            ("B fold", "B check", 8, "Bet or fold"),
            ("3. A bet", "3. B bet", 9, "not your turn"),
            ("= 1 0", "= 0 1", 10, "they are 1 0"),
            ("3. A bet\n", "", 9, "not over"),
        ],
    )
    def test_the_first_wrong_line_is_named(self, old: str, new: str, line: int, message: str) -> None:
        with pytest.raises(RecordError, match=message) as wrong:
            list(Record.parse(TEXT.replace(old, new)).states(TOY))
        assert wrong.value.line == line

    def test_an_unknown_game_is_in_the_first_line(self) -> None:
        with pytest.raises(RecordError, match="toy") as wrong:
            list(Record.parse(TEXT).states())
        assert wrong.value.line == 1

    def test_too_many_players_are_in_the_second(self) -> None:
        with pytest.raises(RecordError) as wrong:
            list(Record("scout", 9).states())
        assert wrong.value.line == 2

    def test_lines_are_counted_with_the_header(self) -> None:
        assert Record.parse(TEXT).line(0) == 5
        assert Record("toy", 2, "strict").line(0) == 5


class TestRefusals:
    @pytest.mark.parametrize(
        ("old", "new", "line"),
        [
            (TEXT, "", 1),
            ('[Game "toy"]\n', "", 1),
            ('[Players "2"]\n', "", 2),
            ('"2"', '"02"', 2),
            ('"2"', '"0"', 2),
            ('"2"', '"many"', 2),
            ("[Event", '[Game "x"]\n[Event', 3),
            ("[Event", '[Variant ""]\n[Event', 3),
            ("\n\n", '\n[Variant "x"]\n\n', 3),
            ("[Event", "[2nd", 3),
            ('\\"small', '"small', 3),
            ("\\\\", "\\n", 3),
            ("small", "sm\all", 3),
            ("\n\n1", "\n1", 4),
            ("1. *", "1 *", 5),
            ("1. *", "0. *", 5),
            ("1. *", "1. F", 5),
            ("1. *", "*", 5),
            ("1. * deal 3 1", "1. *", 5),
            ("1. * deal 3 1", "1.", 5),
            ("1. * deal 3 1", "", 5),
            ("1. * deal 3 1", "99999999999. * deal 3 1", 5),
            ("nothing", "no\tthing", 6),
            ("nothing", "no\u2028thing", 6),
            ("nothing", "no\ud800thing", 6),
            ("3. A", "1. A", 9),
            ("= 1 0", "= 1 00", 10),
            ("= 1 0", "= 1 x", 10),
            ("= 1 0", "=", 10),
            ("= 1 0\n", "= 1 0\n; more\n", 10),
            ("= 1 0\n", "= 1 0\n\n", 10),
            ("nothing", "x" * MAX_CHARACTERS, 1),
        ],
    )
    def test_the_wrong_line_is_named(self, old: str, new: str, line: int) -> None:
        assert old in TEXT
        with pytest.raises(RecordError) as wrong:
            Record.parse(TEXT.replace(old, new, 1))
        assert wrong.value.line == line
        assert str(wrong.value) == f"line {line}: {wrong.value.message}"

    @pytest.mark.parametrize(
        "record",
        [
            Record("toy", 2, tags=(("Game", "again"),)),
            Record("toy", 2, tags=(("two words", "x"),)),
            Record("toy", 2, tags=(("Date", "a\nb"),)),
            Record("toy", 2, moves=(RecordLine(1, 9, "bet"),)),
            Record("toy", 2, moves=(RecordLine(1, 0, "bet ; x"),)),
            Record("toy", 2, moves=(RecordLine(1, 0, ""),)),
            Record("toy", 2, moves=(RecordLine(2, 0, "bet"), RecordLine(1, 1, "bet"))),
            Record("toy", 2, moves=(RecordLine(None, 0, "bet"),)),
            Record("toy", 2, moves=(RecordLine(1, None, "bet", "x"),)),
            Record("toy", 2, moves=(RecordLine(1, comment="x\ny"),)),
            Record("toy", 2, moves=(RecordLine(1, comment=" x"),)),
            Record("toy", 2, totals=()),
        ],
    )
    def test_what_could_not_be_read_is_not_written(self, record: Record) -> None:
        with pytest.raises(ValueError, match=r"record|header"):
            str(record)


words = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=20)
comments = st.none() | words.map(lambda text: text.strip(" "))
lines = st.builds(
    RecordLine, st.none(), st.none(), st.just(""), comments.filter(lambda text: text is not None)
) | st.builds(RecordLine, st.just(7), st.integers(-1, 4), st.sampled_from(["bet", "deal 1 2", "show 3-5"]), comments)


@settings(max_examples=60, deadline=None)
@given(
    st.builds(
        Record,
        words,
        st.integers(1, 9),
        words,
        st.lists(
            st.tuples(st.from_regex(r"[A-Z][a-z]{9,12}", fullmatch=True), words), unique_by=lambda tag: tag[0]
        ).map(tuple),
        st.lists(lines, max_size=8).map(tuple),
        st.none() | st.lists(st.integers(-99, 99), min_size=1).map(tuple),
    )
)
def test_every_record_is_read_back(record: Record) -> None:
    assert Record.parse(str(record)) == record


@settings(max_examples=200, deadline=None)
@given(
    st.integers(0, len(TEXT)),
    st.integers(0, 9),
    st.text(max_size=6) | st.sampled_from(["\n", "\n\n", "1. ", ' "', "; "]),
)
def test_no_text_breaks_the_reader(place: int, gone: int, put: str) -> None:
    try:
        record = Record.parse(TEXT[:place] + put + TEXT[place + gone :])
        list(record.states(TOY))
    except RecordError:
        return
    assert Record.parse(str(record)) == record


@pytest.mark.parametrize("text", ["", '[Game "toy"]', "\n"])
def test_a_line_that_is_missing_at_the_end_is_named_by_the_last_one(text: str) -> None:
    with pytest.raises(RecordError) as wrong:
        Record.parse(text)
    assert wrong.value.line == 1
