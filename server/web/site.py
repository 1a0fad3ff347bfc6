"""The web client: the files that its build left in `pages/`, read once and served from memory.

The client has one page, which shows something else for each address. Everything else that it loads lies in `assets/`
under names that change with the contents, so browsers keep it for good; the page itself they ask for each time.
"""

import gzip
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

PAGES = Path(__file__).parent / "pages"
INDEX = "index.html"
CLIENT_ROUTES = ("/", "/rules", "/t/{table}", "/t/{table}/replay")
"""The addresses that the page knows what to show for."""
CONTENT_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
"""Not from `mimetypes`, which asks the machine."""
FOR_GOOD = "public, max-age=31536000, immutable"
EACH_TIME = "no-cache"
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",  # WebSocket at the same host is part of it
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""What the client may do: nothing inline, and nothing from elsewhere."""
_PACKED_AT_MOST = 0.9
"""The packed form of a file is worth it from this part of the size on."""


@dataclass(frozen=True)
class File:
    """One file: its body, packed too where that is smaller, and its headers."""

    body: bytes
    packed: bytes | None
    headers: dict[str, str]

    def answer(self, request: Request, status: int = 200) -> Response:
        """The file, packed for browsers that say they can unpack it."""
        headers = dict(self.headers)
        if self.packed is None:
            return Response(self.body, status, headers)
        headers["vary"] = "accept-encoding"
        if not _takes_gzip(request.headers.get("accept-encoding", "")):
            return Response(self.body, status, headers)
        return Response(self.packed, status, {**headers, "content-encoding": "gzip"})


Site = dict[str, File]
"""The files by their paths, as in ``assets/index-1a2b.js``."""


def read_site(folder: Path = PAGES) -> Site | None:
    """The web client; `None` where it was not built."""
    if not is_built(folder):
        return None
    names = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    return {name: _read(folder / name, name) for name in names}


def is_built(folder: Path = PAGES) -> bool:
    """Whether there is a web client."""
    return (folder / INDEX).is_file()


def site_routes(site: Site) -> list[Route]:
    """The page at each of its addresses, and the other files; the last of these routes takes every path."""
    index = site[INDEX]

    async def page(request: Request) -> Response:
        return index.answer(request)

    async def file(request: Request) -> Response:
        found = site.get(request.path_params["path"])
        if found:
            return found.answer(request)
        if "text/html" in request.headers.get("accept", ""):
            return index.answer(request, 404)  # somebody followed a bad link: the page says so, and leads on
        return PlainTextResponse("There is nothing here.\n", 404)

    return [*(Route(path, page) for path in CLIENT_ROUTES), Route("/{path:path}", file)]


def _read(path: Path, name: str) -> File:
    body = path.read_bytes()
    packed = gzip.compress(body, mtime=0)
    headers = {
        "content-type": CONTENT_TYPES.get(path.suffix, "application/octet-stream"),
        "cache-control": FOR_GOOD if name.startswith("assets/") else EACH_TIME,
        "content-security-policy": POLICY,
    }
    return File(body, packed if len(packed) <= _PACKED_AT_MOST * len(body) else None, headers)


def _takes_gzip(accepted: str) -> bool:
    for each in accepted.lower().split(","):
        coding, _, weight = each.replace(" ", "").partition(";")
        if coding in ("gzip", "*"):
            return weight not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
