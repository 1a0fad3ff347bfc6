"""Whatever comes, a codec gives a message or one of its two errors."""

import json
from collections.abc import Callable
from typing import Any

import msgpack  # type: ignore[import-untyped]  # it ships no types
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from protocol.codec import COMMAND_LIMITS, Codec, FrameError, MessageError, _command, codec_for
from protocol.commands import AnyCommand
from protocol.frames import read_msgpack
from protocol.kinds import COMMANDS, MESSAGES
from protocol.values import SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK
from tests.protocol.strategies import json_values

MSGPACK = codec_for(SUBPROTOCOL_MSGPACK)
JSON = codec_for(SUBPROTOCOL_JSON)
TABLE = "7kq2m0x9v4ad"
AT_LEISURE = settings(deadline=None)


def survives(codec: Codec, frame: bytes | str) -> None:
    for decode, types in ((codec.decode_command, COMMANDS), (codec.decode_message, MESSAGES)):
        try:
            message = decode(frame)
        except (FrameError, MessageError):
            continue
        assert type(message) in types.values()
        codec.encode(message)


@st.composite
def damaged(draw: st.DrawFn, good: bytes) -> bytes:
    """A good frame with some bytes changed, cut out or put in."""
    frame = bytearray(good)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(frame)))
        frame[at : at + draw(st.integers(0, 3))] = draw(st.binary(max_size=6))
    return bytes(frame)


HELLO = {"kind": "hello", "id": "a", "token": "t" * 43, "name": "Zoë", "bot": True}
PLAIN_PLAY = {"kind": "play", "id": "a", "table": TABLE, "decision": 3, "move": "show 3-5"}
PLAY = {"kind": "play", "id": "a", "table": TABLE, "decision": 3, "move": "show 3-5", "x": [1.5, None, {"y": -1}]}


class TestHostileInput:
    @AT_LEISURE
    @given(st.binary(max_size=200))
    def test_random_bytes(self, frame: bytes) -> None:
        survives(MSGPACK, frame)

    @AT_LEISURE
    @given(st.text(st.characters(), max_size=200) | st.text('[]{}",:\\u0d8 tf1e+-.', max_size=60))
    @example('{"kind":"ping","id":"\\ud83c\\udfaa"}')
    def test_random_text(self, frame: str) -> None:
        survives(JSON, frame)

    @AT_LEISURE
    @given(st.sampled_from([msgpack.packb(HELLO), msgpack.packb(PLAY)]).flatmap(damaged))
    def test_damaged_messagepack(self, frame: bytes) -> None:
        survives(MSGPACK, frame)

    @AT_LEISURE
    @given(damaged(msgpack.packb(PLAIN_PLAY)))
    @example(msgpack.packb(PLAIN_PLAY))
    @example(msgpack.packb(PLAIN_PLAY) + b"\xc0")
    @example(msgpack.packb(PLAIN_PLAY).replace(b"show", b"sh\xffw"))
    @example(msgpack.packb(PLAIN_PLAY).replace(b"\xa5table", b"\xa4move"))
    @example(msgpack.packb(PLAIN_PLAY).replace(b"\xa8decision\x03", b"\xa8decision\xcb@\x08\0\0\0\0\0\0"))
    @example(msgpack.packb(PLAIN_PLAY).replace(b"\xa8decision\x03", b"\xa8decision\xc3"))
    def test_the_short_way_for_a_move_leads_where_the_long_one_does(self, frame: bytes) -> None:
        def outcome(decode: Callable[[bytes], AnyCommand]) -> object:
            try:
                return decode(frame)
            except (FrameError, MessageError) as wrong:
                return type(wrong), str(wrong)

        assert outcome(MSGPACK.decode_command) == outcome(lambda frame: _command(read_msgpack(frame, COMMAND_LIMITS)))

    @AT_LEISURE
    @given(st.sampled_from([json.dumps(HELLO).encode(), json.dumps(PLAY).encode()]).flatmap(damaged))
    def test_damaged_json(self, frame: bytes) -> None:
        survives(JSON, frame.decode(errors="surrogateescape"))

    @AT_LEISURE
    @given(
        st.sampled_from([*COMMANDS, *MESSAGES]),
        st.dictionaries(st.sampled_from(["id", "re", "table", "options", "seats", "events", "tables"]), json_values),
    )
    def test_well_formed_maps_of_anything(self, kind: str, rest: dict[str, Any]) -> None:
        survives(MSGPACK, msgpack.packb({"kind": kind} | rest))
        survives(JSON, json.dumps({"kind": kind} | rest))

    @pytest.mark.slow
    @settings(AT_LEISURE, max_examples=3000)
    @given(st.sampled_from([msgpack.packb(HELLO), msgpack.packb(PLAY)]).flatmap(damaged))
    def test_damaged_messagepack_at_length(self, frame: bytes) -> None:
        survives(MSGPACK, frame)
