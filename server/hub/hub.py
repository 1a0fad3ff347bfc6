"""The hub: it joins tables, players and connections."""

import asyncio
import logging
from collections.abc import Awaitable
from time import perf_counter

import structlog

from protocol import closing, errors
from protocol import commands as said
from protocol.commands import AnyCommand
from protocol.pushes import AnyMessage, Done, Error, GoingAway, LobbyPage, Session
from server import metrics
from server.asked import Asked, asked
from server.faults import fault
from server.hub.answers import Answers
from server.hub.audiences import Audiences
from server.hub.bots import BotDesk
from server.hub.clockwork import Clockwork
from server.hub.connection import Connection
from server.hub.ids import Entropy, system_entropy, token_hash
from server.hub.live import Live
from server.hub.lobby import lobby_page
from server.hub.making import Making
from server.hub.peer import Peer
from server.hub.players import is_house, welcome
from server.hub.readiness import Readiness
from server.hub.replies import readable_record, share_code
from server.hub.seats import Seats
from server.hub.tables import Tables
from server.hub.troubles import store_down
from server.store.base import Store, StoreError
from server.table.acts import BotAsked, Created, Moved
from server.table.decide import back
from server.table.fold import Step
from server.table.refusal import Refused
from server.table.views import my_table

log = structlog.get_logger()

RETENTION_MS = 90 * 86_400_000
"""How long records are kept."""
_SEATING = (said.Create, said.Quick, said.Rematch, said.Sit)
"""The commands after which a player sits somewhere."""
AGAIN_MS = 1_000
"""When to try again what failed for a reason that may pass."""


class TableHub:
    """Everything between the connections and the store (`server.hub.peer.Hub`)."""

    def __init__(
        self,
        store: Store,
        *,
        house_key: str = "",
        retention_ms: int = RETENTION_MS,
        entropy: Entropy = system_entropy,
    ) -> None:
        self._store = store
        self._house_key = house_key
        self._entropy = entropy
        self._audiences = Audiences(store)
        self._tables = Tables(store, entropy, self._advanced)
        self._audiences.use(self._tables)
        self._seats = Seats(store, self._tables)
        self._desk = BotDesk(store)
        making = Making(store, self._tables, self._seats, entropy)
        self._answers = Answers(store, self._tables, self._audiences, self._seats, making, self._desk)
        self._connections: dict[str, Connection] = {}
        self._readiness = Readiness(store)
        self._tells_commands = log.is_enabled_for(logging.DEBUG)
        self._clockwork = Clockwork(
            store, self._tables, self._audiences, self._desk, self._lobby_followers, retention_ms
        )
        self._players: dict[str, list[Connection]] = {}
        self._showing: set[asyncio.Task[None]] = set()
        self._draining = False
        self._busy = 0
        self._idle = asyncio.Event()
        self._idle.set()

    async def start(self) -> None:
        """Open the store and begin the background work."""
        await self._store.open()
        self._store.on_gap(self._heard_too_little)
        self._answers.since = self._store.now()
        self._clockwork.start()

    async def drain(self, reason: str, after_ms: int) -> None:
        """Take no new commands, tell every peer, finish what is under way."""
        self._draining = True
        for connection in self._connections.values():
            connection.peer.send(GoingAway(reason=reason, after_ms=after_ms))
        await self._idle.wait()

    async def stop(self) -> None:
        """End the background work and close the store."""
        await self._clockwork.stop()
        while self._showing:
            await asyncio.wait(self._showing)
        await self._readiness.stop()
        await self._tables.settle()
        await self._audiences.settle()
        await self._store.close()

    async def handle(self, peer: Peer, command: AnyCommand) -> None:
        """Carry out one command and answer it."""
        known = self._connections.get(peer.id)
        began = perf_counter()
        context = asked.set(Asked(peer.id, command.id, known.player.id if known is not None else None, began))
        self._busy += 1
        self._idle.clear()
        try:
            reply = await self._carry_out(peer, command)
            peer.send(reply)
            self._note(command, reply, began)
            if isinstance(reply, Error) and reply.code == errors.TOKEN_UNKNOWN.code:
                peer.close(closing.TOKEN_UNKNOWN.code, closing.TOKEN_UNKNOWN.name)
            await self._follow_up(peer, command, reply)
        finally:
            asked.reset(context)
            self._busy -= 1
            if not self._busy:
                self._idle.set()

    async def gone(self, peer: Peer) -> None:
        """The connection is no more."""
        connection = self._connections.pop(peer.id, None)
        if connection is None:
            return
        self._desk.drop(connection)
        player = connection.player.id
        self._players[player].remove(connection)
        if not self._players[player]:
            del self._players[player]
            await self._leave(self._store.unwatch_seats(player))
        for table in sorted(connection.tables):
            await self._leave(self._audiences.detach(table, peer))
            await self._leave(self._clockwork.somebody_went(table))

    async def _leave(self, step: Awaitable[None]) -> None:
        try:
            await step
        except (Refused, StoreError):
            pass  # the signs of life run out by themselves, and so does a break
        except Exception as wrong:
            log.error("internal", fault=fault(wrong))

    async def lobby(self) -> LobbyPage:
        """The page of public tables. Raises `StoreError`."""
        return await lobby_page(self._store)

    async def record(self, table: str, token: str | None, share: str | None = None) -> str | None:
        """The record of a finished match, if the bearer of `token` or `share` may read it. Raises `StoreError`."""
        player = await self._bearer(token)
        try:
            steps = await self._tables.steps(table)
        except Refused:
            return None
        return readable_record(steps, player, share)

    async def share(self, table: str, token: str | None) -> str | None:
        """The code of a record, if the bearer of `token` may hand it on; empty if it has none. Raises `StoreError`."""
        player = await self._bearer(token)
        try:
            steps = await self._tables.steps(table)
        except Refused:
            return None
        return share_code(steps[-1].table, player)

    async def _bearer(self, token: str | None) -> str | None:
        player = await self._store.player_by_token(token_hash(token)) if token else None
        return player.id if player else None

    async def check(self) -> str | None:
        """Why the server cannot do its work, if it cannot."""
        return "The server is stopping." if self._draining else await self._readiness.why_not()

    async def _carry_out(self, peer: Peer, command: AnyCommand) -> AnyMessage:
        try:
            if self._draining:
                raise Refused(errors.GOING_AWAY, after_ms=AGAIN_MS)
            connection = self._connections.get(peer.id)
            if connection is None:
                if not isinstance(command, said.Hello):
                    raise Refused(errors.HELLO_FIRST)
                return await self._hello(peer, command)
            await self._hand_back(connection)
            if isinstance(command, said.Hello):
                raise Refused(errors.HELLO_TWICE)
            return await self._answers.answer(connection, command)
        except Refused as refused:
            return _error(command, refused)
        except StoreError as down:
            store_down(down, "command")
            return _error(command, Refused(errors.STORE_DOWN, after_ms=AGAIN_MS))
        except Exception as wrong:
            log.error("internal", command=type(command).__name__, fault=fault(wrong))
            return _error(command, Refused(errors.INTERNAL))

    def _note(self, command: AnyCommand, reply: AnyMessage, began: float) -> None:
        code = reply.code if isinstance(reply, Error) else metrics.DONE
        metrics.command(command, code)
        if self._tells_commands:
            log.debug(
                "command",
                kind=metrics.kind_of(command),
                code=code,
                table=getattr(command, "table", None),
                ms=round((perf_counter() - began) * 1000, 3),
            )

    async def _hello(self, peer: Peer, command: said.Hello) -> Session:
        house = is_house(self._house_key, command)
        player, token = await welcome(self._store, self._entropy, command)
        mine = await self._seats.of(player.id)
        connection = Connection(peer, player, house)
        self._players.setdefault(player.id, []).append(connection)
        try:
            await self._store.watch_seats(player.id, self._seated_elsewhere)
        except BaseException:
            self._players[player.id].remove(connection)
            raise
        # Last of all: whatever failed before leaves a connection that may say hello again.
        self._connections[peer.id] = connection
        return Session(
            re=command.id,
            player=player.id,
            name=player.name,
            token=token,
            tables=tuple(my_table(table, seat) for table, seat in mine),
        )

    async def _follow_up(self, peer: Peer, command: AnyCommand, reply: AnyMessage) -> None:
        """What comes after the reply: the views, the minded seats of a player who is back, the seats for bots."""
        connection = self._connections.get(peer.id)
        if connection is None:
            return
        if isinstance(reply, Session):
            for mine in reply.tables:
                await self._show(connection, mine.table)
            await self._hand_back(connection)
        elif isinstance(reply, Done) and reply.table is not None:
            if isinstance(command, said.Watch):
                await self._show(connection, reply.table)
            elif isinstance(command, _SEATING):
                for own in list(self._players[connection.player.id]):
                    await self._show(own, reply.table)
        elif isinstance(command, said.ServeBots):
            self._clockwork.kick_bots()

    async def _show(self, connection: Connection, table: str) -> None:
        """Show a table to a connection from now on; what fails at first is done with the next sign of life."""
        if self._connections.get(connection.peer.id) is not connection:
            return
        connection.tables.add(table)
        try:
            await self._audiences.attach(table, connection.peer, connection.player.id)
        except (Refused, StoreError) as down:
            log.error("not_shown", table=table, error=str(down))
        except Exception as wrong:
            log.error("internal", table=table, fault=fault(wrong))

    async def _hand_back(self, connection: Connection) -> None:
        """Whatever a player sends, their minded seats are theirs again."""
        player = connection.player.id
        for id in list(connection.tables):
            live = self._tables.held(id)
            if live is None or connection.peer.id not in live.attachments:
                connection.tables.discard(id)
            elif live.table is not None and back(live.table, player):
                try:
                    await self._tables.change(id, lambda table, _, __: back(table, player))
                except (Refused, StoreError):
                    pass  # what is wrong with this table is no reason to refuse what was sent
                except Exception as wrong:
                    log.error("internal", table=id, fault=fault(wrong))

    def _advanced(self, live: Live, step: Step) -> None:
        acts = step.entry.acts
        # Nearly all steps are a move and no more: nobody comes or goes, and no limit begins that is shorter than a
        # second, which is found in time.
        if len(acts) > 1 or not isinstance(acts[0], Moved):
            self._audiences.advanced(live, step)
            self._clockwork.kick()
            if any(isinstance(act, BotAsked | Created) for act in acts):
                self._clockwork.kick_bots()

    def _seated_elsewhere(self, player: str, table: str) -> None:
        task = asyncio.create_task(self._show_seat(player, table))
        self._showing.add(task)
        task.add_done_callback(self._showing.discard)

    async def _show_seat(self, player: str, table: str) -> None:
        """Show a player a table at which they sat down by way of another process."""
        try:
            mine = await self._seats.is_at(player, table)
        except StoreError as down:
            store_down(down, "background")
            return
        for own in list(self._players.get(player, ())) if mine else ():
            if table not in own.tables:
                await self._show(own, table)

    def _heard_too_little(self) -> None:
        self._tables.doubt()
        self._clockwork.kick_renewal()

    def _lobby_followers(self) -> list[Peer]:
        return [connection.peer for connection in self._connections.values() if connection.lobby]


def _error(command: AnyCommand, refused: Refused) -> Error:
    return Error(
        re=command.id,
        code=refused.code.code,
        message=refused.message,
        detail=refused.detail,
        retry=refused.code.retry,
        after_ms=refused.after_ms,
    )
