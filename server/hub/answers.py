"""What each command does, once it is known who sends it."""

import secrets
from collections.abc import Awaitable, Callable
from typing import Any

from protocol import commands as said
from protocol import errors
from protocol.commands import AnyCommand, AnyTableCommand
from protocol.pushes import AnyMessage, Done, LobbyPage, Pong
from server.hub.audiences import Audiences
from server.hub.bots import BotDesk
from server.hub.connection import Connection
from server.hub.live import Live
from server.hub.lobby import lobby_page
from server.hub.making import Making, cause_of
from server.hub.replies import event_log, legal_moves
from server.hub.seats import Seats
from server.hub.tables import Answer, Tables
from server.store.base import Present, Store
from server.table.acts import AnyAct
from server.table.decide import Asker, TableChange, decide
from server.table.refusal import Refused
from server.table.state import Table

Answering = Callable[[Connection, Any], Awaitable[AnyMessage]]


class Answers:
    """Carries out every command but `hello`.

    Attributes:
        since: since when this process has seen who is connected.
    """

    def __init__(
        self, store: Store, tables: Tables, audiences: Audiences, seats: Seats, making: Making, desk: BotDesk
    ) -> None:
        self._store = store
        self._tables = tables
        self._audiences = audiences
        self._seats = seats
        self._making = making
        self._desk = desk
        self.since = 0
        self._answer: dict[type[Any], Answering] = {
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

    async def answer(self, connection: Connection, command: AnyCommand) -> AnyMessage:
        """Carry out a command and return its reply. Raises `Refused` and `StoreError`."""
        return await self._answer.get(type(command), self._change)(connection, command)

    async def _ping(self, connection: Connection, command: said.Ping) -> Pong:
        return Pong(re=command.id)

    async def _lobby(self, connection: Connection, command: said.Lobby) -> LobbyPage:
        page = await lobby_page(self._store, command.id)
        connection.lobby = command.follow
        return page

    async def _serve_bots(self, connection: Connection, command: said.ServeBots) -> Done:
        self._desk.register(connection)
        connection.levels = command.levels
        return Done(re=command.id)

    async def _create(self, connection: Connection, command: said.Create) -> Done:
        return _done(command, await self._making.create(connection.player, command), connection)

    async def _quick(self, connection: Connection, command: said.Quick) -> Done:
        answer = await self._making.quick(connection.player, command, connection.peer.id)
        return _done(command, answer, connection)

    async def _rematch(self, connection: Connection, command: said.Rematch) -> Done:
        await self._visible(connection, command)
        return _done(command, await self._making.rematch(connection.player, command), connection)

    async def _watch(self, connection: Connection, command: said.Watch) -> Done:
        table = await self._visible(connection, command, command.invite)
        return _done(command, Answer(table, table.version, table.seat_of(connection.player.id)), connection)

    async def _sit(self, connection: Connection, command: said.Sit) -> Done:
        await self._visible(connection, command, command.invite)
        cause = cause_of(connection.player.id, command)
        await self._seats.make_room(command.table, cause)
        done = await self._changed(connection, command)
        await self._seats.note(connection.player.id, command.table)
        connection.passed = 0  # whatever it let pass before, it does take seats
        return done

    async def _leave(self, connection: Connection, command: said.Leave) -> Done:
        table = await self._visible(connection, command)
        if table.status == "closed":
            done = _done(command, Answer(table, table.version, table.seat_of(connection.player.id)), connection)
        else:
            done = await self._changed(connection, command)
        connection.tables.discard(command.table)
        await self._audiences.detach(command.table, connection.peer)
        return done

    async def _events(self, connection: Connection, command: said.Events) -> AnyMessage:
        await self._visible(connection, command)
        return event_log(command, await self._tables.steps(command.table), connection.player.id)

    async def _legal(self, connection: Connection, command: said.Legal) -> AnyMessage:
        return legal_moves(command, await self._visible(connection, command), connection.player.id)

    async def _change(self, connection: Connection, command: TableChange) -> Done:
        await self._visible(connection, command)
        return await self._changed(connection, command)

    async def _changed(self, connection: Connection, command: TableChange) -> Done:
        player = connection.player

        def made(table: Table, present: Present, now: int) -> tuple[AnyAct, ...]:
            last_seen = self._last_seen(table, present, now) if isinstance(command, said.Mind) else {}
            return decide(table, command, Asker(player.id, player.name, player.bot, now, last_seen))

        answer = await self._tables.change(
            command.table,
            made,
            cause=cause_of(player.id, command),
            may_be_idle=not isinstance(command, said.Play),
        )
        return _done(command, answer, connection)

    def _last_seen(self, table: Table, present: Present, now: int) -> dict[str, int]:
        """When the store last heard of each player.

        Of whom it has not heard since the server was started, nobody knows that they were away before.
        """
        unheard = {seat.player: self.since for seat in table.seats if seat.player is not None}
        return {**unheard, **present.players, **dict.fromkeys(present.here, now)}

    async def _visible(self, connection: Connection, command: AnyTableCommand, invite: str | None = None) -> Table:
        """The table, for those who may know of it; for all others there is no such table.

        Who asks again what was answered before gets the same answer, even if they would be a stranger by now.
        """
        often = isinstance(command, said.Play)
        live = await self._tables.live(command.table, sure=not often)
        if often and not _may_know(connection, live, invite):
            live = await self._tables.live(command.table, sure=True)
        known = _may_know(connection, live, invite)
        if not known:
            known = await self._tables.answered(command.table, cause_of(connection.player.id, command))
        if live.table is None or not known:
            raise Refused(errors.NO_SUCH_TABLE)
        return live.table


def _may_know(connection: Connection, live: Live, invite: str | None) -> bool:
    """Everybody may know of a public table, else those who sit there, made it, are expected, invited or let in."""
    table, player = live.table, connection.player.id
    return table is not None and (
        not table.options.private
        or connection.peer.id in live.attachments
        or table.creator == player
        or any(player in (seat.player, seat.kept.player if seat.kept else None) for seat in table.seats)
        or (invite is not None and table.invite is not None and secrets.compare_digest(invite, table.invite))
    )


def _done(command: AnyCommand, answer: Answer, connection: Connection) -> Done:
    table = answer.table
    may_invite = answer.seat is not None or table.creator == connection.player.id
    return Done(
        re=command.id,
        table=table.id,
        version=answer.version,
        seat=answer.seat,
        invite=table.invite if may_invite else None,
    )
