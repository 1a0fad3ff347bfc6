"""A server of nothing but handshakes, and of whatever bytes a test has it say."""

import contextlib
import socket
import threading

from clients.bench.load.tally import Load
from clients.bench.load.wire import Wire


class Impostor:
    """Attributes: `port`, where it listens, and `status`, which it answers handshakes with."""

    def __init__(self) -> None:
        self.status = "101 Switching Protocols"
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._accepted: list[socket.socket] = []
        self._wires: list[Wire] = []
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()
        self.port: int = self._listener.getsockname()[1]

    def load(self) -> Load:
        """A load on it."""
        self._wires.append(Wire())
        return Load(self._wires[-1], self.port)

    def say(self, data: bytes) -> None:
        """Send bytes on the newest connection."""
        self._accepted[-1].sendall(data)

    def hear(self, size: int) -> bytes:
        """So many bytes from the newest connection."""
        return self._accepted[-1].recv(size, socket.MSG_WAITALL)

    def hang_up(self) -> None:
        """End the newest connection."""
        self._accepted[-1].close()

    def close(self) -> None:
        """End everything."""
        for wire in self._wires:
            wire.close()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listener.close()
        for connection in self._accepted:
            connection.close()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self._accepted.append(connection)
                asked = b""
                while b"\r\n\r\n" not in asked:
                    asked += connection.recv(4096)
                connection.sendall(f"HTTP/1.1 {self.status}\r\n\r\n".encode())


def framed(payload: bytes) -> bytes:
    """A server's binary frame."""
    size = len(payload)
    if size < 126:
        return bytes((0x82, size)) + payload
    if size < 1 << 16:
        return b"\x82\x7e" + size.to_bytes(2) + payload
    return b"\x82\x7f" + size.to_bytes(8) + payload
