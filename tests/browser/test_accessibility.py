"""Nothing that axe-core knows of keeps people from using a page, whatever the theme and the language."""

import re
from importlib.resources import files
from typing import Literal

import pytest
from playwright.async_api import Page

from tests.browser.chromium import needs_chromium, people_at
from tests.browser.tour import tour
from tests.end_to_end.processes import serving

pytestmark = [pytest.mark.slow, needs_chromium]

AXE = (files("axe_playwright_python") / "axe.min.js").read_text()
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
LANGUAGES = ("Deutsch", "English")


async def test_every_page() -> None:
    found: list[str] = []
    async with serving() as server, people_at(server.http) as people:
        async for name, page in tour(server, people):
            for language in LANGUAGES:
                await speak(page, language)
                for theme in THEMES:
                    await page.emulate_media(color_scheme=theme)
                    found += [f"{name}, {theme}, {language}: {wrong}" for wrong in await violations(page)]
    assert not found, "\n".join(found)


async def speak(page: Page, language: str) -> None:
    """Change the language as a person does."""
    await page.get_by_role("button", name=re.compile("^(Settings|Einstellungen)")).click()
    await page.get_by_role("button", name=language).click()
    await page.keyboard.press("Escape")


async def violations(page: Page) -> list[str]:
    """What axe-core finds, each with where it is."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE)
    result = await page.evaluate("axe.run({ resultTypes: ['violations'] })")
    return [f"{each['id']} at {[node['target'] for node in each['nodes']]}" for each in result["violations"]]
