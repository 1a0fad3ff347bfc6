"""Why a server closes a connection, and what the client should do.

4000–4099: connect again and resume. 4100–4199: start afresh, without the token. 4500–4599: stop, since
trying again is no use.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CloseCode:
    """One close code.

    Attributes:
        code: the number in the WebSocket close frame.
        name: a stable word, sent as the close reason.
        meaning: one sentence.
    """

    code: int
    name: str
    meaning: str

    @property
    def resume(self) -> bool:
        """Whether to connect again with the token."""
        return 4000 <= self.code < 4100

    @property
    def afresh(self) -> bool:
        """Whether to connect again without the token."""
        return 4100 <= self.code < 4200


GOING_AWAY = CloseCode(4000, "going_away", "The server stops or restarts.")
TOO_SLOW = CloseCode(4001, "too_slow", "The client did not read what it was sent.")
SILENT = CloseCode(4002, "silent", "The client did not say hello in time.")
INTERNAL = CloseCode(4003, "internal", "The server made a mistake.")
FULL = CloseCode(4004, "full", "The server has no room for more connections now.")
TOKEN_UNKNOWN = CloseCode(4100, "token_unknown", "The server does not know the token.")
BAD_FRAME = CloseCode(4500, "bad_frame", "A frame could not be read, or was of the wrong type.")
NO_SUBPROTOCOL = CloseCode(4501, "no_subprotocol", "The client offered no subprotocol that the server speaks.")
FRAME_TOO_LARGE = CloseCode(4502, "frame_too_large", "A frame was larger than the server takes.")
FLOODING = CloseCode(4503, "flooding", "The client went on sending too fast after being told.")

CLOSE_CODES: tuple[CloseCode, ...] = tuple(value for value in list(globals().values()) if isinstance(value, CloseCode))
"""All close codes, in the order of this file."""
