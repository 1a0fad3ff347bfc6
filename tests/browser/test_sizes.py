"""Nothing sticks out of the window, on a phone and on a wide screen."""

import pytest
from playwright.async_api import Page

from tests.browser.chromium import NARROW, WIDE, needs_chromium, people_at
from tests.browser.tour import tour
from tests.end_to_end.processes import serving

pytestmark = [pytest.mark.slow, needs_chromium]

_STICKS_OUT = """() => {
    const root = document.documentElement;
    const found = [];
    if (root.scrollWidth > root.clientWidth) found.push(`the page: ${root.scrollWidth} > ${root.clientWidth}`);
    const scrolls = (element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
    for (const element of document.querySelectorAll("a, button, input, select, summary, h1, h2, p, li, td, th")) {
        const { left, right, width } = element.getBoundingClientRect();
        if (width === 0 || (left >= -0.5 && right <= innerWidth + 0.5)) continue;
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


async def sticking_out(page: Page) -> list[str]:
    """What is wider than the window, or lies beside it, and cannot be scrolled into it by itself."""
    await page.evaluate("new Promise(requestAnimationFrame)")
    return list(await page.evaluate(_STICKS_OUT))
