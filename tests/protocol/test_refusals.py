"""What cannot be read closes the connection; what is no message is answered; neither quotes what was sent."""

import json
import sys
from typing import Any

import msgpack  # type: ignore[import-untyped]  # it ships no types
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.closing import BAD_FRAME, FRAME_TOO_LARGE, CloseCode
from protocol.codec import COMMAND_LIMITS, SUBPROTOCOLS, Codec, FrameError, FrameLimits, MessageError, codec_for
from protocol.commands import Create, Ping
from protocol.errors import BAD_MESSAGE, UNKNOWN_KIND, ErrorCode
from protocol.kinds import COMMANDS
from protocol.values import MAX_DEPTH, MAX_FRAME_BYTES, MAX_INTEGER, SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK

MSGPACK = codec_for(SUBPROTOCOL_MSGPACK)
JSON = codec_for(SUBPROTOCOL_JSON)
PING = b"\x82\xa4kind\xa4ping\xa2id\xa1a"
TABLE = "7kq2m0x9v4ad"
AT_LEISURE = settings(deadline=None)


def assert_closes(codec: Codec, frame: bytes | str, close: CloseCode = BAD_FRAME) -> None:
    for decode in (codec.decode_command, codec.decode_message):
        with pytest.raises(FrameError) as caught:
            decode(frame, COMMAND_LIMITS)
        assert caught.value.close is close
        assert str(caught.value) == caught.value.message
        assert caught.value.message.endswith(".")


def refusal(value: dict[str, Any]) -> MessageError:
    """How a server refuses a command; the same in both subprotocols."""
    with pytest.raises(MessageError) as packed:
        MSGPACK.decode_command(msgpack.packb(value))
    with pytest.raises(MessageError) as text:
        JSON.decode_command(json.dumps(value))
    one, other = packed.value, text.value
    assert (one.code, one.message, one.re) == (other.code, other.message, other.re)
    assert str(one) == one.message
    assert one.__suppress_context__ or one.__context__ is None, "a traceback would quote the frame"
    return one


def complaint(codec: Codec, frame: bytes | str) -> MessageError | None:
    """What a server has to say about a command."""
    try:
        codec.decode_command(frame)
    except MessageError as error:
        return error
    return None


def assert_refused(value: dict[str, Any], message: str, code: ErrorCode = BAD_MESSAGE, re: str | None = "a") -> None:
    error = refusal(value)
    assert (error.code, error.message, error.re) == (code, message, re)


class TestFrames:
    @pytest.mark.parametrize(
        "frame",
        [
            b"",
            b"\xc1",
            b"\x01",
            b"\xc0",
            b"\x90",
            b"\xa4ping",
            PING[:-1],
            PING + b"\xc0",
            PING + PING,
            b"\x81\xa1x\xa1\xff",
            b"\x81\xa1x\xa3\xed\xa0\x80",
            b"\x81\xa1x\xcb\x7f\xf8\0\0\0\0\0\0",
            b"\x81\xa1x\xcb\x7f\xf0\0\0\0\0\0\0",
            b"\x81\xa1x\xca\xff\x80\0\0",
            b"\x81\xa1x\xc7\x00\x01",
            b"\x81\xa1x\xd4\x01a",
            b"\x81\xa1x\xd6\xff\0\0\0\0",
            b"\x81\xa1x\xc7\x0c\xff" + bytes(12),
            b"\x81\x01\x01",
            b"\x81\xc0\x01",
            b"\x81\x90\x01",
            b"\x81\x80\x01",
            b"\xc7\x00\xff",
        ],
    )
    def test_what_is_not_one_map_of_messagepack(self, frame: bytes) -> None:
        assert_closes(MSGPACK, frame)

    @pytest.mark.parametrize(
        "head",
        [
            b"\xdb\xff\xff\xff\xff",
            b"\xc6\xff\xff\xff\xff",
            b"\xc9\xff\xff\xff\xff\x01",
            b"\xdd\xff\xff\xff\xff",
            b"\xdf\xff\xff\xff\xff",
            b"\xdc\xff\xff",
            b"\xde\xff\xff",
            b"\xdc\x01\x01",
            b"\xde\x01\x01",
        ],
    )
    def test_lengths_that_only_the_header_claims(self, head: bytes) -> None:
        assert_closes(MSGPACK, head)
        assert_closes(MSGPACK, b"\x81\xa1x" + head)
        assert_closes(MSGPACK, b"\x81\xa1x" + head + bytes(1000))

    @pytest.mark.parametrize("many", [list, dict.fromkeys])
    def test_an_array_or_map_may_have_as_many_items_as_the_limit_and_no_more(self, many: Any) -> None:
        items = [f"{number}" for number in range(COMMAND_LIMITS.items + 1)]
        fits, too_many = ({"kind": "ping", "id": "a", "x": many(part)} for part in (items[1:], items))
        assert MSGPACK.decode_command(msgpack.packb(fits)) == Ping(id="a")
        assert_closes(MSGPACK, msgpack.packb(too_many))

    def test_many_large_headers_in_one_another(self) -> None:
        assert_closes(MSGPACK, b"\xdc\x01\x00" * 5000)

    @pytest.mark.parametrize(
        "frame",
        [
            "",
            "ping",
            "1",
            "null",
            "[]",
            '"ping"',
            "{",
            '{"kind":"ping","id":"a"',
            '{"kind":"ping","id":"a"}x',
            '{"kind":"ping","id":"a"}{}',
            '{"x":NaN}',
            '{"x":Infinity}',
            '{"x":-Infinity}',
            '{"x":1e999}',
            '{"x":18446744073709551616}',
            '{"x":-9223372036854775809}',
            '{"x":1' + "0" * 5000 + "}",
            '{"x":"\\ud800"}',
            '{"x":"\\udc00\\ud800"}',
            '{"x":"\ud800"}',
            '{"x":"\\',
            "{\"x\":'y'}",
            "{1:2}",
            "\ufeff{}",
            "]" * 100 + "[" * 100,
        ],
    )
    def test_what_is_not_one_object_of_json(self, frame: str) -> None:
        assert_closes(JSON, frame)

    def test_the_wrong_type_of_frame(self) -> None:
        assert_closes(MSGPACK, '{"kind":"ping","id":"a"}')
        assert_closes(JSON, PING)

    def test_a_frame_may_be_as_large_as_the_limit_and_no_larger(self) -> None:
        for size, fits in ((MAX_FRAME_BYTES, True), (MAX_FRAME_BYTES + 1, False)):
            text = '{"kind":"ping","id":"a","x":"%s"}'
            text %= "y" * (size - len(text) + 2)
            packed = b"\x83" + PING[1:] + b"\xa1x\xda"
            rest = size - len(packed) - 2
            packed += rest.to_bytes(2, "big") + b"y" * rest
            assert len(text) == len(packed) == size
            if fits:
                assert JSON.decode_command(text) == MSGPACK.decode_command(packed) == Ping(id="a")
            else:
                assert_closes(JSON, text, FRAME_TOO_LARGE)
                assert_closes(MSGPACK, packed, FRAME_TOO_LARGE)

    def test_the_size_of_text_is_counted_in_bytes(self) -> None:
        text = '{"kind":"ping","id":"a","x":"%s"}' % ("é" * (MAX_FRAME_BYTES // 2))
        assert len(text) < MAX_FRAME_BYTES
        assert_closes(JSON, text, FRAME_TOO_LARGE)

    @pytest.mark.parametrize("leaf", [[], {}, [1], {"y": 1}])
    def test_a_frame_may_be_as_deep_as_the_limit_and_no_deeper(self, leaf: Any) -> None:
        # the outer map and the leaf count
        for lists, fits in ((MAX_DEPTH - 2, True), (MAX_DEPTH - 1, False)):
            inner = leaf
            for number in range(lists):
                inner = [inner] if number % 2 else {"y": inner}
            value = {"kind": "ping", "id": "a", "x": inner}
            if fits:
                assert JSON.decode_command(json.dumps(value)) == MSGPACK.decode_command(msgpack.packb(value))
            else:
                assert_closes(JSON, json.dumps(value))
                assert_closes(MSGPACK, msgpack.packb(value))

    def test_brackets_in_strings_are_not_depth(self) -> None:
        for text in ("[" * 100, '\\"[{' * 100, "\\\\" * 3 + "]" * 100, '{"[' * 9):
            frame = json.dumps({"kind": "ping", "id": "a", "x": text, "[[[": "{{{"})
            assert JSON.decode_command(frame) == Ping(id="a")

    @pytest.mark.parametrize("depth", [100, 1000, 3000, 16_000])
    def test_deep_nesting_never_recurses(self, depth: int) -> None:
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(10**6)
        try:
            assert_closes(MSGPACK, b"\x91" * depth)
            assert_closes(MSGPACK, b"\x91" * depth + b"\x90")
            assert_closes(MSGPACK, b"\x81\xa1x" * (depth // 3) + b"\xc0")
            assert_closes(JSON, "[" * depth)
            assert_closes(JSON, "[" * (depth // 2) + "]" * (depth // 2))
            assert_closes(JSON, '{"x":' * (depth // 5))
        finally:
            sys.setrecursionlimit(limit)

    @pytest.mark.parametrize("text", ["[" * 900_000, '{"a":' * 150_000, '{"a":[' * 150_000])
    def test_the_depth_of_json_is_counted_before_it_is_parsed(self, text: str) -> None:
        with pytest.raises(FrameError) as caught:
            JSON.decode_message(text)
        assert caught.value.message == "The frame is nested too deeply."

    def test_a_client_does_not_recurse_either(self) -> None:
        with pytest.raises(FrameError):
            MSGPACK.decode_message(b"\x91" * 900_000)


class TestMessages:
    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"decision": True}, "Expected `int`, got `bool` in `decision`."),
            ({"decision": "3"}, "Expected `int`, got `str` in `decision`."),
            ({"decision": 3.0}, "Expected `int`, got `float` in `decision`."),
            ({"decision": 3.5}, "Expected `int`, got `float` in `decision`."),
            ({"decision": None}, "Expected `int`, got `null` in `decision`."),
            ({"decision": 0}, "Expected `int` >= 1 in `decision`."),
            ({"decision": -(2**63)}, "Expected `int` >= 1 in `decision`."),
            ({"decision": MAX_INTEGER + 1}, f"Expected `int` <= {MAX_INTEGER} in `decision`."),
            ({"move": 5}, "Expected `str`, got `int` in `move`."),
            ({"move": "x" * 65}, "Expected `str` of length <= 64 in `move`."),
            ({"move": ["show 1"]}, "Expected `str`, got `array` in `move`."),
            ({"table": TABLE[:-1]}, "Expected `str` of length >= 12 in `table`."),
            ({"table": "7KQ2M0X9V4AD"}, "A character is not allowed in `table`."),
            ({"table": TABLE[:-1] + "\n"}, "A character is not allowed in `table`."),
        ],
    )
    def test_a_field_of_the_wrong_form(self, change: dict[str, Any], message: str) -> None:
        play = {"kind": "play", "id": "a", "table": TABLE, "decision": 3, "move": "show 1"}
        assert_refused(play | change, message)

    @pytest.mark.parametrize(
        ("value", "message"),
        [
            ({"kind": "watch", "id": "a"}, "Object missing required field `table`."),
            ({"kind": "hello", "id": "a", "bot": 1}, "Expected `bool`, got `int` in `bot`."),
            ({"kind": "create", "id": "a", "options": 3}, "Expected `object`, got `int` in `options`."),
            ({"kind": "create", "id": "a", "options": {"seats": 6}}, "Expected `int` <= 5 in `options.seats`."),
            ({"kind": "create", "id": "a", "seat": 5}, "Expected `int` <= 4 in `seat`."),
            ({"kind": "create", "id": "a", "seat": 2.0}, "Expected `int | null`, got `float` in `seat`."),
            ({"kind": "quick", "id": "a", "game": "chess"}, "Expected another value in `game`."),
            ({"kind": "serve_bots", "id": "a", "levels": []}, "Expected `array` of length >= 1 in `levels`."),
            ({"kind": "serve_bots", "id": "a", "levels": ["x", 3]}, "Expected `str`, got `int` in `levels[1]`."),
        ],
    )
    def test_other_wrong_forms(self, value: dict[str, Any], message: str) -> None:
        assert_refused(value, message)

    @pytest.mark.parametrize("kind", ["", "pong", "Ping", "welcome", "__class__", "x" * 1000])
    def test_an_unknown_kind(self, kind: str) -> None:
        assert_refused({"kind": kind, "id": "a"}, "There is no message of this kind.", UNKNOWN_KIND)

    @pytest.mark.parametrize("kind", [None, 1, True, ["ping"], {"ping": 1}])
    def test_a_kind_that_is_no_text(self, kind: Any) -> None:
        assert_refused({"kind": kind, "id": "a"}, "Expected `str` in `kind`.")

    def test_no_kind(self) -> None:
        assert_refused({"id": "a"}, "Expected `str` in `kind`.")
        assert_refused({}, "Expected `str` in `kind`.", re=None)

    @pytest.mark.parametrize("bad", [None, 1, True, "", "x" * 65, "a b", "a\n", "é", ["a"], {"a": 1}])
    def test_an_id_that_cannot_be_read_is_not_told(self, bad: Any) -> None:
        assert refusal({"kind": "play", "id": bad}).re is None
        assert refusal({"kind": "plai", "id": bad}).re is None
        assert refusal({"kind": "ping", "id": bad}).code is BAD_MESSAGE

    def test_keys_that_are_bytes_are_no_fields(self) -> None:
        with pytest.raises(MessageError) as caught:
            MSGPACK.decode_command(b"\x83\xa4kind\xa4ping\xa2id\xa1a\xc4\x02id\xa1b")
        assert caught.value.message == "Expected `str`."
        with pytest.raises(MessageError) as caught:
            MSGPACK.decode_command(msgpack.packb({"kind": "create", "id": "a", "options": {b"seats": 3}}))
        assert caught.value.message == "Expected `str` in `options`."

    def test_values_that_are_bytes_are_no_text(self) -> None:
        with pytest.raises(MessageError) as caught:
            MSGPACK.decode_command(msgpack.packb({"kind": "hello", "id": "a", "token": b"t" * 43}))
        assert caught.value.message == "Expected `str | null`, got `bytes` in `token`."

    @pytest.mark.parametrize("codec", [MSGPACK, JSON])
    def test_a_client_learns_which_command_a_bad_reply_was_for(self, codec: Codec) -> None:
        for value, code in (
            ({"kind": "done", "re": "a", "seat": 9}, BAD_MESSAGE),
            ({"kind": "won", "re": "a"}, UNKNOWN_KIND),
        ):
            frame = json.dumps(value) if codec is JSON else msgpack.packb(value)
            with pytest.raises(MessageError) as caught:
                codec.decode_message(frame)
            assert (caught.value.code, caught.value.re) == (code, "a")

    def test_commands_are_no_messages(self) -> None:
        frame = MSGPACK.encode(Create(id="a"))
        with pytest.raises(MessageError) as caught:
            MSGPACK.decode_message(frame)
        assert caught.value.code is UNKNOWN_KIND


class TestSecrets:
    @AT_LEISURE
    @given(
        st.sampled_from([*COMMANDS, "nonsense", 7]),
        st.sampled_from(
            ["kind", "id", "token", "name", "house", "invite", "game", "level", "levels", "table", "nonce"]
        ),
        st.sampled_from(["!", "\n", "", "é"]),
        st.sampled_from([str, lambda text: [text], lambda text: {text: text}, lambda text: {"game": text}]),
    )
    def test_no_error_quotes_what_was_sent(self, kind: Any, field: str, spoiler: str, wrap: Any) -> None:
        secret = "SECRETTOKEN" * 3
        value = {
            "kind": kind,
            "id": "a",
            "table": TABLE[:-1],
            "options": {"game": secret},
            field: wrap(secret + spoiler),
        }
        for codec, frame in ((MSGPACK, msgpack.packb(value)), (JSON, json.dumps(value))):
            error = complaint(codec, frame)
            assert "SECRET" not in f"{error} {error!r}"
            assert error is None or error.re in {None, "a"} or field == "id"

    @pytest.mark.parametrize("token", ["SECRET", "SECRET" * 20, "SECRET" * 6 + "!", ["SECRET"], {"SECRET": "SECRET"}])
    def test_no_error_quotes_a_token(self, token: Any) -> None:
        assert "SECRET" not in repr(refusal({"kind": "hello", "id": "a", "token": token}))
        assert "SECRET" not in repr(refusal({"kind": "hello", "id": "a", "token": "T" * 43, "name": token, "bot": 3}))
        assert "SECRET" not in repr(refusal({"kind": token, "id": "a"}))
        assert "SECRET" not in repr(refusal({"kind": "hello", "id": token, "bot": "SECRET"}))

    @pytest.mark.parametrize(
        "text",
        [
            '{"kind":"hello","token":"SECRET',
            '{"kind":"hello","token":"SECRET\\ud800"}',
            '["SECRET"]',
            '{"SECRET":1e999}',
        ],
    )
    def test_no_frame_error_quotes_what_was_sent(self, text: str) -> None:
        with pytest.raises(FrameError) as caught:
            JSON.decode_command(text)
        assert "SECRET" not in str(caught.value) + repr(caught.value)
        assert caught.value.__suppress_context__ or caught.value.__context__ is None


@pytest.mark.parametrize("name", SUBPROTOCOLS)
def test_limits_are_a_parameter(name: str) -> None:
    codec = codec_for(name)
    frame = codec.encode(Create(id="a"))
    with pytest.raises(FrameError) as caught:
        codec.decode_command(frame, FrameLimits(frame_bytes=10, depth=8, items=8))
    assert caught.value.close is FRAME_TOO_LARGE
    with pytest.raises(FrameError) as caught:
        codec.decode_command(frame, FrameLimits(frame_bytes=1000, depth=1, items=8))
    assert caught.value.close is BAD_FRAME
    assert codec.decode_command(frame, FrameLimits(frame_bytes=1000, depth=2, items=8)) == Create(id="a")
