"""What can be read over plain HTTP."""

import re
from collections.abc import Awaitable, Callable
from html import escape

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.hub.peer import Hub
from server.store.base import StoreError
from server.web.site import Site, site_routes

_TABLE = re.compile(r"[0-9a-z]{12}")
_CODE = re.compile(r"[0-9a-z-]{8,32}")
_TOKEN = re.compile(r"[0-9A-Za-z_-]{32,64}")

SECURITY_HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (
        b"content-security-policy",
        b"default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
</head>
<body>
<h1>{title}</h1>
{body}
</body>
</html>
"""


class SecurityHeaders:
    """Adds headers that keep a browser from doing more with a response than showing it, unless it has its own."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = list(message.get("headers", ()))
                named = {name for name, _ in own}
                message["headers"] = own + [header for header in SECURITY_HEADERS if header[0] not in named]
            await send(message)

        await self._app(scope, receive, send_with_headers if scope["type"] == "http" else send)


def routes(hub: Hub, public_url: str | None, site: Site | None) -> list[Route]:
    """All routes but `/ws`.

    Without `public_url`, plain pages name the address under which they were asked for; they take the place of a web
    client that was not built.
    """

    def address(request: Request) -> str:
        return escape(public_url or str(request.base_url).rstrip("/"))

    async def health(_request: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def ready(_request: Request) -> Response:
        reason = await hub.check()
        if reason is None:
            return PlainTextResponse("ok\n")
        return PlainTextResponse(f"{reason}\n", 503)

    async def tables(_request: Request) -> Response:
        return Response(msgspec.json.encode(await hub.lobby()), media_type="application/json")

    async def record(request: Request) -> Response:
        table = request.path_params["table"]
        code = request.query_params.get("share", "")
        share = code if _CODE.fullmatch(code) else None
        text = await hub.record(table, _bearer(request), share) if _TABLE.fullmatch(table) else None
        if text is None:
            return PlainTextResponse("There is no such record, or it is not for you.\n", 404)
        return PlainTextResponse(text)

    async def share(request: Request) -> Response:
        table = request.path_params["table"]
        code = await hub.share(table, _bearer(request)) if _TABLE.fullmatch(table) else None
        if code is None:
            return PlainTextResponse("There is no such record, or it is not yours.\n", 404)
        return PlainTextResponse(code)

    async def home(request: Request) -> Response:
        body = (
            "<p>This is a server for the card game SCOUT.</p>\n"
            "<p>From a terminal you can</p>\n"
            "<ul>\n"
            f"<li>play against bots: <code>bigtop play --bots 3 {address(request)}</code></li>\n"
            f"<li>play against whoever is there: <code>bigtop play {address(request)}</code></li>\n"
            f"<li>watch bots: <code>bigtop watch --bots 4 {address(request)}</code></li>\n"
            "</ul>\n"
            '<p><a href="/tables">The open tables</a></p>\n'
            "<p>The pages for playing in the browser were not built. Run <code>make web</code> in the folder of Bigtop "
            "and start the server again.</p>"
        )
        return HTMLResponse(_PAGE.format(title="Bigtop", body=body))

    async def invite(request: Request) -> Response:
        table = request.path_params["table"]
        if not _TABLE.fullmatch(table):
            return PlainTextResponse("There is no such table.\n", 404)
        code = request.query_params.get("invite", "")
        link = f"{address(request)}/t/{table}"
        if _CODE.fullmatch(code):
            link = f"'{link}?invite={code}'"  # in quotes, since shells have their own idea of a question mark
        body = (
            "<p>You are invited to a table of SCOUT. From a terminal you can</p>\n"
            "<ul>\n"
            f"<li>play: <code>bigtop play {link}</code></li>\n"
            f"<li>watch: <code>bigtop watch {link}</code></li>\n"
            f"<li>send a bot: <code>bigtop bot {link}</code></li>\n"
            "</ul>"
        )
        return HTMLResponse(_PAGE.format(title="A table of SCOUT", body=body))

    plain_pages = [Route("/", home), Route("/t/{table}", invite)]
    return [
        Route("/health", health),
        Route("/ready", ready),
        Route("/tables", _needs_store(tables)),
        Route("/records/{table}", _needs_store(record)),
        Route("/records/{table}/share", _needs_store(share)),
        *(plain_pages if site is None else site_routes(site)),
    ]


Endpoint = Callable[[Request], Awaitable[Response]]


def _needs_store(endpoint: Endpoint) -> Endpoint:
    async def guarded(request: Request) -> Response:
        try:
            return await endpoint(request)
        except StoreError:
            return PlainTextResponse("The server cannot reach its store; try again later.\n", 503)

    return guarded


def _bearer(request: Request) -> str | None:
    """The token of the one who asks, unless it has not the form of a token."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token if scheme.lower() == "bearer" and _TOKEN.fullmatch(token) else None
