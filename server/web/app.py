"""The ASGI application."""

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import WebSocketRoute

from server.hub.peer import Hub
from server.web.http import SecurityHeaders, routes
from server.web.sockets import Sockets


def build_app(hub: Hub, sockets: Sockets, public_url: str | None = None) -> Starlette:
    """The application; it neither starts nor stops the hub."""
    return Starlette(
        routes=[WebSocketRoute("/ws", sockets.serve), *routes(hub, public_url)],
        middleware=[Middleware(SecurityHeaders)],
        max_body_size=1024,
    )
