"""Moves are animated, and not for people who prefer less motion."""

from random import Random

import pytest

from tests.browser.chromium import needs_chromium, people_at
from tests.browser.playing import Mouse, Player
from tests.end_to_end.processes import serving

pytestmark = [pytest.mark.slow, needs_chromium]

_COUNT = """
window.motions = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) { window.motions += 1; return animate.apply(this, how); };
for (const kind of ["transitionrun", "animationstart"]) addEventListener(kind, () => (window.motions += 1), true);
"""


@pytest.mark.parametrize("calm", [False, True])
async def test_what_moves(calm: bool) -> None:
    async with serving() as server, people_at(server.http) as people:
        ann = await people.come(calm=calm)
        await ann.context.add_init_script(_COUNT)
        await ann.page.reload()
        player = Player(ann, Mouse(), Random(7))
        await player.play(await player.play_against_bots(2), moves=5)
        assert (await ann.page.evaluate("window.motions") == 0) == calm
