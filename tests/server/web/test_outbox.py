"""What waits for a connection, and in which order."""

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.web import outbox as module
from server.web.outbox import Outbox, OutboxLimits

LIMITS = OutboxLimits(frames=3, frame_bytes=100, seat_seconds=10)


def taken(outbox: Outbox) -> list[bytes]:
    return list(iter(outbox.take, None))


def test_replies_keep_their_order() -> None:
    outbox = Outbox(LIMITS)
    assert outbox.put(b"1")
    assert outbox.put(b"2")
    assert len(outbox) == 2
    assert taken(outbox) == [b"1", b"2"]


def test_the_number_of_replies_is_bounded() -> None:
    outbox = Outbox(LIMITS)
    assert [outbox.put(b"x") for _ in range(4)] == [True, True, True, False]
    outbox.take()
    assert outbox.put(b"x")


def test_the_bytes_of_replies_are_bounded() -> None:
    outbox = Outbox(LIMITS)
    assert outbox.put(b"x" * 99)
    assert not outbox.put(b"xx")
    outbox.take()
    assert outbox.put(b"x" * 100)


def test_a_view_takes_the_place_of_an_older_unsent_one() -> None:
    outbox = Outbox(LIMITS)
    outbox.put_view("a", 1, False, b"a1", 0)
    outbox.put(b"reply")
    outbox.put_view("b", 1, False, b"b1", 0)
    outbox.put_view("a", 2, False, b"a2", 0)
    assert taken(outbox) == [b"a2", b"reply", b"b1"]


def test_a_view_older_than_one_that_was_sent_is_dropped() -> None:
    outbox = Outbox(LIMITS)
    outbox.put_view("a", 2, False, b"a2", 0)
    assert taken(outbox) == [b"a2"]
    outbox.put_view("a", 1, False, b"a1", 0)
    assert taken(outbox) == []


def test_a_view_that_need_not_wait_counts_as_sent() -> None:
    outbox = Outbox(LIMITS)
    assert [outbox.pass_view("a", version) for version in (2, 1, 2, 3)] == [True, False, True, True]
    outbox.put_view("a", 2, False, b"a2", 0)
    assert taken(outbox) == []
    outbox.put_view("a", 4, False, b"a4", 0)
    assert taken(outbox) == [b"a4"]
    assert not outbox.pass_view("a", 3)


def test_a_view_that_is_sent_again_comes_after_the_reply() -> None:
    outbox = Outbox(LIMITS)
    outbox.put_view("a", 1, False, b"a1", 0)
    outbox.put(b"done")
    outbox.put_view("a", 1, False, b"a1 again", 0)
    assert taken(outbox) == [b"done", b"a1 again"]


def test_only_the_newest_of_a_key_is_kept() -> None:
    outbox = Outbox(LIMITS)
    outbox.put_latest("presence a", b"old")
    outbox.put(b"reply")
    outbox.put_latest("presence b", b"other")
    outbox.put_latest("presence a", b"new")
    assert taken(outbox) == [b"new", b"reply", b"other"]


def test_a_seats_view_may_not_wait_for_long() -> None:
    outbox = Outbox(LIMITS)
    outbox.put_view("a", 1, True, b"a1", now=100)
    outbox.put_view("a", 2, True, b"a2", now=109)  # waits since 100
    assert not outbox.overdue(110)
    assert outbox.overdue(110.1)
    outbox.take()
    assert not outbox.overdue(200)


def test_a_spectators_view_may_wait_for_ever() -> None:
    outbox = Outbox(LIMITS)
    outbox.put_view("a", 1, True, b"a1", now=0)
    outbox.put_view("a", 2, False, b"a2", now=1)
    assert not outbox.overdue(1e9)


def test_a_spectator_who_sits_down_has_the_whole_time() -> None:
    outbox = Outbox(LIMITS)
    outbox.put_view("a", 1, False, b"a1", now=0)
    outbox.put_view("a", 2, True, b"a2", now=100)
    assert not outbox.overdue(110)
    assert outbox.overdue(111)


def test_after_clearing_there_is_room_again() -> None:
    outbox = Outbox(LIMITS)
    for _ in range(3):
        outbox.put(b"x" * 33)
    outbox.clear()
    assert taken(outbox) == []
    assert outbox.put(b"x" * 100)


def test_it_forgets_tables_that_were_long_without_a_view(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REMEMBERED_TABLES", 2)
    outbox = Outbox(LIMITS)
    for table in ("a", "b", "c"):
        outbox.put_view(table, 5, False, table.encode(), 0)
        outbox.take()
    outbox.put_view("a", 4, False, b"a4", 0)
    outbox.put_view("c", 4, False, b"c4", 0)
    assert taken(outbox) == [b"a4"]


def test_it_forgets_no_table_whose_view_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REMEMBERED_TABLES", 1)
    outbox = Outbox(LIMITS)
    outbox.put_view("a", 5, False, b"a5", 0)
    outbox.put_view("b", 5, False, b"b5", 0)
    outbox.put_view("a", 4, False, b"a4", 0)
    assert taken(outbox) == [b"a5", b"b5"]


@dataclass(frozen=True)
class Put:
    """A reply."""


@dataclass(frozen=True)
class PutView:
    table: str
    version: int
    seated: bool


@dataclass(frozen=True)
class PutLatest:
    key: str


@dataclass(frozen=True)
class Take:
    """The writer writes a frame."""


@dataclass
class Model:
    """What a plain queue would have done, and what the outbox did."""

    outbox: Outbox = field(default_factory=lambda: Outbox(OutboxLimits(frames=5, frame_bytes=40, seat_seconds=10)))
    replies: list[bytes] = field(default_factory=list)
    newest: dict[str, int] = field(default_factory=dict)
    newest_push: dict[str, bytes] = field(default_factory=dict)
    plain: list[bytes] = field(default_factory=list)
    sent: list[bytes] = field(default_factory=list)

    def do(self, number: int, step: Put | PutView | PutLatest | Take) -> None:
        match step:
            case Put():
                frame = b"r%d" % number
                if self.outbox.put(frame):
                    self.replies.append(frame)
                    self.plain.append(frame)
                else:
                    assert len([frame for frame in self.replies if frame not in self.sent]) == 5
            case PutView(table, version, seated):
                frame = b"v%s%d #%d" % (table.encode(), version, number)
                self.outbox.put_view(table, version, seated, frame, number)
                self.newest[table] = max(version, self.newest.get(table, -1))
                self.plain.append(frame)
            case PutLatest(key):
                frame = b"l%s%d" % (key.encode(), number)
                self.outbox.put_latest(key, frame)
                self.newest_push[key] = frame
                self.plain.append(frame)
            case Take():
                frame_or_none = self.outbox.take()
                if frame_or_none is not None:
                    self.sent.append(frame_or_none)

    def drain(self) -> None:
        self.sent += taken(self.outbox)

    def versions(self, table: str) -> list[int]:
        head = b"v" + table.encode()
        return [int(frame[2:].split()[0]) for frame in self.sent if frame.startswith(head)]


tables = st.sampled_from("abc")
steps = st.lists(
    st.one_of(
        st.just(Put()),
        st.builds(PutView, tables, st.integers(0, 20), st.booleans()),
        st.builds(PutLatest, tables),
        st.just(Take()),
    ),
    max_size=60,
)


@given(steps)
def test_laws(course: list[Put | PutView | PutLatest | Take]) -> None:
    model = Model()
    for number, step in enumerate(course):
        model.do(number, step)
        assert len(model.outbox) <= 5 + 3 + 3
    model.drain()

    assert [frame for frame in model.sent if frame.startswith(b"r")] == model.replies, "replies keep their order"
    for table, newest in model.newest.items():
        versions = model.versions(table)
        assert versions == sorted(versions), "no older view after a newer one"
        assert versions[-1] == newest, "the newest view is sent"
    for key, frame in model.newest_push.items():
        assert [sent for sent in model.sent if sent.startswith(b"l" + key.encode())][-1] == frame
    for place, frame in enumerate(model.sent):
        assert place <= model.plain.index(frame), "nothing comes later than in a plain queue"
