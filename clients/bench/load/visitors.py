"""A connection that says hello, and what is read of what it is sent."""

import msgspec

from clients.bench.load.errors import BenchError
from clients.bench.load.tally import Load
from clients.bench.load.wire import Link
from protocol.commands import AnyCommand, Hello
from protocol.values import SUBPROTOCOL_MSGPACK


class Message(msgspec.Struct, gc=False):
    """What is read of a message of any kind."""

    kind: str
    version: int = 0
    decision: int | None = None
    status: str = ""
    game: msgspec.Raw = msgspec.Raw()
    table: str | None = None
    re: str | None = None
    code: str = ""
    detail: str | None = None


_read = msgspec.msgpack.Decoder(Message).decode
_encode = msgspec.msgpack.Encoder().encode


class Visitor(Link):
    """A connection that says hello and then does nothing."""

    def __init__(self, load: Load) -> None:
        super().__init__(load.wire, load.port, "/ws", SUBPROTOCOL_MSGPACK)
        self._load = load
        self.begin()

    def receive(self, frame: bytes) -> None:
        message = _read(frame)
        if message.kind == "welcome":
            self.say(Hello(id=self._load.new_id(), bot=True, agent="bench"))
        elif message.kind == "session":
            self._load.here += 1
        elif message.kind == "view":
            self.viewed(message, len(frame))
        elif message.kind == "done":
            self.done(message)
        elif message.kind == "error":
            raise BenchError(f"The server refused a command: {message.code} {message.detail or ''}".rstrip() + ".")

    def say(self, command: AnyCommand) -> None:
        """Send a command."""
        self.send(_encode(command))

    def viewed(self, message: Message, size: int) -> None:
        """A view has come."""

    def done(self, message: Message) -> None:
        """A command was carried out."""
