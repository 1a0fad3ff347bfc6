"""Frames to messages and back: one codec for each subprotocol.

A server decodes commands and encodes messages, a client encodes commands and decodes messages. Two things can go wrong
with what was received:

    FrameError     the frame cannot be read; close the connection with its code
    MessageError   the frame is a map, but no message; answer with an error, and go on

Keys that a message does not have are ignored.
"""

import re
from typing import Any, Final, Protocol, cast

import msgspec
from msgspec import Struct

from protocol.commands import AnyCommand, Play
from protocol.errors import BAD_MESSAGE, UNKNOWN_KIND, ErrorCode
from protocol.frames import COMMAND_LIMITS, MESSAGE_LIMITS, FrameError, FrameLimits, read_json, read_msgpack
from protocol.kinds import COMMANDS, MESSAGES
from protocol.pushes import AnyMessage
from protocol.values import SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK, CommandId

__all__ = [
    "COMMAND_LIMITS",
    "MESSAGE_LIMITS",
    "SUBPROTOCOLS",
    "Codec",
    "FrameError",
    "FrameLimits",
    "JsonCodec",
    "MessageError",
    "MsgpackCodec",
    "codec_for",
    "transcode",
]


class MessageError(Exception):
    """A map that is no message of a known kind and right form; a server answers it with `error`.

    Attributes:
        code: `BAD_MESSAGE` or `UNKNOWN_KIND`.
        message: what is wrong and where, in one sentence, without any value from the frame.
        re: the `id` of the command, or the `re` of the message, where it could be read.
    """

    def __init__(self, code: ErrorCode, message: str, re: str | None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.re = re


class Codec(Protocol):
    """What both codecs can do."""

    @property
    def subprotocol(self) -> str:
        """The WebSocket subprotocol that it speaks."""

    def decode_command(self, frame: bytes | str, limits: FrameLimits = COMMAND_LIMITS) -> AnyCommand:
        """The command in a frame, for a server. Raises `FrameError` and `MessageError`."""

    def decode_message(self, frame: bytes | str, limits: FrameLimits = MESSAGE_LIMITS) -> AnyMessage:
        """The message in a frame, for a client. Raises `FrameError` and `MessageError`."""

    def encode(self, message: AnyCommand | AnyMessage) -> bytes | str:
        """The frame for a message."""

    def from_msgpack(self, packed: bytes) -> bytes | str:
        """The frame for a message that has been encoded as MessagePack."""


class MsgpackCodec:
    """Binary frames of MessagePack."""

    subprotocol: Final = SUBPROTOCOL_MSGPACK

    def decode_command(self, frame: bytes | str, limits: FrameLimits = COMMAND_LIMITS) -> AnyCommand:
        """See `Codec.decode_command`."""
        return _plain_play(frame) or _command(read_msgpack(frame, limits))

    def decode_message(self, frame: bytes | str, limits: FrameLimits = MESSAGE_LIMITS) -> AnyMessage:
        """See `Codec.decode_message`."""
        return _message(read_msgpack(frame, limits))

    def encode(self, message: AnyCommand | AnyMessage) -> bytes:
        """See `Codec.encode`."""
        return _to_msgpack(message)

    def from_msgpack(self, packed: bytes) -> bytes:
        """See `Codec.from_msgpack`."""
        return packed


class JsonCodec:
    """Text frames of JSON."""

    subprotocol: Final = SUBPROTOCOL_JSON

    def decode_command(self, frame: bytes | str, limits: FrameLimits = COMMAND_LIMITS) -> AnyCommand:
        """See `Codec.decode_command`."""
        return _command(read_json(frame, limits))

    def decode_message(self, frame: bytes | str, limits: FrameLimits = MESSAGE_LIMITS) -> AnyMessage:
        """See `Codec.decode_message`."""
        return _message(read_json(frame, limits))

    def encode(self, message: AnyCommand | AnyMessage) -> str:
        """See `Codec.encode`."""
        return _to_json(message).decode()

    def from_msgpack(self, packed: bytes) -> str:
        """See `Codec.from_msgpack`."""
        return transcode(packed)


_CODECS: dict[str, Codec] = {SUBPROTOCOL_MSGPACK: MsgpackCodec(), SUBPROTOCOL_JSON: JsonCodec()}

SUBPROTOCOLS: tuple[str, ...] = tuple(_CODECS)
"""The names of all subprotocols, the one that a server prefers first."""


def codec_for(subprotocol: str) -> Codec:
    """The codec of a subprotocol. Raises `KeyError` for a name that is not in `SUBPROTOCOLS`."""
    return _CODECS[subprotocol]


def transcode(packed: bytes) -> str:
    """The JSON text of a message that this side has encoded as MessagePack; equal to encoding the message as JSON."""
    return _to_json(msgspec.msgpack.decode(packed)).decode()


_to_msgpack = msgspec.msgpack.Encoder().encode
_to_json = msgspec.json.Encoder().encode
_read_play = msgspec.msgpack.Decoder(Play).decode
_PLAIN_PLAY: Final = bytes((0x80 | 1 + len(Play.__struct_fields__),)) + _to_msgpack("kind") + _to_msgpack("play")
"""How a `play` begins that has its kind first, and besides that as many keys as it has fields."""


def _plain_play(frame: bytes | str) -> Play | None:
    """The move in a frame that holds nothing else, in a tenth of the time; all other frames go the usual way.

    Each field has to be there once and has its own limits, so nothing is left for the limits of a frame to find.
    """
    if isinstance(frame, str) or not frame.startswith(_PLAIN_PLAY):
        return None
    try:
        return _read_play(frame)
    except msgspec.MsgspecError:
        return None


def _command(value: dict[str, Any]) -> AnyCommand:
    return cast(AnyCommand, _convert(value, COMMANDS, "id"))


def _message(value: dict[str, Any]) -> AnyMessage:
    return cast(AnyMessage, _convert(value, MESSAGES, "re"))


def _convert(value: dict[str, Any], types: dict[str, type[Struct]], id_field: str) -> Struct:
    """The message in a map. Taking its type from `types` is 15 times as fast as converting to their union."""
    kind = value.get("kind")
    if not isinstance(kind, str):
        raise MessageError(BAD_MESSAGE, "Expected `str` in `kind`.", _id(value.get(id_field)))
    if kind not in types:
        raise MessageError(UNKNOWN_KIND, "There is no message of this kind.", _id(value.get(id_field)))
    try:
        return msgspec.convert(value, types[kind])
    except msgspec.ValidationError as error:  # it may quote the frame
        raise MessageError(BAD_MESSAGE, _sentence(str(error)), _id(value.get(id_field))) from None


def _id(value: object) -> str | None:
    try:
        return msgspec.convert(value, CommandId)
    except msgspec.ValidationError:
        return None


_PLACE = re.compile(r" - at (?:`key` in )?`\$(?:\.([\w.\[\]]+))?`$")
_KNOWN_REASON = re.compile(
    r"Expected `[a-z |]+`(?:, got `\w+`| of length (?:[<>]=? )?\d+| [<>]=? -?\d+)?|Object missing required field `\w+`"
)


def _sentence(reason: str) -> str:
    """What msgspec says is wrong, as a sentence with no value from the frame: only reasons known to quote none."""
    place = _PLACE.search(reason)
    what = reason[: place.start()] if place else reason
    if what.startswith("Expected `str` matching regex"):
        what = "A character is not allowed"
    elif not _KNOWN_REASON.fullmatch(what):
        what = "Expected another value"
    where = f" in `{place[1]}`" if place and place[1] else ""
    return f"{what}{where}."
