"""Chromium, driven by Playwright: the browser of the machine, and everything that a page in it did."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, Request, WebSocket, async_playwright

from protocol.codec import MsgpackCodec
from protocol.pushes import AnyMessage, View

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
PATIENCE_MS = 15_000
"""How long a test waits for what must happen."""
WIDE = (1600, 1000)
NARROW = (360, 740)
OWN_SCHEMES = ("data", "blob")
"""Of addresses that no host is asked for."""

_decode = MsgpackCodec().decode_message
_TELL_VIOLATIONS = """
addEventListener("securitypolicyviolation", (e) => console.error(`forbidden: ${e.violatedDirective} ${e.blockedURI}`));
"""


def chromium() -> str | None:
    """Where Chromium is installed, if it is."""
    return shutil.which("chromium")


needs_chromium = pytest.mark.skipif(chromium() is None, reason="needs Chromium: tools/debian-packages chromium")


@dataclass
class Noted:
    """What a browser's pages did.

    Attributes:
        complaints: errors and warnings on their console, what the policy forbade, and exceptions.
        hosts: whom they asked for something.
        frames: what came over their WebSockets.
        messages: the same, decoded.
        views: the newest of each table.
    """

    complaints: list[str] = field(default_factory=list)
    hosts: set[str] = field(default_factory=set)
    frames: list[bytes] = field(default_factory=list)
    messages: list[AnyMessage] = field(default_factory=list)
    views: dict[str, View] = field(default_factory=dict)
    _more: asyncio.Event = field(default_factory=asyncio.Event)

    def watch(self, context: BrowserContext) -> None:
        """Note from now on."""
        context.on("console", self._console)
        context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        context.on("request", self._request)
        context.on("page", lambda page: page.on("websocket", self._socket))

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _request(self, request: Request) -> None:
        self._asked(request.url)

    def _socket(self, socket: WebSocket) -> None:
        self._asked(socket.url)
        socket.on("framereceived", self._frame)

    def _frame(self, payload: bytes | str) -> None:
        assert isinstance(payload, bytes)
        message = _decode(payload)
        self.frames.append(payload)
        self.messages.append(message)
        if isinstance(message, View):
            self.views[message.table] = message
        self._more.set()

    async def heard(self, enough: Callable[[], bool]) -> None:
        """Wait until what came over WebSockets is enough."""
        async with asyncio.timeout(PATIENCE_MS / 1000):
            while not enough():
                self._more.clear()
                await self._more.wait()

    def _asked(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in OWN_SCHEMES:
            self.hosts.add(parts.netloc)


class Person:
    """Somebody with a browser of their own: nothing is kept in it but what they did.

    Attributes:
        context: their browser.
        page: what is on their screen.
        noted: what their pages did.
    """

    def __init__(self, context: BrowserContext, page: Page, noted: Noted) -> None:
        self.context = context
        self.page = page
        self.noted = noted

    async def another_tab(self) -> Page:
        """A second page in the same browser."""
        return await self.context.new_page()


class People:
    """Opens browsers that look at one server. What they did is looked at in the end.

    Attributes:
        tolerated: parts of complaints that a test causes on purpose.
    """

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser = browser
        self._address = address
        self._all: list[Person] = []
        self.tolerated: tuple[str, ...] = ()

    async def come(
        self,
        path: str = "/",
        *,
        size: tuple[int, int] = WIDE,
        language: str = "en-GB",
        theme: Literal["dark", "light"] = "light",
        calm: bool = True,
        **options: Any,
    ) -> Person:
        """Somebody opens a page.

        Args:
            path: which.
            size: of the window, in pixels.
            language: what the browser asks for.
            theme: what the system prefers.
            calm: whether the system asks for less motion.
            options: more for Playwright's `new_context`.
        """
        context = await self._browser.new_context(
            base_url=self._address,
            viewport={"width": size[0], "height": size[1]},
            locale=language,
            color_scheme=theme,
            reduced_motion="reduce" if calm else "no-preference",
            service_workers="block",
            **options,
        )
        context.set_default_timeout(PATIENCE_MS)
        await context.add_init_script(_TELL_VIOLATIONS)
        noted = Noted()
        noted.watch(context)
        page = await context.new_page()
        person = Person(context, page, noted)
        self._all.append(person)
        await page.goto(path)
        return person

    def assert_nothing_went_wrong(self) -> None:
        """No error, nothing that the policy forbids, and nobody else was asked for anything."""
        here = urlsplit(self._address).netloc
        for person in self._all:
            wrong = [text for text in person.noted.complaints if not any(part in text for part in self.tolerated)]
            assert wrong == []
            assert person.noted.hosts <= {here}

    async def leave(self) -> None:
        """Close all browsers."""
        for person in self._all:
            await person.context.close()


@asynccontextmanager
async def people_at(address: str) -> AsyncIterator[People]:
    """People with browsers, at a server. If all else went well, nothing may have gone wrong in their pages."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=[*ARGUMENTS])
        try:
            people = People(browser, address)
            yield people
            people.assert_nothing_went_wrong()
            await people.leave()
        finally:
            await browser.close()
