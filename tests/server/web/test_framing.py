"""Frames in a stream, compared with what websockets makes of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.uri import parse_uri

from server.web.framing import cut, frame

MOST = 100_000
SIZES = [0, 1, 125, 126, 127, 65_535, 65_536, MOST]


def sent(message: bytes, opcode: Opcode = Opcode.BINARY, fin: bool = True) -> bytes:
    """The frame of a client, masked at random."""
    return Frame(opcode, message, fin).serialize(mask=True)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("text", [False, True])
def test_a_client_reads_what_is_framed(size: int, text: bool) -> None:
    client = ClientProtocol(parse_uri("ws://x/"), max_size=None, state=State.OPEN)
    client.receive_data(frame("x" * size if text else b"x" * size))
    (event,) = client.events_received()
    assert isinstance(event, Frame)
    assert (event.opcode, event.fin, event.data) == (Opcode.TEXT if text else Opcode.BINARY, True, b"x" * size)


def test_text_is_counted_in_bytes() -> None:
    assert frame("é") == b"\x81\x02\xc3\xa9"


@pytest.mark.parametrize("size", SIZES)
def test_a_whole_message_is_cut_out(size: int) -> None:
    message = bytes(range(256)) * (size // 256) + bytes(size % 256)
    data = sent(message)
    assert cut(b"..." + data + b"...", 3, MOST) == (3 + len(data), message)


@given(st.lists(st.binary(max_size=300)), st.data())
def test_a_stream_is_cut_where_its_frames_end_however_it_comes(messages: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(map(sent, messages))
    ends = data.draw(st.lists(st.integers(0, len(stream)), max_size=5).map(sorted))
    found, rest = [], b""
    for begin, end in zip([0, *ends], [*ends, len(stream)], strict=True):
        rest += stream[begin:end]
        at = 0
        while (step := cut(rest, at, MOST))[0]:
            at = step[0]
            found.append(step[1])
        rest = rest[at:]
    assert (found, rest) == (messages, b"")


@pytest.mark.parametrize("size", SIZES)
def test_a_frame_is_left_alone_until_it_is_whole(size: int) -> None:
    data = sent(bytes(size))
    for have in {*range(min(20, len(data))), len(data) - 1}:
        assert cut(data[:have], 0, MOST) == (0, None)


@pytest.mark.parametrize(
    "data",
    [
        sent(b"x", Opcode.TEXT),
        sent(b"x", Opcode.PING),
        sent(b"x", Opcode.CLOSE),
        sent(b"x", Opcode.CONT),
        sent(b"x", fin=False),
        b"\xc2\x81" + bytes(5),
    ],
    ids=["text", "ping", "close", "piece", "first piece", "reserved bits"],
)
def test_what_is_no_whole_binary_message_is_only_measured(data: bytes) -> None:
    assert cut(data + b"...", 0, MOST) == (len(data), None)


@pytest.mark.parametrize(
    "data", [b"\x82\x01x...", b"\x82\xff" + (MOST + 1).to_bytes(8) + b"...."], ids=["not masked", "too large"]
)
def test_what_breaks_the_rules_has_no_end(data: bytes) -> None:
    assert cut(data, 0, MOST) == (len(data), None)
