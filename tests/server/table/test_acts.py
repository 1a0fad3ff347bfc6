"""Entries and their lines: what is written can be read, and nothing else."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.record import Record, RecordLine
from server.table import acts
from server.table.acts import AnyAct, Cause, Entry, NewerEntry, Reserved, decode_entry, encode_entry
from server.table.read_text import UnreadableLine, read_line
from server.table.text import act_line
from tests.server.table.desk import SEED

seats = st.integers(0, 4)
players = st.text("0123456789abcdefghjkmnpqrstvwxyz", min_size=1, max_size=16)
names = st.text(min_size=1, max_size=24).filter(str.isprintable)
levels = st.text("abcXYZ019_.:-", max_size=32)
bytes32 = st.binary(min_size=32, max_size=32)
created = st.builds(
    acts.Created,
    game=st.just("scout"),
    variant=st.sampled_from(("", "short")),
    seats=st.integers(2, 5),
    private=st.booleans(),
    move_seconds=st.none() | st.integers(5, 30 * 86400),
    quick=st.booleans(),
    seed=st.just(SEED),
    commitment=bytes32,
    invite=st.none(),
    creator=players,
    reserved=st.lists(st.none() | st.builds(Reserved, players, names), max_size=5).map(tuple),
)
any_act: st.SearchStrategy[AnyAct] = st.one_of(
    created,
    st.builds(acts.Sat, seats, players, names, st.booleans()),
    st.builds(acts.Stood, seats, st.sampled_from(("stood", "cleared", "unready", "unrevealed"))),
    st.builds(acts.BotAsked, seats, levels),
    st.builds(acts.BotsOffered),
    st.builds(acts.Readied, seats, st.none() | bytes32),
    st.builds(acts.RevealAsked),
    st.builds(acts.Revealed, seats, bytes32),
    st.builds(acts.Started, st.lists(seats, min_size=2, max_size=5).map(tuple)),
    st.builds(acts.Chance, st.sampled_from(("deal A 7/2 | 1/5 |", "deal C 1/2 3/4 | 5/6 7/8 | keeping 1/3 1/4"))),
    st.builds(acts.Moved, seats, st.sampled_from(("keep", "show 3-5", "scout left turned 4 show 1")), st.booleans()),
    st.builds(acts.Minded, seats, st.sampled_from(("time", "left", "voted"))),
    st.builds(acts.Back, seats),
    st.builds(acts.SaidNext, seats),
    st.builds(acts.Voted, seats, seats),
    st.builds(acts.Rematched, seats, players),
    st.builds(acts.Closed, st.sampled_from(("", "empty", "abandoned", "operator", "store"))),
)
times = st.integers(0, 10**15 - 1)
slowly = settings(deadline=None)
numbers = st.integers(1, 999_999_999)


def test_the_strategies_make_every_act() -> None:
    made: set[type] = set()

    @slowly
    @given(any_act)
    def look(act: AnyAct) -> None:
        made.add(type(act))

    look()
    assert made == set(AnyAct.__args__)


@slowly
@given(numbers, any_act, times)
def test_every_act_is_read_back_from_its_line(number: int, act: AnyAct, after_ms: int) -> None:
    line = act_line(number, act, after_ms)
    text = str(Record("scout", 2, moves=(line,)))
    (parsed,) = Record.parse(text).moves
    assert parsed == line
    assert read_line(parsed, SEED) == (number, act, after_ms)


@slowly
@given(any_act, times, st.none() | st.builds(Cause, players, st.text(max_size=64), st.binary(max_size=16)))
def test_every_entry_is_read_back_from_its_bytes(act: AnyAct, at: int, cause: Cause | None) -> None:
    entry = Entry(at, "player", (act, act), cause)
    assert decode_entry(encode_entry(entry)) == entry


@slowly
@given(st.text(max_size=80), st.none() | seats | st.just(-1), st.text(max_size=20))
def test_any_other_line_is_refused(comment: str, actor: int | None, move: str) -> None:
    """No line does anything but be read, as somebody writes it, or be refused."""
    line = RecordLine(1, actor, move, comment)
    try:
        read = read_line(line, SEED)
    except UnreadableLine:
        return
    assert read.number == 1


@slowly
@given(st.data())
def test_a_line_that_was_changed_is_read_as_written_or_refused(data: st.DataObject) -> None:
    line = act_line(1, data.draw(any_act), data.draw(times))
    comment = line.comment or ""
    place = data.draw(st.integers(0, len(comment)))
    comment = comment[:place] + data.draw(st.text(max_size=3)) + comment[place + data.draw(st.integers(0, 3)) :]
    changed = RecordLine(1, line.actor, line.move, comment)
    try:
        read = read_line(changed, SEED)
    except UnreadableLine:
        return
    if act_line(*read) == changed:  # what verify asks for
        assert read_line(act_line(*read), SEED) == read


@pytest.mark.parametrize(
    "comment",
    [
        None,
        "",
        "+",
        "+-1 bots_offered",
        "+1",
        "+1 ",
        "+1 nonsense",
        "+1 sat 0",
        '+1 sat 0 abc dog "Rex"',
        '+1 sat 0 abc person ""',
        '+1 sat 0 abc person "a\\u0007b"',
        '+1 sat 0 abc person "a" "b"',
        "+1 created",
        "+1 stood 0 bored",
        "+1 stood x stood",
        "+1 minded 0 bored",
        "+1 readied 0 abcd",
        "+1 readied 0",
        f"+1 revealed 0 {'zz' * 32}",
        "+1 revealed 0 -",
        "+1 bots_offered now",
        "+1 bot_asked 0 a b",
        "+1 voted 0",
    ],
)
def test_these_lines_say_nothing(comment: str | None) -> None:
    with pytest.raises(UnreadableLine):
        read_line(RecordLine(1, comment=comment), SEED)


def test_nothing_follows_a_move_but_the_minder() -> None:
    assert read_line(RecordLine(1, 0, "keep", "+1 minder"), SEED).act == acts.Moved(0, "keep", minder=True)
    for actor, comment in ((0, "+1 robot"), (-1, "+1 minder"), (0, "1"), (0, None)):
        with pytest.raises(UnreadableLine):
            read_line(RecordLine(1, actor, "keep", comment), SEED)
    with pytest.raises(UnreadableLine):
        read_line(RecordLine(None, 0, "keep", "+1"), SEED)


class TestEntriesOfOtherVersions:
    def test_a_newer_entry_that_looks_like_ours_is_refused(self) -> None:
        entry = Entry(1, "player", (acts.BotsOffered(),), schema=acts.SCHEMA + 1)
        with pytest.raises(NewerEntry):
            decode_entry(encode_entry(entry))

    def test_a_newer_entry_of_another_form_is_refused_as_newer(self) -> None:
        data = msgspec.msgpack.encode({"schema": acts.SCHEMA + 1, "acts": {"everything": "new"}})
        with pytest.raises(NewerEntry):
            decode_entry(data)

    def test_a_damaged_entry_of_ours_is_not_called_newer(self) -> None:
        with pytest.raises(msgspec.ValidationError):
            decode_entry(msgspec.msgpack.encode({"schema": acts.SCHEMA, "acts": ["?"]}))
