"""The page goes on by itself when the server was away."""

import re
from pathlib import Path
from random import Random

import pytest
from playwright.async_api import expect

from tests.browser.chromium import needs_chromium, people_at
from tests.browser.playing import Mouse, Player
from tests.end_to_end.processes import serving

pytestmark = [pytest.mark.slow, needs_chromium]


async def test_the_server_is_killed_and_started_again(tmp_path: Path) -> None:
    async with serving(tmp_path / "bigtop.sqlite") as server, people_at(server.http) as people:
        people.tolerated = ("WebSocket connection to",)
        ann = await people.come()
        player = Player(ann, Mouse(), Random(4))
        table = await player.play_against_bots(2)
        before = await player.play(table, moves=3)
        await server.kill()
        lost = ann.page.get_by_role("status").filter(has_text="The connection is lost. Trying again")
        await expect(lost).to_be_visible()
        await server.start()
        await expect(lost).to_be_hidden()
        after = await player.play(table, moves=6)
        assert after.version > before.version
        await expect(ann.page.get_by_role("group", name=re.compile("^Your hand"))).to_be_visible()
