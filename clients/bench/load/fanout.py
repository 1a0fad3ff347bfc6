"""A bare fan-out server: the stack of the real one, without rules, store or checks. What it does in a second, no server
on this stack can exceed.

    python -m clients.bench.load.fanout

`/ws/GROUP/BYTES`: whatever a member of a group sends is answered by a short frame, and every member is sent a frame of
so many bytes. It prints its address, and ends in order with SIGTERM.
"""

import asyncio
import signal
import socket
import sys
from collections import defaultdict
from typing import Final

import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

SUBPROTOCOL: Final = "fanout"
REPLY: Final = bytes(64)
"""As long as the reply to a move."""
PING_SECONDS: Final = 20.0


def application() -> Starlette:
    """The ASGI application."""
    groups: dict[int, list[WebSocket]] = defaultdict(list)

    async def serve(websocket: WebSocket) -> None:
        group = groups[websocket.path_params["group"]]
        frame = bytes(websocket.path_params["bytes"])
        await websocket.accept(SUBPROTOCOL)
        group.append(websocket)
        try:
            while True:
                await websocket.receive_bytes()
                for member in group:
                    await member.send_bytes(frame)
                await websocket.send_bytes(REPLY)
        except WebSocketDisconnect:
            group.remove(websocket)

    return Starlette(routes=[WebSocketRoute("/ws/{group:int}/{bytes:int}", serve)])


def main() -> None:
    """Serve on any free port of this machine."""
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(0))  # uvicorn raises it again when it has ended
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listener:
        config = uvicorn.Config(
            application(),
            ws="websockets-sansio",
            ws_per_message_deflate=False,
            ws_ping_interval=PING_SECONDS,
            ws_ping_timeout=PING_SECONDS,
            lifespan="off",
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=1,
        )
        print(f"listening on http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
        with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
            runner.run(uvicorn.Server(config).serve([listener]))


if __name__ == "__main__":
    main()
