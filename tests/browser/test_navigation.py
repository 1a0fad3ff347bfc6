"""Reloading, the back button and a second tab do what one expects."""

import re
from random import Random

import pytest
from playwright.async_api import Page, expect

from tests.browser.chromium import needs_chromium, people_at
from tests.browser.playing import Mouse, Player
from tests.end_to_end.processes import serving

pytestmark = [pytest.mark.slow, needs_chromium]


async def hand(page: Page) -> list[str | None]:
    """The cards of the own hand, as they are read out, once it is the person's turn."""
    await expect(page.get_by_role("status").filter(has_text="Your turn")).to_be_visible()
    cards = page.get_by_role("group", name=re.compile("^Your hand")).get_by_role("button")
    return [await card.get_attribute("aria-label") for card in await cards.all()]


async def test_reload_back_and_a_second_tab() -> None:
    async with serving() as server, people_at(server.http) as people:
        ann = await people.come()
        player = Player(ann, Mouse(), Random(5))
        table = await player.play_against_bots(1)
        await player.play(table, moves=2)
        await ann.noted.heard(lambda: ann.noted.views[table].decision is not None)
        shown = await hand(ann.page)
        assert shown

        await ann.page.reload()
        assert await hand(ann.page) == shown

        tab = await ann.another_tab()
        await tab.goto("/")
        mine = tab.get_by_role("region", name="Your tables").get_by_role("listitem")
        await expect(mine.first).to_contain_text("Your turn")
        await mine.first.get_by_role("link", name="Go on").click()
        assert await hand(tab) == shown

        await tab.get_by_role("link", name="Rules").click()
        await expect(tab.get_by_role("heading", level=1)).to_contain_text("SCOUT")
        await tab.go_back()
        assert await hand(tab) == shown
        await tab.go_back()
        await expect(mine.first).to_be_visible()
        await tab.go_forward()
        assert await hand(tab) == shown

        await player.play(table, moves=4)
        await ann.noted.heard(lambda: ann.noted.views[table].decision is not None)
        assert await hand(tab) == await hand(ann.page) != shown
