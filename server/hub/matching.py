"""Which table quick match leads to.

Who finds none makes one. So that two who come to two processes at the same moment still meet, a table that is about to
be made is announced in the store first.
"""

from protocol import errors
from protocol.commands import Quick
from protocol.values import CORRESPONDENCE_SECONDS
from server.hub.tables import Tables
from server.store.base import Store
from server.table.refusal import Refused
from server.table.views import Listing, read_listing

MATCHING = ""
"""Under whose name tables are announced: nobody's."""
FRESH_MS = 2_000
"""For how long a table that was announced may be unknown to the lobby, or its people not be there yet."""
TRIES = 3


async def announced(store: Store, tables: Tables, seats: int, new: str, passed: set[str]) -> str:
    """The table that has been announced last for so many seats, if it is about to be made; else `new`, announced."""
    key = f"quick {seats}"
    kept = (await store.intend(MATCHING, key, new.encode())).decode()
    for _ in range(TRIES):
        if kept == new or await _comes(store, tables, kept, passed):
            return kept
        kept = (await store.replace_intent(MATCHING, key, kept.encode(), new.encode())).decode()
    return new


async def _comes(store: Store, tables: Tables, id: str, passed: set[str]) -> bool:
    """Whether a table that was announced will be there in a moment, or has just been made."""
    if id in passed:
        return False
    try:
        table = (await tables.live(id, sure=True)).table
    except Refused as refused:
        return refused.code is errors.NO_SUCH_TABLE
    if table is None or store.now() - table.created >= FRESH_MS:
        return False
    present = await store.present(id)
    gone = present.players.keys() - present.here
    free = table.status == "open" and any(seat.free for seat in table.seats)
    return free and not any(seat.player in gone for seat in table.seats)


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
