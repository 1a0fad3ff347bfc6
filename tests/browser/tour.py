"""A walk through everything that the web client shows, to look at each of it."""

import re
from collections.abc import AsyncIterator, Callable
from random import Random

from playwright.async_api import Page, expect

from clients.bots.strategies.greedy import choose
from clients.client import connect
from clients.scout import engine_view, write
from protocol.pushes import Session, View
from tests.browser.chromium import People, Person
from tests.browser.test_watching import open_private_table
from tests.end_to_end.processes import Server


async def tour(server: Server, people: People) -> AsyncIterator[tuple[str, Page]]:
    """Each thing that there is to see, with its name, on the page of somebody who plays a match."""
    people.tolerated = ("the server responded with a status of 404",)
    ann = await people.come()
    page = ann.page
    await expect(page.get_by_role("button", name="Play against bots now")).to_be_enabled()
    yield "lobby", page
    await page.goto("/rules")
    yield "rules", page
    await page.goto("/nowhere-at-all")
    yield "a bad link", page
    await page.goto("/")
    await open_private_table(page, players=3)
    yield "a table that fills up", page
    for _ in range(2):
        await page.get_by_role("button", name="Bot, please").first.click()
    await expect(page.get_by_role("button", name="Keep this hand")).to_be_enabled()
    yield "the choice of an orientation", page
    await page.get_by_role("button", name="Keep this hand").click()
    table = page.url.rpartition("/")[2].partition("?")[0]
    await hurry(server, ann, table, lambda view: view.decision is not None and bool(view.game and view.game.active))
    await expect(page.get_by_role("status").filter(has_text="Your turn")).to_be_visible()
    yield "the own turn", page
    end = page.get_by_role("button", name=re.compile("^Scout the .* from the left"))
    await end.click()
    yield "a card in search of a gap", page
    await page.get_by_role("button", name="Put it first").click()
    await page.get_by_role("button", name="… and show").click()
    yield "a Scout & Show being composed", page
    await page.keyboard.press("Escape")
    await hurry(server, ann, table, lambda view: view.status == "break")
    await expect(page.get_by_role("heading", name="Round 1 is over")).to_be_visible()
    yield "the result of a round", page
    await hurry(server, ann, table, lambda view: view.status == "over")
    await expect(page.get_by_role("heading", name=re.compile("win"))).to_be_visible()
    yield "the result of the match", page
    await page.get_by_role("link", name="Watch the replay").click()
    await page.get_by_role("button", name="One on").click()
    yield "the beginning of a replay", page
    await page.get_by_role("button", name="To the end").click()
    yield "the end of a replay", page
    await page.goto("/")
    await expect(page.get_by_role("region", name="Your tables")).to_be_visible()
    yield "the lobby with own tables", page


async def hurry(server: Server, person: Person, table: str, enough: Callable[[View], bool]) -> None:
    """Play on in the person's place, without the screen, until the page has been sent what is enough, and shows it."""
    token = next(message.token for message in person.noted.messages if isinstance(message, Session) and message.token)
    rng = Random(6)
    async with connect(server.ws, token=token) as client:
        answered = 0
        async for view in client.follow(table):
            if enough(view):
                break
            if view.game is None:
                continue
            if view.status == "break":
                await client.next(table, view.game.round)
            elif view.decision is not None and view.decision != answered:
                answered = view.decision
                await client.play(table, view.decision, write(choose(engine_view(view.game), rng)))
    await person.noted.heard(lambda: enough(person.noted.views[table]))
    await person.page.keyboard.press("n")
