"""At which tables a player sits.

What the store notes of it is a hint: it is noted before the player sits down and once more afterwards, and struck out
where the table itself tells otherwise.
"""

from protocol import errors
from server.hub.tables import Tables
from server.store.base import Store
from server.table.acts import Cause
from server.table.refusal import Refused
from server.table.state import Table

MAX_TABLES = 50
"""At how many tables one player may sit at a time."""
SHOWN_MS = 10 * 60_000
"""For how long a player who comes back is shown a match that is over."""


class Seats:
    """The seats of all players. Every method may raise `StoreError`."""

    def __init__(self, store: Store, tables: Tables) -> None:
        self._store = store
        self._tables = tables

    async def of(self, player: str) -> list[tuple[Table, int]]:
        """Every table at which a player sits, with the seat."""
        found = [await self._checked(player, table) for table in await self._store.seats_of(player)]
        return [mine for mine in found if mine is not None]

    async def is_at(self, player: str, table: str) -> bool:
        """Whether a player sits at a table that is worth showing."""
        try:
            return await self._mine(player, table) is not None
        except Refused:
            return False  # a table that cannot be read

    async def note(self, player: str, table: str) -> None:
        """The player is about to sit down at a table, or has done so."""
        await self._store.add_seat(player, table)

    async def make_room(self, table: str, cause: Cause) -> None:
        """Note that a player is about to sit down. Raises `Refused` for somebody who sits at too many tables.

        A command that has been carried out is not refused.
        """
        noted = await self._store.seats_of(cause.player)
        if table not in noted and len(noted) >= MAX_TABLES:
            playing = [mine for mine, _ in await self.of(cause.player) if not mine.ended]
            if len(playing) >= MAX_TABLES and not await self._tables.answered(table, cause):
                raise Refused(errors.TOO_MANY_TABLES)
        await self.note(cause.player, table)

    async def _checked(self, player: str, table: str) -> tuple[Table, int] | None:
        try:
            mine = await self._mine(player, table)
            if mine is None:
                await self._store.drop_seat(player, table)
                # Who sat down while this was looked at noted it again before, or does so after it was struck out.
                mine = await self._mine(player, table)
                if mine is not None:
                    await self.note(player, table)
        except Refused:
            return None  # a table that cannot be read
        return mine

    async def _mine(self, player: str, id: str) -> tuple[Table, int] | None:
        try:
            table = (await self._tables.live(id, sure=True)).table
        except Refused as refused:
            if refused.code is errors.NO_SUCH_TABLE:
                return None
            raise
        seat = table.seat_of(player) if table is not None else None
        if table is None or seat is None or table.seats[seat].left or not self._shown(table):
            return None
        return table, seat

    def _shown(self, table: Table) -> bool:
        return not table.ended or (table.status == "over" and self._store.now() - table.changed < SHOWN_MS)
