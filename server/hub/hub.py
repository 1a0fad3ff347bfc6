"""The hub: it joins tables, players and connections."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

import structlog

from protocol import closing, errors
from protocol import commands as said
from protocol.commands import AnyCommand
from protocol.pushes import AnyMessage, Done, Error, GoingAway, LobbyPage, Pong, Session
from server.hub.audiences import Audiences
from server.hub.bots import BotDesk
from server.hub.clockwork import Clockwork
from server.hub.connection import Connection
from server.hub.ids import Entropy, system_entropy, token_hash
from server.hub.live import Live
from server.hub.lobby import lobby_page
from server.hub.making import Making, cause_of
from server.hub.peer import Peer
from server.hub.players import is_house, welcome
from server.hub.replies import event_log, legal_moves, readable_record
from server.hub.tables import Answer, Tables
from server.store.base import Present, Store, StoreError
from server.table.acts import AnyAct, BotAsked, Created
from server.table.decide import Asker, TableChange, back, decide
from server.table.fold import Step
from server.table.refusal import Refused
from server.table.state import Table
from server.table.views import my_table

log = structlog.get_logger()


class TableHub:
    """Everything between the connections and the store (`server.hub.peer.Hub`)."""

    def __init__(
        self,
        store: Store,
        *,
        house_key: str = "",
        retention_ms: int = 90 * 86_400_000,
        entropy: Entropy = system_entropy,
    ) -> None:
        self._store = store
        self._house_key = house_key
        self._entropy = entropy
        self._audiences = Audiences(store)
        self._tables = Tables(store, entropy, self._advanced)
        self._audiences.use(self._tables)
        self._making = Making(store, self._tables, entropy)
        self._desk = BotDesk(store)
        self._connections: dict[str, Connection] = {}
        self._clockwork = Clockwork(
            store, self._tables, self._audiences, self._desk, self._lobby_followers, retention_ms
        )
        self._matching = asyncio.Lock()
        self._draining = False
        self._busy = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._answer: dict[type[Any], Callable[[Connection, Any], Awaitable[AnyMessage]]] = {
            said.Ping: self._ping,
            said.Lobby: self._lobby,
            said.Create: self._create,
            said.Quick: self._quick,
            said.ServeBots: self._serve_bots,
            said.Watch: self._watch,
            said.Leave: self._leave,
            said.Sit: self._sit,
            said.Rematch: self._rematch,
            said.Events: self._events,
            said.Legal: self._legal,
        }

    async def start(self) -> None:
        """Open the store and begin the background work."""
        await self._store.open()
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
        await self._audiences.settle()
        await self._store.close()

    async def handle(self, peer: Peer, command: AnyCommand) -> None:
        """Carry out one command and answer it."""
        self._busy += 1
        self._idle.clear()
        try:
            reply = await self._carry_out(peer, command)
        finally:
            self._busy -= 1
            if not self._busy:
                self._idle.set()
        peer.send(reply)
        if isinstance(reply, Session):
            await self._show_tables(self._connections[peer.id], reply)
        if isinstance(reply, Error) and reply.code == errors.TOKEN_UNKNOWN.code:
            peer.close(closing.TOKEN_UNKNOWN.code, closing.TOKEN_UNKNOWN.name)

    async def gone(self, peer: Peer) -> None:
        """The connection is no more."""
        connection = self._connections.pop(peer.id, None)
        if connection is None:
            return
        self._desk.drop(connection)
        for table in sorted(connection.tables):
            live = self._tables.held(table)
            if live is not None:
                with contextlib.suppress(StoreError):
                    await self._audiences.detach(live, peer)
                    await self._clockwork.presence_changed(live)

    async def lobby(self) -> LobbyPage:
        """The page of public tables."""
        return await lobby_page(self._store)

    async def record(self, table: str, token: str | None) -> str | None:
        """The record of a finished match, if the bearer of `token` may read it."""
        player = await self._store.player_by_token(token_hash(token)) if token else None
        try:
            steps = await self._tables.steps(table)
        except Refused:
            return None
        return readable_record(steps, player.id if player else None)

    async def check(self) -> str | None:
        """Why the server cannot do its work, if it cannot."""
        if self._draining:
            return "The server is stopping."
        try:
            await self._store.check()
        except StoreError as down:
            return str(down)
        return None

    async def _carry_out(self, peer: Peer, command: AnyCommand) -> AnyMessage:
        try:
            if self._draining:
                raise Refused(errors.GOING_AWAY, after_ms=1000)
            connection = self._connections.get(peer.id)
            if isinstance(command, said.Hello):
                if connection is not None:
                    raise Refused(errors.HELLO_TWICE)
                return await self._hello(peer, command)
            if connection is None:
                raise Refused(errors.HELLO_FIRST)
            await self._hand_back(connection)
            answer = self._answer.get(type(command), self._change)
            return await answer(connection, command)
        except Refused as refused:
            return _error(command, refused)
        except StoreError as down:
            log.error("store_down", error=str(down))
            return _error(command, Refused(errors.STORE_DOWN, after_ms=1000))
        except Exception:
            log.exception("internal", command=type(command).__name__)
            return _error(command, Refused(errors.INTERNAL))

    async def _hello(self, peer: Peer, command: said.Hello) -> Session:
        house = is_house(self._house_key, command)
        player, token = await welcome(self._store, self._entropy, command)
        self._connections[peer.id] = Connection(peer, player, house)
        mine = [await self._still_mine(player.id, table) for table in await self._store.seats_of(player.id)]
        return Session(
            re=command.id,
            player=player.id,
            name=player.name,
            token=token,
            tables=tuple(my_table(table, seat) for table, seat in filter(None, mine)),
        )

    async def _still_mine(self, player: str, id: str) -> tuple[Table, int] | None:
        try:
            table = (await self._tables.live(id)).table
        except Refused as refused:
            if refused.code is not errors.NO_SUCH_TABLE:
                raise
            table = None
        seat = table.seat_of(player) if table is not None else None
        if table is None or seat is None or table.ended:
            await self._store.drop_seat(player, id)
            return None
        return table, seat

    async def _show_tables(self, connection: Connection, session: Session) -> None:
        """After `session`: a view of each of the player's tables, and their minded seats back."""
        for mine in session.tables:
            try:
                await self._attach(connection, mine.table)
            except (Refused, StoreError):
                continue
        with contextlib.suppress(Refused, StoreError):
            await self._hand_back(connection)

    async def _attach(self, connection: Connection, table: str) -> Live:
        live = await self._tables.live(table)
        connection.tables.add(table)
        await self._audiences.attach(live, connection.peer, connection.player.id)
        return live

    async def _hand_back(self, connection: Connection) -> None:
        """Whatever a player sends, their minded seats are theirs again."""
        player = connection.player.id
        for id in list(connection.tables):
            live = self._tables.held(id)
            if live is not None and live.table is not None and back(live.table, player):
                await self._tables.change(id, lambda table, _, __: back(table, player))

    async def _ping(self, connection: Connection, command: said.Ping) -> Pong:
        return Pong(re=command.id)

    async def _lobby(self, connection: Connection, command: said.Lobby) -> LobbyPage:
        connection.lobby = command.follow
        return await lobby_page(self._store, command.id)

    async def _serve_bots(self, connection: Connection, command: said.ServeBots) -> Done:
        connection.levels = command.levels
        self._desk.register(connection)
        self._clockwork.kick_bots()
        return Done(re=command.id)

    async def _create(self, connection: Connection, command: said.Create) -> Done:
        return await self._arrive(connection, command, await self._making.create(connection.player, command))

    async def _quick(self, connection: Connection, command: said.Quick) -> Done:
        async with self._matching:  # who comes next must find this player seated and present
            return await self._arrive(connection, command, await self._making.quick(connection.player, command))

    async def _rematch(self, connection: Connection, command: said.Rematch) -> Done:
        return await self._arrive(connection, command, await self._making.rematch(connection.player, command))

    async def _arrive(self, connection: Connection, command: AnyCommand, answer: Answer) -> Done:
        await self._attach(connection, answer.table.id)
        return _done(command, answer, connection.player.id)

    async def _watch(self, connection: Connection, command: said.Watch) -> Done:
        table = await self._visible(connection, command.table, command.invite)
        await self._attach(connection, command.table)
        return _done(command, Answer(table, table.version, table.seat_of(connection.player.id)), connection.player.id)

    async def _sit(self, connection: Connection, command: said.Sit) -> Done:
        await self._visible(connection, command.table, command.invite)
        await self._store.add_seat(connection.player.id, command.table)
        answer = await self._decided(connection, command)
        return await self._arrive(connection, command, answer)

    async def _leave(self, connection: Connection, command: said.Leave) -> Done:
        table = await self._visible(connection, command.table, None, attached=True)
        answer = Answer(table, table.version, None)
        if table.seat_of(connection.player.id) is not None:
            answer = await self._decided(connection, command)
        connection.tables.discard(command.table)
        live = self._tables.held(command.table)
        if live is not None:
            await self._audiences.detach(live, connection.peer)
        await self._store.drop_seat(connection.player.id, command.table)
        return _done(command, answer, connection.player.id)

    async def _events(self, connection: Connection, command: said.Events) -> AnyMessage:
        await self._visible(connection, command.table, None, attached=True)
        return event_log(command, await self._tables.steps(command.table), connection.player.id)

    async def _legal(self, connection: Connection, command: said.Legal) -> AnyMessage:
        table = await self._visible(connection, command.table, None, attached=True)
        return legal_moves(command, table, connection.player.id)

    async def _change(self, connection: Connection, command: TableChange) -> Done:
        await self._visible(connection, command.table, None, attached=True)
        return _done(command, await self._decided(connection, command), connection.player.id)

    async def _decided(self, connection: Connection, command: TableChange) -> Answer:
        player = connection.player

        def made(table: Table, present: Present, now: int) -> tuple[AnyAct, ...]:
            last_seen = {**present.players, **dict.fromkeys(present.here, now)}
            return decide(table, command, Asker(player.id, player.name, player.bot, now, last_seen))

        return await self._tables.change(command.table, made, cause=cause_of(player.id, command))

    async def _visible(self, connection: Connection, id: str, invite: str | None, *, attached: bool = False) -> Table:
        """The table, for those who may know of it: everybody's if public, else for seats, the kept, the invited."""
        table = (await self._tables.live(id)).table
        assert table is not None
        player = connection.player.id
        known = (
            not table.options.private
            or (attached and id in connection.tables)
            or table.creator == player
            or any(player in (seat.player, seat.kept.player if seat.kept else None) for seat in table.seats)
            or (invite is not None and invite == table.invite)
        )
        if not known:
            raise Refused(errors.NO_SUCH_TABLE)
        return table

    def _advanced(self, live: Live, step: Step) -> None:
        self._audiences.advanced(live, step)
        self._clockwork.kick()
        if any(isinstance(act, BotAsked | Created) for act in step.entry.acts):
            self._clockwork.kick_bots()

    def _lobby_followers(self) -> list[Peer]:
        return [connection.peer for connection in self._connections.values() if connection.lobby]


def _done(command: AnyCommand, answer: Answer, player: str) -> Done:
    table = answer.table
    may_invite = table.seat_of(player) is not None or table.creator == player
    return Done(
        re=command.id,
        table=table.id,
        version=answer.version,
        seat=answer.seat,
        invite=table.invite if may_invite else None,
    )


def _error(command: AnyCommand, refused: Refused) -> Error:
    return Error(
        re=command.id,
        code=refused.code.code,
        message=refused.message,
        detail=refused.detail,
        retry=refused.code.retry,
        after_ms=refused.after_ms,
    )
