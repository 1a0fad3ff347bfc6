"""Nothing sticks out of the window, on a phone and on a wide screen."""

import re

import pytest
from playwright.async_api import Page, expect

from tests.browser.chromium import NARROW, WIDE, needs_chromium, people_at
from tests.browser.doctored import change_views, with_cards
from tests.browser.tour import tour
from tests.end_to_end.processes import serving

pytestmark = [pytest.mark.slow, needs_chromium]

MANY = 30
LEAST_PIXELS = 24
"""What WCAG asks of what is touched."""

_STICKS_OUT = """() => {
    const root = document.documentElement;
    const found = [];
    if (root.scrollWidth > root.clientWidth) found.push(`the page: ${root.scrollWidth} > ${root.clientWidth}`);
    const scrolls = (element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
    for (const element of document.querySelectorAll("a, button, input, select, summary, h1, h2, p, li, td, th")) {
        const { left, right, width } = element.getBoundingClientRect();
        if (width <= 1 || (left >= -0.5 && right <= innerWidth + 0.5)) continue;
        let around = element.parentElement;
        while (around && !scrolls(around)) around = around.parentElement;
        if (!around && element.checkVisibility({ visibilityProperty: true })) {
            found.push(`${element.outerHTML.slice(0, 120)}: ${left} to ${right}`);
        }
    }
    return found;
}"""


async def test_every_page() -> None:
    found: list[str] = []
    async with serving() as server, people_at(server.http) as people:
        async for name, page in tour(server, people):
            for width, height in (NARROW, WIDE):
                await page.set_viewport_size({"width": width, "height": height})
                found += [f"{name}, {width}: {wrong}" for wrong in await sticking_out(page)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_a_hand_of_thirty_cards(size: tuple[int, int]) -> None:
    """Hardly anybody ever holds as many; here the server's views are changed on their way."""
    async with serving() as server, people_at(server.http) as people:
        ann = await people.come("/rules", size=size)
        await change_views(ann.context, with_cards(MANY))
        await ann.page.goto("/")
        await ann.page.get_by_role("button", name="Play against bots now").click()
        await ann.page.get_by_role("button", name="Keep this hand").click()
        hand = ann.page.get_by_role("group", name=f"Your hand, {MANY} cards")
        cards = hand.get_by_role("button", name=re.compile("^[0-9]+, other half"))
        await expect(cards).to_have_count(MANY)
        found = await sticking_out(ann.page)
        assert not found, "\n".join(found)
        for card in await cards.all():
            await card.click(trial=True)  # it can be touched where it is
            box = await card.bounding_box()
            assert box is not None
            assert box["height"] >= LEAST_PIXELS
        await cards.last.click()
        await expect(cards.last).to_have_attribute("aria-pressed", "true")


async def sticking_out(page: Page) -> list[str]:
    """What is wider than the window, or lies beside it, and cannot be scrolled into it by itself."""
    await page.evaluate("new Promise(requestAnimationFrame)")
    return list(await page.evaluate(_STICKS_OUT))
