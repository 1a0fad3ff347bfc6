"""What one connection does with what it receives. Sans-I/O: a frame and the time go in, one thing to do comes out.

    greeting    `welcome` was sent; the first command must be `hello`, and must come in time
    open        commands are carried out
    closing     nothing that still comes is looked at

The order of the checks on a frame, and what becomes of one that fails:

    1. limit      far too many: close `flooding`
    2. frame      too large: close `frame_too_large`; the wrong type or unreadable: close `bad_frame`
    3. message    not a command: error `bad_message` or `unknown_kind`
    4. limit      too many: error `too_fast`, which needs the command's id and so comes after decoding
    5. hello      missing: error `hello_first`
    6. the hub carries the command out; it refuses a second hello, unless the first one was refused
"""

from dataclasses import dataclass
from enum import Enum, auto
from hmac import compare_digest

from protocol.closing import FLOODING, SILENT, CloseCode
from protocol.codec import Codec, FrameError, MessageError
from protocol.commands import AnyCommand, Hello
from protocol.errors import HELLO_FIRST, TOO_FAST, ErrorCode
from protocol.pushes import Error, Limits, Welcome
from server.web.limiter import Limiter, Verdict


class Phase(Enum):
    """How far a connection has come."""

    GREETING = auto()
    OPEN = auto()
    CLOSING = auto()


@dataclass(frozen=True, slots=True)
class Dispatch:
    """Hand the command to the hub."""

    command: AnyCommand


@dataclass(frozen=True, slots=True)
class Reply:
    """Send the error."""

    error: Error


@dataclass(frozen=True, slots=True)
class Close:
    """Close the connection."""

    code: CloseCode


@dataclass(frozen=True, slots=True)
class Ignore:
    """Do nothing."""


Action = Dispatch | Reply | Close | Ignore


class Connection:
    """The state of one connection."""

    def __init__(
        self, codec: Codec, server: str, limits: Limits, house_key: str, now: float, public_url: str | None = None
    ) -> None:
        """A connection that was accepted at `now`; times are in seconds, from any origin.

        The limits do not bind whoever says hello with `house_key`.
        """
        self._codec = codec
        self._house_key = house_key.encode()
        self._limiter: Limiter | None = Limiter(limits.commands_per_second, limits.burst)
        self._hello_by = now + limits.hello_ms / 1000
        self.phase = Phase.GREETING
        self.welcome = Welcome(server=server, limits=limits, public_url=public_url)

    def receive(self, frame: bytes | str, now: float) -> Action:
        """What to do with a frame. Everything it causes is to be done before the next frame is passed in."""
        if self.phase is Phase.CLOSING:
            return Ignore()
        verdict = self._limiter.judge(now) if self._limiter else Verdict.ALLOW
        if verdict is Verdict.CLOSE:
            return self._close(FLOODING)
        try:
            command = self._codec.decode_command(frame)
        except FrameError as error:
            return self._close(error.close)
        except MessageError as error:
            return _refuse(error.code, error.re, error.message)
        if self._limiter and verdict is Verdict.REFUSE:
            return _refuse(TOO_FAST, command.id, after_ms=self._limiter.after_ms(now))
        return self._admit(command)

    def tick(self, now: float) -> Action:
        """What to do because time has passed."""
        if self.phase is Phase.GREETING and now > self._hello_by:
            return self._close(SILENT)
        return Ignore()

    def closing(self) -> None:
        """The connection is being closed for a reason that is not its own."""
        self.phase = Phase.CLOSING

    def _admit(self, command: AnyCommand) -> Action:
        if not isinstance(command, Hello) and self.phase is Phase.GREETING:
            return _refuse(HELLO_FIRST, command.id)
        if isinstance(command, Hello):
            self.phase = Phase.OPEN
            if command.house is not None and compare_digest(command.house.encode(), self._house_key):
                self._limiter = None
        return Dispatch(command)

    def _close(self, code: CloseCode) -> Close:
        self.phase = Phase.CLOSING
        return Close(code)


def _refuse(code: ErrorCode, re: str | None, message: str | None = None, after_ms: int | None = None) -> Reply:
    sentence = code.meaning if message is None else message
    return Reply(Error(re=re, code=code.code, message=sentence, retry=code.retry, after_ms=after_ms))
