"""Who is connected to which table, and what each of them is sent.

A seat's views go to its player, everybody else's to the public. Views come from the store, already encoded, and only
ever for the audience they were made for; here they are handed to the connections that belong to it.

An attachment is a wish: it is kept while the store is away, and `renew` fulfils it later.
"""

import asyncio
from collections.abc import Coroutine

import structlog

from protocol import errors
from protocol.pushes import Closed, Presence
from server import metrics
from server.faults import fault
from server.hub.live import Attachment, Live
from server.hub.peer import Peer
from server.hub.tables import Tables
from server.hub.troubles import store_down
from server.store.base import PUBLIC, Store, StoreError
from server.table.fold import Step
from server.table.refusal import Refused
from server.table.state import Table
from server.table.views import encoded_view, view

log = structlog.get_logger()

SOON_SECONDS = 0.3
"""When it is looked again who is here, after somebody sat down."""
TOGETHER = 16
"""How many tables are renewed at a time: others have their turn in between."""


class Audiences:
    """The connections at the tables of this process."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tables: Tables
        self._tasks: set[asyncio.Task[None]] = set()

    def use(self, tables: Tables) -> None:
        """Complete the circle: tables tell audiences of their steps, audiences read tables."""
        self._tables = tables

    async def attach(self, table: str, peer: Peer, player: str) -> None:
        """From now on the connection gets the table's views, beginning with the newest."""
        live = self._tables.hold(table)
        attachment = live.attachments.get(peer.id)
        if attachment is None:
            attachment = live.attachments[peer.id] = Attachment(peer, player)
        try:
            await self._place(live, attachment)
            self._show(live, attachment)
            await self._beat(live, attachment)
            await self.show_presence(live)
        except Refused as refused:
            await self._give_up(live, refused)
            raise
        if live.table is not None and live.table.status == "closed":
            await self._part(live)

    async def detach(self, table: str, peer: Peer) -> None:
        """The connection gets no more of the table."""
        live = self._tables.held(table)
        if live is not None:
            live.attachments.pop(peer.id, None)
        await self._store.leave(table, peer.id)
        if live is not None:
            await self._tidy(live)
            await self.show_presence(live)

    async def let_go(self, live: Live) -> None:
        """Nobody here gets any more of the table."""
        live.attachments.clear()
        await self._tidy(live)

    def advanced(self, live: Live, step: Step) -> None:
        """A table took a step: who sits or stands now belongs to another audience; a closed table lets all go."""
        if not live.attachments:
            return
        if step.table.status == "closed":
            self._later(self._part(live))
        elif _players(step.table) != _players(step.transitions[0].before):
            self._later(self._welcome(live))

    async def renew(self) -> None:
        """Renew every sign of life, and see to it that everybody has the newest view and belongs where they are.

        What is published can get lost, and so can a step of `attach` or `detach` when the store is away. Trouble with
        one table keeps no other from being renewed; raises `StoreError` in the end if this has to be done again.
        """
        needed = [live for live in self._tables.all_held() if live.needed]
        await self._tables.confirm(needed)
        trouble: list[StoreError] = []
        for start in range(0, len(needed), TOGETHER):
            together = needed[start : start + TOGETHER]
            results = await asyncio.gather(*map(self._renew_one, together), return_exceptions=True)
            failures = [result for result in results if isinstance(result, StoreError)]
            trouble += failures
            if len(failures) == len(together):
                break  # the store is away
        if trouble:
            raise trouble[0]

    async def show_presence(self, live: Live) -> None:
        """Tell a table's connections here who is connected, each if that has changed."""
        if live.table is None or not live.attachments:
            return
        present = await self._store.present(live.id)
        seats = tuple(seat.player in present.here for seat in live.table.seats)
        shown = Presence(table=live.id, seats=seats, spectators=present.spectators)
        for attachment in live.attachments.values():
            if attachment.presence != shown:
                attachment.presence = shown
                attachment.peer.send_latest(f"presence {live.id}", shown)

    async def settle(self) -> None:
        """Wait for what is under way."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def on_view(self, table: str, audience: str, version: int, frame: bytes) -> None:
        """Hand a view to those it was made for (`server.store.base.OnView`)."""
        live = self._tables.held(table)
        if live is None:
            return
        for attachment in live.attachments.values():
            if attachment.audience == audience:
                _hand_over(attachment, table, version, frame)
        live.stopwatch.handed_over(version, live.audiences)

    async def _welcome(self, live: Live) -> None:
        """Bring all to where they belong after somebody sat down or stood up."""
        await self._renew(live)
        if not self._store.exclusive:
            # Where they came by another process, that still has to say that they are here.
            await asyncio.sleep(SOON_SECONDS)
            await self.show_presence(live)

    async def _renew_one(self, live: Live) -> None:
        try:
            await self._renew(live)
        except StoreError:
            raise
        except Exception as wrong:
            log.error("audience_failed", table=live.id, fault=fault(wrong))

    async def _renew(self, live: Live) -> None:
        """Bring one table's connections to where they belong, in what is known to be its newest state."""
        if not live.attachments:
            await self._tidy(live)
            return
        try:
            await self._tables.live(live.id)
            for attachment in list(live.attachments.values()):
                await self._place(live, attachment)
                if attachment.shown < live.head.version:
                    if attachment.shown:  # else it has just come to this audience
                        metrics.gap_repaired("view")
                    self._show(live, attachment)
            await asyncio.gather(*(self._beat(live, attachment) for attachment in list(live.attachments.values())))
            await self.show_presence(live)
            if _known(live).status == "closed":
                await self._part(live)
        except Refused as refused:
            await self._give_up(live, refused)

    async def _place(self, live: Live, attachment: Attachment) -> None:
        """Put a connection into the audience it belongs to. Raises `Refused` where there is no table.

        Subscribed first, then read: what happens in between arrives twice, and nothing is missed.
        """
        async with live.placing:
            await self._follow(live)
            while True:
                audience = _audience((await self._tables.live(live.id)).table, attachment.player)
                if audience == attachment.audience:
                    break
                if not live.heard.get(audience):
                    live.heard[audience] = False
                    await self._store.subscribe(live.id, audience, self.on_view)
                    live.heard[audience] = True
                attachment.audience = audience
                attachment.shown = 0
                await self._tables.live(live.id, sure=True)
            await self._quiet(live)

    def _show(self, live: Live, attachment: Attachment) -> None:
        """Send a connection the newest view that is known here, if it is in the audience of it."""
        table = live.table
        if table is None or not _here(live, attachment):
            return
        if attachment.audience == _audience(table, attachment.player):
            seat = table.seat_of(attachment.player)
            whole = view(table, seat, self._store.now(), self._store.grace_until())
            _hand_over(attachment, table.id, table.version, encoded_view(whole))

    async def _beat(self, live: Live, attachment: Attachment) -> None:
        if _here(live, attachment):
            player = attachment.player if attachment.audience != PUBLIC else None
            await self._store.beat(live.id, attachment.peer.id, player)

    async def _part(self, live: Live) -> None:
        """Show everybody the end of a closed table, and let them go."""
        for attachment in list(live.attachments.values()):
            if attachment.shown < live.head.version:
                await self._place(live, attachment)
                self._show(live, attachment)
            if live.attachments.pop(attachment.peer.id, None) is not None:
                attachment.peer.send(Closed(table=live.id, reason=_known(live).closed or ""))
        await self._tidy(live)

    async def _give_up(self, live: Live, refused: Refused) -> None:
        """There is no such table (any more), or it never could be read."""
        if live.table is None or refused.code is errors.NO_SUCH_TABLE:
            if live.table is not None and not live.table.ended:
                metrics.table_lost()
                log.error("table_lost", table=live.id)
                for attachment in live.attachments.values():
                    attachment.peer.send(Closed(table=live.id, reason="store"))
            await self.let_go(live)
            self._tables.forget(live)

    async def _follow(self, live: Live) -> None:
        if not self._store.exclusive and not live.followed:
            live.heard[None] = False
            await self._store.follow(live.id, self._tables.on_entry)
            live.heard[None] = True

    async def _tidy(self, live: Live) -> None:
        async with live.placing:
            await self._quiet(live)

    async def _quiet(self, live: Live) -> None:
        """Have the store tell no more than somebody here needs."""
        needed = {attachment.audience for attachment in live.attachments.values()}
        if live.attachments:
            needed.add(None)
        for audience in live.heard.keys() - needed:
            live.heard[audience] = False
            if audience is None:
                await self._store.unfollow(live.id)
            else:
                await self._store.unsubscribe(live.id, audience)
            del live.heard[audience]

    def _later(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(_quietly(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _quietly(work: Coroutine[None, None, None]) -> None:
    try:
        await work
    except StoreError as down:
        store_down(down, "background")
    except Exception as wrong:
        log.error("audience_failed", fault=fault(wrong))


def _hand_over(attachment: Attachment, table: str, version: int, frame: bytes) -> None:
    attachment.shown = max(attachment.shown, version)
    attachment.peer.send_view(table, version, attachment.audience != PUBLIC, frame)


def _here(live: Live, attachment: Attachment) -> bool:
    return live.attachments.get(attachment.peer.id) is attachment


def _known(live: Live) -> Table:
    assert live.table is not None
    return live.table


def _audience(table: Table | None, player: str) -> str:
    return player if table is not None and table.seat_of(player) is not None else PUBLIC


def _players(table: Table | None) -> tuple[str | None, ...]:
    return tuple(seat.player for seat in table.seats) if table is not None else ()
