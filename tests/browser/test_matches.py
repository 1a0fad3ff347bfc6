"""Whole matches in the browser."""

from random import Random

import pytest
from playwright.async_api import expect

from engine.scout import Orient, Scout, ScoutShow, Show
from tests.browser.chromium import needs_chromium, people_at
from tests.browser.playing import Keyboard, Mouse, Player
from tests.end_to_end.processes import serving

pytestmark = [pytest.mark.slow, needs_chromium]


async def test_a_match_by_mouse() -> None:
    async with serving() as server, people_at(server.http) as people:
        ann = await people.come()
        player = Player(ann, Mouse(), Random(1))
        table = await player.play_against_bots(2)
        view = await player.play(table)
        assert {type(move) for move in player.made} == {Orient, Show, Scout, ScoutShow}
        assert view.game is not None
        assert view.game.winners is not None
        for seat in view.game.seats:
            await expect(
                ann.page.get_by_role("cell", name=str(seat.points).replace("-", "−"), exact=True).last
            ).to_be_visible()
        await ann.page.get_by_role("button", name="Play again").click()
        await ann.noted.heard(lambda: len(ann.noted.views) == 2)


async def test_a_match_by_keyboard_alone() -> None:
    async with serving() as server, people_at(server.http) as people:
        ann = await people.come()
        player = Player(ann, Keyboard(), Random(2))
        await player.play(await player.play_against_bots(1))
        assert {type(move) for move in player.made} == {Orient, Show, Scout}
