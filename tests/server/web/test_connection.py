"""What a connection does with a frame: the order of the checks, and what becomes of one that fails."""

import msgspec
import pytest

from protocol import errors
from protocol.closing import BAD_FRAME, FLOODING, FRAME_TOO_LARGE, SILENT, CloseCode
from protocol.codec import codec_for
from protocol.commands import AnyCommand, Hello, Ping
from protocol.pushes import Limits
from protocol.values import MAX_FRAME_BYTES, SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK
from server.web.connection import Action, Close, Connection, Dispatch, Ignore, Phase, Reply

LIMITS = Limits(frame_bytes=MAX_FRAME_BYTES, commands_per_second=10, burst=3, hello_ms=5000)
HOUSE_KEY = "house-key-of-the-server"
HELLO = Hello(id="h1")
PING = Ping(id="p1")


def greeting(subprotocol: str = SUBPROTOCOL_MSGPACK) -> Connection:
    return Connection(codec_for(subprotocol), "bigtop/test", LIMITS, HOUSE_KEY, now=100.0)


def greeted(hello: Hello = HELLO) -> Connection:
    connection = greeting()
    assert says(connection, hello) == Dispatch(hello)
    return connection


def says(connection: Connection, command: AnyCommand, now: float = 100.0) -> Action:
    return connection.receive(msgspec.msgpack.encode(command), now)


def assert_refused(action: Action, code: errors.ErrorCode, re: str | None) -> None:
    assert isinstance(action, Reply)
    assert (action.error.code, action.error.re, action.error.retry) == (code.code, re, code.retry)


def assert_closed(connection: Connection, action: Action, code: CloseCode) -> None:
    assert action == Close(code)
    assert connection.phase is Phase.CLOSING
    assert says(connection, PING) == Ignore()


def test_welcome_tells_the_limits() -> None:
    connection = greeting()
    assert connection.welcome.server == "bigtop/test"
    assert connection.welcome.limits == LIMITS
    assert connection.phase is Phase.GREETING


class TestHello:
    def test_it_opens_the_connection(self) -> None:
        connection = greeted()
        assert connection.phase is Phase.OPEN
        assert says(connection, PING) == Dispatch(PING)

    def test_it_comes_first(self) -> None:
        connection = greeting()
        assert_refused(says(connection, PING), errors.HELLO_FIRST, "p1")
        assert says(connection, HELLO) == Dispatch(HELLO)

    def test_a_second_one_is_left_to_the_hub_which_knows_whether_the_first_was_refused(self) -> None:
        connection = greeted()
        assert says(connection, Hello(id="h2")) == Dispatch(Hello(id="h2"))

    def test_it_comes_in_time(self) -> None:
        connection = greeting()
        assert connection.tick(105.0) == Ignore()
        assert_closed(connection, connection.tick(105.1), SILENT)

    def test_other_commands_do_not_prolong_the_wait(self) -> None:
        connection = greeting()
        says(connection, PING, now=104.0)
        assert_closed(connection, connection.tick(105.1), SILENT)

    def test_after_it_there_is_no_limit(self) -> None:
        assert greeted().tick(1e9) == Ignore()


class TestFrame:
    def test_it_is_of_the_right_type(self) -> None:
        connection = greeted()
        assert_closed(connection, connection.receive("{}", 100.0), BAD_FRAME)

    def test_json_comes_as_text(self) -> None:
        connection = greeting(SUBPROTOCOL_JSON)
        assert connection.receive('{"kind":"hello","id":"h1"}', 100.0) == Dispatch(HELLO)
        assert connection.receive(b"{}", 100.0) == Close(BAD_FRAME)

    def test_it_can_be_read(self) -> None:
        connection = greeted()
        assert_closed(connection, connection.receive(b"\xc1", 100.0), BAD_FRAME)

    def test_it_is_not_too_large(self) -> None:
        connection = greeting()
        frame = b"x" * (MAX_FRAME_BYTES + 1)
        assert_closed(connection, connection.receive(frame, 100.0), FRAME_TOO_LARGE)


class TestMessage:
    def test_its_kind_is_known(self) -> None:
        frame = msgspec.msgpack.encode({"kind": "fly", "id": "x1"})
        assert_refused(greeted().receive(frame, 100.0), errors.UNKNOWN_KIND, "x1")

    def test_it_has_the_form_of_its_kind(self) -> None:
        frame = msgspec.msgpack.encode({"kind": "play", "id": "x1"})
        action = greeted().receive(frame, 100.0)
        assert_refused(action, errors.BAD_MESSAGE, "x1")
        assert isinstance(action, Reply)
        assert "table" in action.error.message

    def test_without_an_id_the_answer_has_none(self) -> None:
        assert_refused(greeted().receive(msgspec.msgpack.encode({}), 100.0), errors.BAD_MESSAGE, None)

    def test_a_bad_one_is_no_hello(self) -> None:
        connection = greeting()
        connection.receive(msgspec.msgpack.encode({"kind": "hello"}), 100.0)
        assert connection.phase is Phase.GREETING


class TestLimit:
    def test_too_fast(self) -> None:
        connection = greeted()
        says(connection, PING)
        says(connection, PING)
        action = says(connection, PING)
        assert_refused(action, errors.TOO_FAST, "p1")
        assert isinstance(action, Reply)
        assert action.error.after_ms == 100
        assert says(connection, PING, now=100.11) == Dispatch(PING)

    def test_frames_that_are_no_commands_count(self) -> None:
        connection = greeting()
        for _ in range(3):
            connection.receive(msgspec.msgpack.encode({}), 100.0)
        assert_refused(says(connection, HELLO), errors.TOO_FAST, "h1")

    def test_far_too_fast(self) -> None:
        connection = greeted()
        actions = [says(connection, PING) for _ in range(33)]
        assert {type(action) for action in actions[2:32]} == {Reply}
        assert_closed(connection, actions[32], FLOODING)

    def test_a_flood_is_not_decoded(self) -> None:
        connection = greeted()
        for _ in range(32):
            says(connection, PING)
        assert connection.receive(b"\xc1", 100.0) == Close(FLOODING)

    @pytest.mark.parametrize("key", [None, "wrong-key", ""])
    def test_it_binds_whoever_has_not_the_house_key(self, key: str | None) -> None:
        connection = greeted(Hello(id="h1", house=key))
        assert_refused([says(connection, PING) for _ in range(3)][-1], errors.TOO_FAST, "p1")

    def test_it_does_not_bind_the_house_bots(self) -> None:
        connection = greeted(Hello(id="h1", house=HOUSE_KEY))
        assert {type(says(connection, PING)) for _ in range(100)} == {Dispatch}


def test_while_it_is_closed_nothing_is_looked_at() -> None:
    connection = greeted()
    connection.closing()
    assert connection.receive(b"\xc1", 100.0) == Ignore()
    assert connection.tick(1e9) == Ignore()


def test_a_house_key_need_not_be_ascii() -> None:
    frame = '{"kind":"hello","id":"h1","house":"\\ud800ü"}'
    action = greeting(SUBPROTOCOL_JSON).receive(frame, 100.0)
    assert isinstance(action, (Dispatch, Close))
