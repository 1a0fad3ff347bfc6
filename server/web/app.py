"""The ASGI application."""

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import WebSocketRoute

from server.hub.peer import Hub
from server.web.http import SecurityHeaders, routes
from server.web.site import Site
from server.web.sockets import Sockets


def build_app(hub: Hub, sockets: Sockets, public_url: str | None = None, site: Site | None = None) -> Starlette:
    """The application, with the web client if there is one; it neither starts nor stops the hub."""
    return Starlette(
        routes=[WebSocketRoute("/ws", sockets.serve), *routes(hub, public_url, site)],
        middleware=[Middleware(SecurityHeaders)],
        max_body_size=1024,
    )
