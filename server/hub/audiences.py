"""Who is connected to which table, and what each of them is sent.

A seat's views go to its player, everybody else's to the public. Views come from the store, already encoded, and only
ever for the audience they were made for; here they are handed to the connections that belong to it.
"""

import asyncio
from collections.abc import Coroutine

import structlog

from protocol.pushes import Closed, Presence
from server.hub.live import Attachment, Live
from server.hub.peer import Peer
from server.hub.tables import Tables
from server.store.base import PUBLIC, Store, StoreError
from server.table.fold import Step
from server.table.state import Table
from server.table.views import encoded_view, view

log = structlog.get_logger()


class Audiences:
    """The connections at the tables of this process."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tables: Tables
        self._tasks: set[asyncio.Task[None]] = set()
        self._shown: dict[str, Presence] = {}

    def use(self, tables: Tables) -> None:
        """Complete the circle: tables tell audiences of their steps, audiences read tables."""
        self._tables = tables

    async def attach(self, live: Live, peer: Peer, player: str) -> None:
        """From now on the connection gets the table's views, beginning with the newest."""
        attachment = live.attachments.get(peer.id)
        if attachment is None:
            attachment = live.attachments[peer.id] = Attachment(peer, player, PUBLIC)
            if not self._store.exclusive:
                await self._store.follow(live.id, self._tables.on_entry)
        await self._place(live, attachment)
        await self._beat(live, attachment)
        await self.show_presence(live)

    async def detach(self, live: Live, peer: Peer) -> None:
        """The connection gets no more of the table."""
        attachment = live.attachments.pop(peer.id, None)
        if attachment is None:
            return
        await self._let_go(live, attachment.audience)
        await self._store.leave(live.id, peer.id)
        if not live.attachments and not self._store.exclusive:
            live.stale = True
            await self._store.unfollow(live.id)
        await self.show_presence(live)

    def advanced(self, live: Live, step: Step) -> None:
        """A table took a step: who sits or stands now belongs to another audience; a closed table lets all go."""
        table = step.table
        for attachment in list(live.attachments.values()):
            if attachment.audience != _audience(table, attachment.player):
                self._later(self._move(live, attachment))
            if table.status == "closed":
                attachment.peer.send(Closed(table=table.id, reason=table.closed or ""))
        if table.status == "closed":
            self._later(self._let_all_go(live))

    async def beat(self) -> None:
        """Renew every sign of life, and tell of those that have changed."""
        for live in self._tables.all_held():
            for attachment in list(live.attachments.values()):
                await self._beat(live, attachment)
            if live.attachments:
                await self.show_presence(live)

    async def show_presence(self, live: Live) -> None:
        """Tell a table's connections here who is connected, if that has changed."""
        table = live.table
        if table is None or not live.attachments:
            self._shown.pop(live.id, None)
            return
        present = await self._store.present(live.id)
        seats = tuple(seat.player in present.here for seat in table.seats)
        shown = Presence(table=live.id, seats=seats, spectators=present.spectators)
        changed = self._shown.get(live.id) != shown
        self._shown[live.id] = shown
        for attachment in live.attachments.values():
            if changed:
                attachment.peer.send_latest(f"presence {live.id}", shown)

    async def settle(self) -> None:
        """Wait for what is under way."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def on_view(self, table: str, audience: str, version: int, frame: bytes) -> None:
        """Hand a view to those it was made for (`server.store.base.OnView`)."""
        live = self._tables.held(table)
        if live is None:
            return
        for attachment in live.attachments.values():
            if attachment.audience == audience:
                attachment.peer.send_view(table, version, audience != PUBLIC, frame)

    async def _place(self, live: Live, attachment: Attachment) -> None:
        """Put a connection into its audience, and send it the newest view.

        Subscribed first, then read: what happens in between arrives twice, and nothing is missed.
        """
        while live.attachments.get(attachment.peer.id) is attachment:
            table = _known(live)
            audience, before = _audience(table, attachment.player), attachment.audience
            await self._store.subscribe(live.id, audience, self.on_view)
            attachment.audience = audience
            if before != audience:
                await self._let_go(live, before)
            if not self._store.exclusive:
                await self._tables.live(live.id)
            table = _known(live)
            if _audience(table, attachment.player) == audience:
                self._show(table, attachment)
                return

    def _show(self, table: Table, attachment: Attachment) -> None:
        now, grace = self._store.now(), self._store.grace_until()
        whole = view(table, table.seat_of(attachment.player), now, grace)
        seated = attachment.audience != PUBLIC
        attachment.peer.send_view(table.id, table.version, seated, encoded_view(whole))

    async def _move(self, live: Live, attachment: Attachment) -> None:
        await self._place(live, attachment)
        await self._beat(live, attachment)
        await self.show_presence(live)

    async def _let_go(self, live: Live, audience: str) -> None:
        if all(attachment.audience != audience for attachment in live.attachments.values()):
            await self._store.unsubscribe(live.id, audience)

    async def _let_all_go(self, live: Live) -> None:
        for attachment in list(live.attachments.values()):
            await self.detach(live, attachment.peer)

    async def _beat(self, live: Live, attachment: Attachment) -> None:
        seated = attachment.audience != PUBLIC
        await self._store.beat(live.id, attachment.peer.id, attachment.player if seated else None)

    def _later(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(self._quietly(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _quietly(self, work: Coroutine[None, None, None]) -> None:
        try:
            await work
        except StoreError as down:
            log.error("store_down", error=str(down))


def _known(live: Live) -> Table:
    assert live.table is not None
    return live.table


def _audience(table: Table, player: str) -> str:
    return player if table.seat_of(player) is not None else PUBLIC
