"""How messages lie in a stream of WebSocket frames (RFC 6455, 5.2), as far as a server has to know for plain ones."""

from typing import Final

from websockets.frames import apply_mask  # type: ignore[attr-defined]  # the one in C, where there is one

_TEXT: Final = 0x81
_BINARY: Final = 0x82
"""How a frame begins that is a whole message."""
_MASKED: Final = 0x80


def frame(message: bytes | str) -> bytes:
    """The frame in which a server sends a message."""
    head, payload = (_BINARY, message) if isinstance(message, bytes) else (_TEXT, message.encode())
    size = len(payload)
    if size < 126:
        return bytes((head, size)) + payload
    if size < 1 << 16:
        return bytes((head, 126, size >> 8, size & 255)) + payload
    return bytes((head, 127)) + size.to_bytes(8) + payload


def cut(data: bytes, at: int, most: int) -> tuple[int, bytes | None]:
    """Look at the frame of a client that begins at `at`.

    Returns:
        Where it ends, 0 if more of it has yet to come; and if it is a whole binary message, that. A frame that breaks
        the rules, or has more than `most` bytes, has no end that could be told: all that is there counts as part of it.
    """
    have = len(data)
    if have < at + 2:
        return 0, None
    size, begin = data[at + 1] & 127, at + 2
    if size > 125:
        begin = at + (4 if size == 126 else 10)
        if have < begin:
            return 0, None
        size = int.from_bytes(data[at + 2 : begin])
    if not data[at + 1] & _MASKED or size > most:
        return have, None
    end = begin + 4 + size
    if have < end:
        return 0, None
    if data[at] != _BINARY:
        return end, None
    return end, apply_mask(data[begin + 4 : end], data[begin : begin + 4])
