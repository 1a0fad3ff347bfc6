"""A small server in memory that really plays SCOUT by the engine, for tests of whole matches.

It keeps no time and no promises about order beyond what the tests need.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import msgspec

from engine.errors import MoveError
from engine.scout import SCOUT, State
from protocol import commands as c
from protocol import errors
from protocol.options import TableOptions
from protocol.pushes import (
    AnyEvent,
    AnyMessage,
    BotWanted,
    Closed,
    Done,
    Error,
    EventLog,
    LegalMoves,
    LobbyPage,
    MyTable,
    Pong,
    Session,
    Step,
    TableSeat,
    View,
)
from protocol.scout import AnyScoutEvent, ScoutView
from protocol.table_events import BotAsked, Readied, RevealAsked, Sat, Started, Stood
from protocol.values import Status
from tests.clients.script import HEAD

EMPTY = TableSeat(
    name=None,
    player=None,
    bot=False,
    asked=None,
    ready=False,
    commitment=None,
    nonce=None,
    minded=False,
    left=False,
    next=False,
    votes=0,
    reserved=None,
)
Events = Callable[[int | None], tuple[AnyEvent, ...]]


@dataclass
class Table:
    """One table; players are known by their ids."""

    id: str
    options: TableOptions
    rng: Random
    seats: list[TableSeat] = field(default_factory=list)
    log: list[Events] = field(default_factory=list)
    state: State | None = None
    status: Status = "open"
    revealed: set[int] = field(default_factory=set)
    decisions: dict[int, int] = field(default_factory=dict)
    waiting: dict[int, int] = field(default_factory=dict)
    made: int = 0
    rematch: str | None = None

    def seat_of(self, player: str) -> int | None:
        return next((at for at, seat in enumerate(self.seats) if seat.player == player), None)

    def change(self, seat: int, **fields: object) -> None:
        self.seats[seat] = msgspec.structs.replace(self.seats[seat], **fields)

    def add(self, events: Events | AnyEvent) -> None:
        self.log.append(events if callable(events) else lambda viewer: (events,))

    def view(self, you: int | None, *, events: bool) -> View:
        game = None
        if self.state is not None:
            game = msgspec.convert(msgspec.to_builtins(SCOUT.observe(self.state, you)), ScoutView)
        actors = self.state.actors - {-1} if self.state is not None and self.status == "running" else frozenset()
        return View(
            table=self.id,
            version=len(self.log),
            head=HEAD,
            status=self.status,
            options=self.options,
            quick=False,
            commitment=HEAD,
            seed=None,
            invite=None,
            seats=tuple(self.seats),
            you=you,
            decision=None if you is None else self.waiting.get(you),
            to_act=tuple(sorted(actors)),
            deadline_ms=60_000 if actors else None,
            bots_offered=False,
            rematch=self.rematch,
            closed=None,
            game=game,
            by="player",
            events=self.log[-1](you) if events else (),
        )

    def steps(self, you: int | None, since: int) -> tuple[Step, ...]:
        return tuple(
            Step(version=at, head=HEAD, by="player", events=entry(you))
            for at, entry in enumerate(self.log, 1)
            if at > since
        )

    def act(self, actor: int, action: Any) -> None:
        """Apply a move or a deal, and open the decisions that follow."""
        assert self.state is not None
        before, after = self.state, SCOUT.apply(self.state, actor, action)
        self.state = after
        self.waiting.pop(actor, None)
        for seat in after.actors - {-1} - self.waiting.keys():
            self.waiting[seat] = self.decisions[seat] = self.decisions.get(seat, 0) + 1
        self.status = "over" if not after.actors else "break" if after.phase == "deal" else "running"
        self.add(
            lambda viewer: tuple(
                msgspec.convert(msgspec.to_builtins(event), AnyScoutEvent)
                for event in SCOUT.describe(before, actor, action, after, viewer)
            )
        )

    def deal(self) -> None:
        for seat in range(len(self.seats)):
            self.change(seat, next=False)
        assert self.state is not None
        self.act(-1, SCOUT.chance(self.state, self.rng.randrange))


class Refusal(Exception):
    def __init__(self, code: errors.ErrorCode, message: str | None = None, detail: str | None = None) -> None:
        super().__init__(code.code)
        self.code, self.message, self.detail = code, message or code.meaning, detail


@dataclass(eq=False)
class Link:
    """One connection's end at the server."""

    send: Callable[[AnyMessage], None]
    player: str = ""
    watching: set[str] = field(default_factory=set)
    serves: bool = False


class FakeServer:
    """Takes commands, gives messages."""

    def __init__(self, seed: int = 1) -> None:
        self.rng = Random(seed)
        self.tables: dict[str, Table] = {}
        self.players: dict[str, tuple[str, str, bool]] = {}
        self.links: set[Link] = set()
        self.answers: dict[tuple[str, str], tuple[c.AnyCommand, AnyMessage]] = {}
        self.played = 0
        self.hellos: list[c.Hello] = []

    def handle(self, link: Link, command: c.AnyCommand) -> None:
        if isinstance(command, c.Hello):
            self._hello(link, command)
            return
        known = self.answers.get((link.player, command.id))
        if known is not None:
            assert known[0] == command, "an id was used for another command"
            link.send(known[1])
            return
        try:
            reply: AnyMessage = self._do(link, command)
        except Refusal as r:
            reply = Error(re=command.id, code=r.code.code, message=r.message, detail=r.detail, retry=r.code.retry)
        self.answers[link.player, command.id] = (command, reply)
        link.send(reply)
        if isinstance(command, c.ServeBots):
            self._name_wanted(link)

    def _hello(self, link: Link, hello: c.Hello) -> None:
        self.hellos.append(hello)
        token = hello.token or f"{len(self.players):032d}"
        if hello.token is not None and hello.token not in self.players:
            code = errors.TOKEN_UNKNOWN
            link.send(Error(re=hello.id, code=code.code, message=code.meaning, retry=False))
            return
        player, name, bot = self.players.get(token, (f"{len(self.players):016d}", "Guest", hello.bot))
        self.players[token] = (player, hello.name or name, bot)
        link.player = player
        self.links.add(link)
        mine = [(table, seat) for table in self.tables.values() if (seat := table.seat_of(player)) is not None]
        tables = tuple(MyTable(table=t.id, seat=s, status=t.status, to_act=s in t.waiting) for t, s in mine)
        new = None if hello.token else token
        link.send(Session(re=hello.id, player=player, name=self.players[token][1], token=new, tables=tables))
        for table, seat in mine:
            link.watching.add(table.id)
            link.send(table.view(seat, events=False))

    def _do(self, link: Link, command: c.AnyCommand) -> AnyMessage:
        match command:
            case c.Ping():
                return Pong(re=command.id)
            case c.Lobby():
                return LobbyPage(re=command.id, tables=())
            case c.ServeBots():
                link.serves = True
                return Done(re=command.id)
            case c.Create():
                return self._create(link, command)
            case c.Quick():
                return self._quick(link, command)
            case c.Hello():
                raise Refusal(errors.HELLO_TWICE)
            case _:
                if command.table not in self.tables:
                    raise Refusal(errors.NO_SUCH_TABLE)
                return self._at_table(link, self.tables[command.table], command)

    def _at_table(self, link: Link, table: Table, command: c.AnyCommand) -> AnyMessage:
        you = table.seat_of(link.player)
        match command:
            case c.Events():
                return EventLog(
                    re=command.id,
                    table=table.id,
                    since=command.since,
                    steps=table.steps(you, command.since)[: command.limit],
                    more=False,
                )
            case c.Legal():
                moves: list[str] = []
                if you is not None and table.state is not None:
                    moves = [SCOUT.write(move) for move in SCOUT.legal_actions(table.state, you)]
                decision = None if you is None else table.waiting.get(you)
                page = tuple(moves[command.offset : command.offset + command.limit])
                return LegalMoves(re=command.id, table=table.id, decision=decision, moves=page, more=False)
            case c.Watch():
                link.watching.add(table.id)
                link.send(table.view(you, events=False))
            case c.Leave():
                link.watching.discard(table.id)
            case c.Sit():
                seat = self._free(table) if command.seat is None else command.seat
                you = self._sit(link, table, seat)
            case c.AskBot():
                seat = self._free(table) if command.seat is None else command.seat
                table.change(seat, asked=command.level)
                self._publish(table, BotAsked(seat=seat, level=command.level))
                self._want_bots(table)
            case c.Rematch():
                table.rematch = self._new_table(table.options).id
                return self._entered(link, self.tables[table.rematch], command.id)
            case _ if you is None:
                raise Refusal(errors.NOT_SEATED)
            case c.Stand():
                table.change(you, name=None, player=None, ready=False)
                self._publish(table, Stood(seat=you, reason="stood"))
            case c.Ready():
                table.change(you, ready=True, commitment=command.commitment)
                self._publish(table, Readied(seat=you, commitment=command.commitment))
                self._start_if_ready(table)
            case c.Reveal():
                nonce = hashlib.sha256(bytes.fromhex(command.nonce)).hexdigest()
                assert nonce == table.seats[you].commitment
                assert you not in table.revealed
                table.revealed.add(you)
                if len(table.revealed) == len(table.seats):
                    self._start(table)
            case c.Play():
                self._play(table, you, command)
            case c.Next():
                table.change(you, next=True)
                if all(seat.next for seat in table.seats):
                    table.deal()
                    self._show(table)
        return Done(re=command.id, table=table.id, version=len(table.log), seat=you)

    def _play(self, table: Table, you: int, command: c.Play) -> None:
        assert table.state is not None
        if table.waiting.get(you) != command.decision:
            raise Refusal(
                errors.STALE_DECISION if table.decisions.get(you, 0) >= command.decision else errors.NO_DECISION
            )
        try:
            table.act(you, SCOUT.read(command.move))
        except MoveError as error:
            raise Refusal(errors.ILLEGAL_MOVE, error.message, error.code) from None
        self.played += 1
        self._show(table)

    def _new_table(self, options: TableOptions) -> Table:
        table = Table(f"table{len(self.tables):07d}", options, self.rng)
        table.seats = [EMPTY] * options.seats
        table.add(lambda viewer: ())
        self.tables[table.id] = table
        return table

    def _create(self, link: Link, command: c.Create) -> Done:
        table = self._new_table(command.options)
        if command.seat is not None:
            self._sit(link, table, command.seat)
        link.watching.add(table.id)
        for seat in range(command.options.seats - command.bots, command.options.seats):
            table.change(seat, asked=command.level)
        self._show(table, events=False)
        self._want_bots(table)
        return Done(re=command.id, table=table.id, version=1, seat=command.seat)

    def _quick(self, link: Link, command: c.Quick) -> Done:
        for table in self.tables.values():
            if table.status == "open" and any(seat.name is None and seat.asked is None for seat in table.seats):
                return self._entered(link, table, command.id)
        return self._entered(link, self._new_table(TableOptions(seats=command.seats or 3)), command.id)

    def _entered(self, link: Link, table: Table, re: str) -> Done:
        return Done(re=re, table=table.id, version=1, seat=self._sit(link, table, self._free(table)))

    def _free(self, table: Table) -> int:
        free = [at for at, seat in enumerate(table.seats) if seat.name is None]
        if not free:
            raise Refusal(errors.NO_FREE_SEAT)
        return free[0]

    def _sit(self, link: Link, table: Table, seat: int) -> int:
        if table.seat_of(link.player) is not None:
            raise Refusal(errors.ALREADY_SEATED)
        if table.seats[seat].name is not None:
            raise Refusal(errors.NO_FREE_SEAT)
        _, name, bot = next(known for known in self.players.values() if known[0] == link.player)
        table.change(seat, name=name, player=link.player, bot=bot, asked=None)
        link.watching.add(table.id)
        self._publish(table, Sat(seat=seat, name=name, bot=bot))
        return seat

    def _start_if_ready(self, table: Table) -> None:
        if not all(seat.ready for seat in table.seats):
            return
        if all(seat.commitment is None for seat in table.seats):
            self._start(table)
            return
        table.status = "revealing"
        table.revealed = {at for at, seat in enumerate(table.seats) if seat.commitment is None}
        self._publish(table, RevealAsked())

    def _start(self, table: Table) -> None:
        table.state = SCOUT.initial(len(table.seats))
        table.seats.append(table.seats.pop(0))  # the seats are renumbered
        order = (*range(1, len(table.seats)), 0)
        table.status = "running"
        self._publish(table, Started(seats=order))
        table.deal()
        self._show(table)

    def _want_bots(self, table: Table) -> None:
        for link in self.links:
            if link.serves:
                self._name_wanted(link, table)

    def _name_wanted(self, link: Link, only: Table | None = None) -> None:
        for table in [only] if only is not None else list(self.tables.values()):
            for at, seat in enumerate(table.seats):
                if seat.asked is not None and seat.name is None:
                    link.send(BotWanted(table=table.id, seat=at, level=seat.asked, invite=None))

    def _publish(self, table: Table, event: AnyEvent) -> None:
        table.add(event)
        self._show(table)

    def _show(self, table: Table, *, events: bool = True) -> None:
        for link in list(self.links):
            if table.id in link.watching:
                link.send(table.view(table.seat_of(link.player), events=events))

    def close(self, table: str, reason: str) -> None:
        for link in self.links:
            if table in link.watching:
                link.send(Closed(table=table, reason=reason))
