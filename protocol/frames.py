"""From a frame to plain values, within limits. What a frame holds is not looked at here, only whether it can be read.

The parsers never recurse on hostile input: `msgpack.Unpacker` keeps a stack of its own, and the depth of JSON is
counted before it is parsed.
"""

import re
from dataclasses import dataclass
from math import isfinite
from typing import Any, NoReturn

import msgpack  # type: ignore[import-untyped]  # it ships no types
import msgspec

from protocol.closing import BAD_FRAME, FRAME_TOO_LARGE, CloseCode
from protocol.values import MAX_DEPTH, MAX_FRAME_BYTES


@dataclass(frozen=True, slots=True)
class FrameLimits:
    """What a reader takes at most.

    Attributes:
        frame_bytes: the size of a frame; of a text frame, in UTF-8.
        depth: how deep arrays and maps may be nested; a map of plain values has depth 1.
        items: how many items one array or map of MessagePack may have. Room for them is made when the header is read,
            before there is any proof that they follow.
    """

    frame_bytes: int
    depth: int
    items: int


COMMAND_LIMITS = FrameLimits(frame_bytes=MAX_FRAME_BYTES, depth=MAX_DEPTH, items=256)
"""What a server reads."""
MESSAGE_LIMITS = FrameLimits(frame_bytes=1024 * 1024, depth=2 * MAX_DEPTH, items=4096)
"""What a client reads: a page of 100 tables, 200 steps or 2,000 moves fits several times over."""


class FrameError(Exception):
    """A frame that cannot be read; the connection is closed.

    Attributes:
        close: the code to close with.
        message: what is wrong, in one sentence, without anything from the frame.
    """

    def __init__(self, close: CloseCode, message: str) -> None:
        super().__init__(message)
        self.close = close
        self.message = message


def read_msgpack(frame: bytes | str, limits: FrameLimits) -> dict[str, Any]:
    """The map in a binary frame. Of equal keys the last one counts. Raises `FrameError`."""
    if isinstance(frame, str):
        raise FrameError(BAD_FRAME, "This subprotocol has binary frames, not text.")
    _check_size(len(frame), limits)
    unpacker = msgpack.Unpacker(
        max_buffer_size=limits.frame_bytes,
        max_str_len=limits.frame_bytes,
        max_bin_len=limits.frame_bytes,
        max_array_len=limits.items,
        max_map_len=limits.items,
        max_ext_len=0,
        ext_hook=_refuse_extension,
        strict_map_key=True,
    )
    unpacker.feed(frame)
    try:
        value = unpacker.unpack()
    except (ValueError, msgpack.UnpackException):  # the cause may quote the frame
        raise FrameError(BAD_FRAME, "The frame is not MessagePack, or is beyond a limit.") from None
    if unpacker.tell() != len(frame):
        raise FrameError(BAD_FRAME, "Something follows the message in the frame.")
    return _checked(value, limits)


def read_json(frame: bytes | str, limits: FrameLimits) -> dict[str, Any]:
    """The object in a text frame. Of equal keys the last one counts. Raises `FrameError`."""
    if isinstance(frame, bytes):
        raise FrameError(BAD_FRAME, "This subprotocol has text frames, not binary.")
    _check_size(len(frame), limits)
    try:
        encoded = frame.encode()
    except UnicodeEncodeError:
        raise FrameError(BAD_FRAME, "The frame is not Unicode.") from None
    _check_size(len(encoded), limits)
    if _json_too_deep(frame, limits.depth):
        raise _too_deep()
    try:
        value = msgspec.json.decode(encoded)
    except msgspec.MsgspecError:  # the cause may quote the frame
        raise FrameError(BAD_FRAME, "The frame is not JSON.") from None
    return _checked(value, limits)


def _check_size(size: int, limits: FrameLimits) -> None:
    if size > limits.frame_bytes:
        raise FrameError(FRAME_TOO_LARGE, f"The frame is larger than {limits.frame_bytes} bytes.")


def _too_deep() -> FrameError:
    return FrameError(BAD_FRAME, "The frame is nested too deeply.")


def _refuse_extension(_code: int, _data: bytes) -> NoReturn:
    raise ValueError("no extension types")


_NOT_BRACKETS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[^"\[\]{}]+', re.DOTALL)


def _json_too_deep(text: str, most: int) -> bool:
    """Whether a parser of JSON would go deeper than `most` in `text`, or in what it accepts of it."""
    if text.count("[") + text.count("{") <= most:
        return False
    depth = 0
    for bracket in _NOT_BRACKETS.sub("", text):
        depth += 1 if bracket in "[{" else -1
        if depth > most:
            return True
    return False


def _checked(value: Any, limits: FrameLimits) -> dict[str, Any]:
    """`value`, if it is a map, not too deep, and all numbers in it are finite and of 64 bits."""
    level = [value]
    for room in range(limits.depth, -1, -1):
        below: list[Any] = []
        for item in level:
            kind = type(item)
            if kind is str or item is None:
                continue
            if kind is list or kind is dict:
                if not room:
                    raise _too_deep()
                below.extend(item if kind is list else item.values())
            elif (kind is int and not -(2**63) <= item < 2**64) or (kind is float and not isfinite(item)):
                raise FrameError(BAD_FRAME, "A number is not finite or has more than 64 bits.")
        level = below
    if type(value) is not dict:
        raise FrameError(BAD_FRAME, "The frame does not hold a map.")
    return value
