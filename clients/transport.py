"""One connection, as the rest of the library sees it, and the WebSocket that it is."""

import logging
import socket
import ssl
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_websocket
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI, WebSocketException
from websockets.typing import Subprotocol

from clients.errors import BadAddress, Unreachable
from protocol.codec import MESSAGE_LIMITS, FrameError, MessageError, codec_for
from protocol.commands import AnyCommand
from protocol.pushes import AnyMessage
from protocol.values import SUBPROTOCOL_MSGPACK

OPEN_SECONDS: Final = 10.0
_log = logging.getLogger(__name__)


class Lost(Exception):
    """The connection is closed.

    Attributes:
        code: the close code, if the server gave one.
    """

    def __init__(self, code: int | None = None) -> None:
        super().__init__(f"closed with {code}")
        self.code = code


class Transport(Protocol):
    """One connection."""

    async def send(self, command: AnyCommand) -> None:
        """Send a command. Raises `Lost`."""

    async def receive(self) -> AnyMessage:
        """The next message. Raises `Lost`."""

    async def close(self) -> None:
        """Close the connection; never raises `Lost`."""


Dial = Callable[[str], Awaitable[Transport]]
"""Opens a connection to a URL. Raises `BadAddress` and `Unreachable`."""


async def dial(url: str) -> "WebSocketTransport":
    """Open a WebSocket. Raises `BadAddress` and `Unreachable`."""
    try:
        websocket = await open_websocket(
            url,
            subprotocols=[Subprotocol(SUBPROTOCOL_MSGPACK)],
            compression=None,
            max_size=MESSAGE_LIMITS.frame_bytes,
            open_timeout=OPEN_SECONDS,
            close_timeout=1,
        )
    except (InvalidURI, ValueError):
        raise BadAddress(f"{url} is no WebSocket address; it should look like ws://host:8765/ws.") from None
    except InvalidStatus as error:
        status = error.response.status_code
        retry = status >= 500 or status == 429
        raise Unreachable(f"{url} answered with HTTP status {status}, not as a Bigtop server.", retry=retry) from None
    except (OSError, TimeoutError, EOFError) as error:
        raise Unreachable(_nobody(url, error)) from None
    except (InvalidHandshake, ConnectionClosed) as error:  # so does a server look that dies in the middle of it
        raise Unreachable(f"{url} does not answer as a Bigtop server ({_reason(error)}).") from None
    if websocket.subprotocol != SUBPROTOCOL_MSGPACK:
        await websocket.close()
        raise Unreachable(f"{url} speaks no protocol that this client knows.", retry=False)
    return WebSocketTransport(websocket)


def _nobody(url: str, error: BaseException) -> str:
    """Why there is no connection, as a sentence for a person."""
    match error:
        case ssl.SSLCertVerificationError():
            return f"The certificate of {url} cannot be trusted ({error.verify_message})."
        case ssl.SSLError() | ConnectionResetError() | EOFError() if url.startswith("wss:"):
            return f"What answers at {url} does not speak TLS as it should; addresses without TLS begin with http."
        case socket.gaierror():
            return f"The host in {url} cannot be found."
        case TimeoutError():
            return f"No server answers at {url} in time."
        case _:
            return f"No server answers at {url}; is one running there?"


def _reason(error: BaseException) -> str:
    return str(error).rstrip(".") or type(error).__name__


class WebSocketTransport:
    """A WebSocket that carries the protocol's messages as MessagePack."""

    def __init__(self, websocket: ClientConnection) -> None:
        self._websocket = websocket
        self._codec = codec_for(SUBPROTOCOL_MSGPACK)

    async def send(self, command: AnyCommand) -> None:
        """See `Transport.send`."""
        try:
            await self._websocket.send(self._codec.encode(command))
        except ConnectionClosed as error:
            raise Lost(_code(error)) from None

    async def receive(self) -> AnyMessage:
        """See `Transport.receive`. A message that this client is too old to know is left out."""
        while True:
            try:
                return self._codec.decode_message(await self._websocket.recv())
            except ConnectionClosed as error:
                raise Lost(_code(error)) from None
            except MessageError as error:
                _log.warning("A message of the server was left out: %s", error)
            except FrameError as error:
                await self.close()
                raise Lost from error

    async def close(self) -> None:
        """See `Transport.close`."""
        try:
            await self._websocket.close()
        except (OSError, WebSocketException):  # it is gone either way
            _log.debug("The connection broke while it was closed.", exc_info=True)


def _code(error: ConnectionClosed) -> int | None:
    return error.rcvd.code if error.rcvd is not None else None
