"""A seat of a private match hands on a link to its replay."""

import re

import pytest
from playwright.async_api import expect

from tests.browser.chromium import needs_chromium, people_at
from tests.browser.test_watching import open_private_table
from tests.browser.tour import hurry
from tests.end_to_end.processes import serving

pytestmark = [pytest.mark.slow, needs_chromium]


async def test_the_replay_of_a_private_match_is_shared() -> None:
    async with serving() as server, people_at(server.http) as people:
        people.tolerated = ("the server responded with a status of 404",)
        ann = await people.come()
        await open_private_table(ann.page, players=2)
        table = ann.page.url.rpartition("/")[2].partition("?")[0]
        await ann.page.get_by_role("button", name="Bot, please").click()
        await hurry(server, ann, table, lambda view: view.status == "over")
        await ann.page.get_by_role("link", name="Watch the replay").click()
        await ann.page.get_by_role("button", name="One on").click()
        await ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
        await ann.page.get_by_role("button", name=re.compile("^Copy the link")).click()
        await expect(ann.page.get_by_role("button", name="Copied")).to_be_visible()
        link = await ann.page.evaluate("navigator.clipboard.readText()")

        ben = await people.come(f"/t/{table}/replay")
        await expect(ben.page.get_by_text("There is no record of this table")).to_be_visible()
        await ben.page.goto(link)
        moment = ann.page.get_by_role("slider")
        await expect(ben.page.get_by_role("slider")).to_have_value(await moment.input_value())
        await ben.page.get_by_role("button", name="To the end").click()
        await ben.page.reload()
        await expect(ben.page.get_by_role("button", name="To the end")).to_be_disabled()
