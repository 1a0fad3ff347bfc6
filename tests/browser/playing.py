"""Plays SCOUT as a person does: with what is on the screen, found by its roles and names.

Which move is made is chosen from what came over the WebSocket; that and how it can be made is the screen's matter.
"""

import re
from contextlib import suppress
from random import Random
from typing import Protocol

from playwright.async_api import Error, Locator, Page, expect

from clients.bots.strategies.greedy import choose
from clients.scout import engine_view, legal_moves, write
from engine.scout import Move, Orient, Scout, ScoutShow, ScoutView, Show
from protocol.pushes import View
from tests.browser.chromium import Noted, Person

MOST_KEYS = 120
"""With how many presses of one key everything on a page can be reached."""


class Touch(Protocol):
    """How a person touches what is on the screen."""

    async def press(self, target: Locator) -> None:
        """Press a button, follow a link, take a card."""

    async def skip(self, page: Page) -> None:
        """Have moves that wait to be shown be shown at once."""


class Mouse:
    """A pointer, and nothing else."""

    async def press(self, target: Locator) -> None:
        await target.click()

    async def skip(self, page: Page) -> None:
        with suppress(Error):  # what waited was shown before it was pressed
            await page.get_by_role("button", name=re.compile("^Skip ")).click(timeout=500)


class Keyboard:
    """The tabulator, arrows and Enter, as somebody uses them who sees where the focus is."""

    async def press(self, target: Locator) -> None:
        await self.reach(target)
        await target.page.keyboard.press("Enter")

    async def skip(self, page: Page) -> None:
        await page.keyboard.press("n")

    async def reach(self, target: Locator) -> None:
        """Go to something. Of several that belong together one can be tabbed to, and arrows lead to the others."""
        await target.wait_for()
        if await target.evaluate("target => target.tabIndex >= 0"):
            await self._go(target, "Tab", "target === document.activeElement")
            return
        await self._go(target, "Tab", "target.closest('[role=group]').contains(document.activeElement)")
        forward = "document.activeElement.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING"
        key = "ArrowRight" if await target.evaluate(f"target => {forward}") else "ArrowLeft"
        await self._go(target, key, "target === document.activeElement")

    async def _go(self, target: Locator, key: str, there: str) -> None:
        for _ in range(MOST_KEYS):
            if await target.evaluate(f"target => {there}"):
                return
            await target.page.keyboard.press(key)
        raise AssertionError(f"{target} is not reached with {key}")


class Player:
    """Somebody who plays one match.

    Attributes:
        made: the moves they made.
    """

    def __init__(self, person: Person, touch: Touch, rng: Random) -> None:
        self._page = person.page
        self._noted: Noted = person.noted
        self._touch = touch
        self._rng = rng
        self._labels: list[str] = []
        self.made: list[Move] = []

    async def play_against_bots(self, bots: int) -> str:
        """Open a table with bots, by one press. Returns its id."""
        await self._page.get_by_label("Bots").select_option(str(bots))
        await self._touch.press(self._page.get_by_role("button", name="Play against bots now"))
        await self._page.wait_for_url("**/t/*")
        return self._page.url.rpartition("/")[2]

    async def play(self, table: str, moves: int | None = None, version: int | None = None) -> View:
        """Play to the end of the match, or so many moves, or until the table has a version. Returns the last view."""

        def enough() -> bool:
            view = self._noted.views.get(table)
            over = view is not None and (view.status == "over" or (version is not None and view.version >= version))
            return over or (moves is not None and len(self.made) >= moves)

        while True:
            await self._noted.heard(lambda: enough() or self._asked(table))
            if enough():
                break
            view = self._noted.views[table]
            if view.status == "break":
                await self._next(table, view)
            else:
                await self._move(table, view)
        return self._noted.views[table]

    def _asked(self, table: str) -> bool:
        view = self._noted.views.get(table)
        if view is None or view.you is None:
            return False
        unread = view.status == "break" and not view.seats[view.you].next
        return view.decision is not None or unread

    async def _next(self, table: str, view: View) -> None:
        await self._shown(self._page.get_by_role("button", name="Next round"))
        await self._touch.press(self._page.get_by_role("button", name="Next round"))
        await self._noted.heard(lambda: not self._is_break(table, view))

    def _is_break(self, table: str, before: View) -> bool:
        view = self._noted.views[table]
        return view.status == "break" and view.you is not None and not view.seats[view.you].next

    async def _move(self, table: str, view: View) -> None:
        assert view.game is not None
        move = self._choose(engine_view(view.game))
        hand = view.game.hand or ()
        size = len(hand)
        labels = [f"{up}, other half {down}, card {at} of {size}" for at, (up, down) in enumerate(hand, 1)]
        changed = next((label for label in labels if label not in self._labels), None)
        self._labels = labels
        match move:
            case Orient(turn):
                await self._press("Take this hand" if turn else "Keep this hand")
            case Show():
                await self._my_turn(changed)
                await self._show(move, size)
            case Scout():
                await self._my_turn(changed)
                await self._scout(move)
            case ScoutShow(scout, show):
                await self._my_turn(changed)
                await self._scout(scout, onward=True)
                await self._show(show, size + 1)
        if not isinstance(move, Orient):
            await self._confirm(move)
        await self._noted.heard(lambda: self._noted.views[table].decision != view.decision)
        self.made.append(move)
        assert write(move) in self._told(table), "another move was made than the one that was composed"

    def _told(self, table: str) -> set[str | None]:
        """The moves of which the player was told, in notation."""
        views = (message for message in self._noted.messages if isinstance(message, View) and message.table == table)
        return {getattr(event, "move", None) for view in views for event in view.events}

    def _choose(self, view: ScoutView) -> Move:
        """A kind of move that was not made yet, or else a good one."""
        new = [move for move in legal_moves(view) if not any(type(move) is type(other) for other in self.made)]
        return self._rng.choice(new) if new else choose(view, self._rng)

    async def _my_turn(self, changed: str | None) -> None:
        """Wait until the page says so, and shows what the last own move has changed in the hand.

        What it still has to show of others is skipped.
        """
        if changed is not None:
            await self._shown(self._hand().get_by_label(changed, exact=True))
        await self._shown(self._page.get_by_role("status").filter(has_text="Your turn"))

    async def _shown(self, target: Locator) -> None:
        waiting = self._page.get_by_role("button", name=re.compile("^Skip "))
        await expect(target.or_(waiting).first).to_be_visible()
        while await waiting.is_visible():
            await self._touch.skip(self._page)
        await expect(target).to_be_visible()

    def _hand(self) -> Locator:
        return self._page.get_by_role("group", name=re.compile("^Your hand"))

    async def _show(self, show: Show, size: int) -> None:
        for at in {show.first, show.first + show.count - 1}:
            name = re.compile(rf"card {at + 1} of {size}$")
            await self._touch.press(self._hand().get_by_role("button", name=name))

    async def _scout(self, scout: Scout, onward: bool = False) -> None:
        side = "right" if scout.right else "left"
        await self._press(re.compile(rf"^Scout the \d+ from the {side}"))
        await self._touch.press(self._hand().get_by_role("button", name=re.compile("^Put it ")).nth(scout.gap))
        if scout.turn:
            await self._press("Turn it")
        if onward:
            await self._press("… and show")

    async def _confirm(self, move: Move) -> None:
        """One button says what will happen, and does it."""
        words = {Show: r"^Show \d", Scout: r"^Scout the \d+$", ScoutShow: r"^Scout the \d+, show \d"}
        await self._press(re.compile(words[type(move)]))

    async def _press(self, name: str | re.Pattern[str]) -> None:
        await self._touch.press(self._page.get_by_role("button", name=name))
