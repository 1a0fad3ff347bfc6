"""A WebSocket client that does no more than a load generator needs, and one loop for thousands of them.

Frames from a server are whole and unmasked here, and what is sent is short. The mask is four zeros: the server has the
same work with it, and this side has none.
"""

import select
import socket
import time
from base64 import b64encode
from collections.abc import Callable
from typing import Final

from clients.bench.load.errors import BenchError

READ_BYTES: Final = 32 * 1024
CONNECT_SECONDS: Final = 10.0
_KEY: Final = b64encode(bytes(16)).decode()
_BINARY: Final = 0x82
_CLOSE: Final = 0x8
_PING: Final = 0x9
_PONG: Final = 0x8A
_MASK: Final = bytes(4)


class Wire:
    """Reads from all its links whatever has come."""

    def __init__(self) -> None:
        self._poll = select.epoll()
        self._links: dict[int, Link] = {}

    def add(self, link: "Link") -> None:
        """Read from this link, too."""
        self._links[link.fileno] = link
        self._poll.register(link.fileno, select.EPOLLIN)

    def turn(self, seconds: float) -> None:
        """Read what has come, or what comes within so many seconds."""
        links = self._links
        for number, _ in self._poll.poll(seconds):
            links[number].read()

    def until(self, reached: Callable[[], bool], seconds: float, what: str) -> None:
        """Read until something is the case. Raises `BenchError` if that takes too long."""
        end = time.perf_counter() + seconds
        while not reached():
            left = end - time.perf_counter()
            if left < 0:
                raise BenchError(f"The server did not {what} within {seconds:g} s.")
            self.turn(left)

    def close(self) -> None:
        """Let go of all links."""
        for link in self._links.values():
            link.close()
        self._links.clear()
        self._poll.close()


class Link:
    """One connection. Whoever is derived from it says what becomes of a frame (`receive`)."""

    def __init__(self, wire: Wire, port: int, path: str, subprotocol: str) -> None:
        """Connect to a server on this machine. Raises `BenchError`."""
        try:
            self._socket = socket.create_connection(("127.0.0.1", port), CONNECT_SECONDS)
        except OSError as error:
            raise BenchError(f"Cannot connect to the server: {error}.") from error
        try:
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._rest = self._shake_hands(port, path, subprotocol)
        except OSError as error:
            self.close()
            raise BenchError(f"The server cut a handshake: {error}.") from error
        except BenchError:
            self.close()
            raise
        self._socket.setblocking(False)
        self.fileno = self._socket.fileno()
        wire.add(self)

    def receive(self, frame: bytes) -> None:
        """What becomes of a frame."""
        raise NotImplementedError

    def begin(self) -> None:
        """Look at what came together with the end of the handshake."""
        self._take(self._rest)

    def send(self, payload: bytes) -> None:
        """Send a binary frame. Raises `BenchError` if the server does not take it."""
        size = len(payload)
        head = bytes((_BINARY, 128 | size)) if size < 126 else bytes((_BINARY, 254, size >> 8, size & 255))
        self._write(head + _MASK + payload)

    def read(self) -> None:
        """Take in what has come. Raises `BenchError` if the server has closed the connection."""
        try:
            data = self._socket.recv(READ_BYTES)
        except BlockingIOError:
            return
        except OSError as error:
            raise BenchError(f"The server cut a connection: {error}.") from error
        if not data:
            raise BenchError("The server ended a connection.")
        self._take(self._rest + data if self._rest else data)

    def close(self) -> None:
        """Let go of the connection."""
        self._socket.close()

    def _take(self, data: bytes) -> None:
        """Hand every whole frame on and keep the rest."""
        at, end = 0, len(data)
        while end - at >= 2:
            size, start = data[at + 1], at + 2
            if size >= 126:
                start += 2 if size == 126 else 8
                if start > end:
                    break
                size = int.from_bytes(data[at + 2 : start])
            if start + size > end:
                break
            frame = data[start : start + size]
            if data[at] == _BINARY:
                self.receive(frame)
            else:
                self._control(data[at], frame)
            at = start + size
        self._rest = data[at:]

    def _control(self, head: int, frame: bytes) -> None:
        if head & 15 == _CLOSE:
            code, reason = int.from_bytes(frame[:2]), frame[2:].decode(errors="replace")
            raise BenchError(f"The server closed a connection with {code} {reason}.")
        if head & 15 == _PING:
            self._write(bytes((_PONG, 128 | len(frame))) + _MASK + frame)

    def _write(self, data: bytes) -> None:
        try:
            sent = self._socket.send(data)
        except OSError as error:
            raise BenchError(f"The server takes nothing more: {error}.") from error
        if sent < len(data):
            raise BenchError("The server does not read what it is sent.")

    def _shake_hands(self, port: int, path: str, subprotocol: str) -> bytes:
        self._socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {_KEY}\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: {subprotocol}\r\n\r\n".encode()
        )
        data = b""
        while b"\r\n\r\n" not in data:
            more = self._socket.recv(READ_BYTES)
            if not more:
                raise BenchError("The server ended a handshake.")
            data += more
        head, _, rest = data.partition(b"\r\n\r\n")
        status = head.split(b"\r\n", 1)[0].decode(errors="replace")
        if " 101 " not in f"{status} ":
            raise BenchError(f"The server refused a WebSocket: {status}.")
        return rest
