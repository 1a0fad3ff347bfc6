"""Which table quick match leads to."""

from protocol.commands import Quick
from protocol.values import CORRESPONDENCE_SECONDS
from server.store.base import Store
from server.table.views import Listing, read_listing


async def candidate(store: Store, command: Quick, passed: set[str]) -> str | None:
    """The table that has waited longest of those that suit, whose people are present, and that are not `passed`."""
    found = [(id, read_listing(data)) for id, data in await store.listed()]
    found.sort(key=lambda line: (line[1].created, line[0]))
    for id, listed in found:
        if id not in passed and _suits(listed, command) and await _people_present(store, id, listed):
            return id
    return None


def _suits(listed: Listing, command: Quick) -> bool:
    limit = listed.options.move_seconds
    return (
        listed.quick
        and listed.status == "open"
        and command.seats in (None, listed.options.seats)
        and limit is not None
        and limit < CORRESPONDENCE_SECONDS
        and any(player is None for _, _, player in listed.seats)
    )


async def _people_present(store: Store, id: str, listed: Listing) -> bool:
    """All people are there; where only bots wait, one of them at least."""
    seated = [(player, bot) for _, bot, player in listed.seats if player is not None]
    here = (await store.present(id)).here
    return any(player in here for player, _ in seated) and all(bot or player in here for player, bot in seated)
