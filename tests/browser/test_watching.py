"""Two people at one table, and somebody who watches: nothing hidden gets into a spectator's browser."""

import asyncio
from collections.abc import Iterator
from itertools import chain
from random import Random

import msgpack  # type: ignore[import-untyped]  # it has no types
import pytest
from playwright.async_api import Page, expect

from protocol.pushes import Session, View
from tests.browser.chromium import Noted, needs_chromium, people_at
from tests.browser.playing import Mouse, Player
from tests.end_to_end.processes import serving

pytestmark = [pytest.mark.slow, needs_chromium]

VERSIONS = 40
"""How far they play: into the second round, mostly."""
SEATS_ONLY = ("to_act", "winners")
"""Lists of seats; of two seats they would look like a card."""


async def test_a_spectator_is_sent_nothing_hidden() -> None:
    async with serving() as server, people_at(server.http) as people:
        ann = await people.come()
        link = await open_private_table(ann.page, players=3)
        table, _, invite = link.rpartition("/")[2].partition("?invite=")
        assert invite
        ben, cem = await people.come(link), await people.come(link)
        await cem.noted.heard(lambda: table in cem.noted.views)
        await ben.page.get_by_role("button", name="Sit down").click()
        bot = ann.page.get_by_role("button", name="Bot, please")
        await expect(bot).to_have_count(1)  # Ben has a seat
        await bot.click()
        players = [Player(who, Mouse(), Random(3)) for who in (ann, ben)]
        await asyncio.gather(*(player.play(table, version=VERSIONS) for player in players))
        await cem.noted.heard(lambda: cem.noted.views[table].version >= VERSIONS)
        await expect(cem.page.get_by_text("You are watching")).to_be_visible()
        assert_nothing_hidden(cem.noted, [ann.noted, ben.noted], invite)


async def open_private_table(page: Page, players: int) -> str:
    """Open one as a person does. Returns the link by which others come."""
    await page.locator("summary", has_text="New table").click()
    await page.get_by_role("radio", name=str(players)).check()
    await expect(page.get_by_label("Private: only with the link")).to_be_checked()
    await page.get_by_role("button", name="Open the table").click()
    return await page.get_by_role("textbox", name="Invite others").input_value()


def assert_nothing_hidden(watcher: Noted, players: list[Noted], invite: str) -> None:
    """No hand, no decision and no secret in any frame; no cards but those that lie open."""
    mine = [message.token for message in watcher.messages if isinstance(message, Session)]
    secrets = [
        invite,
        *(message.token for noted in players for message in noted.messages if isinstance(message, Session)),
    ]
    hands = [hidden_cards(noted) for noted in players]
    compared = 0
    for frame, message in zip(watcher.frames, watcher.messages, strict=True):
        assert not [
            secret for secret in secrets if secret is not None and secret not in mine and secret.encode() in frame
        ]
        if not isinstance(message, View):
            continue
        assert (message.you, message.decision, message.invite, message.seed) == (None, None, None, None)
        assert not [event for event in message.events if getattr(event, "move", None) is not None]
        if message.game is None:
            continue
        assert (message.game.viewer, message.game.hand, message.game.turned) == (None, None, None)
        hidden = set(chain.from_iterable(hand.get(message.version, ()) for hand in hands))
        assert not hidden & set(cards_in(msgpack.unpackb(frame)))
        compared += bool(hidden)
    assert compared > VERSIONS / 4


def hidden_cards(noted: Noted) -> dict[int, set[tuple[int, int]]]:
    """What a seat held at each version, without what everybody saw it take."""
    held: dict[int, set[tuple[int, int]]] = {}
    for view in noted.messages:
        if isinstance(view, View) and view.game is not None and view.you is not None:
            cards = {card(*each) for each in view.game.hand or ()}
            held[view.version] = cards - {card(*each) for each in view.game.seats[view.you].held}
    return held


def cards_in(value: object) -> Iterator[tuple[int, int]]:
    """Everything in a message that could be a card, wherever it stands."""
    if isinstance(value, dict):
        yield from chain.from_iterable(cards_in(each) for key, each in value.items() if key not in SEATS_ONLY)
    elif isinstance(value, list):
        if len(value) == 2 and all(isinstance(each, int) for each in value):
            yield card(*value)
        yield from chain.from_iterable(map(cards_in, value))


def card(one: int, other: int) -> tuple[int, int]:
    return min(one, other), max(one, other)
