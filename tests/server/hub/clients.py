"""Clients of the virtual network: they come back after every cut, repeat what was not answered, and play."""

import asyncio
from collections.abc import Callable
from hashlib import sha256

from protocol import commands as said
from protocol.commands import AnyCommand
from protocol.pushes import AnyMessage, Done, Error, LegalMoves, Session, View
from tests.server.hub.network import Link, World


class Client:
    """One client of one player, with one connection at a time.

    Attributes:
        token: the player's, once there is one.
        player: the player's id.
        views: the newest view of each table.
        every: every view, in order.
        acknowledged: every command that was answered with success, and its answer.
    """

    def __init__(self, world: World, name: str, token: str | None = None) -> None:
        self.world = world
        self.name = name
        self.token = token
        self.player = ""
        self.views: dict[str, View] = {}
        self.every: list[View] = []
        self.acknowledged: dict[str, tuple[AnyCommand, AnyMessage]] = {}
        self.sent: dict[str, AnyCommand] = {}
        self.watched: dict[str, str | None] = {}
        self._pending: dict[str, tuple[AnyCommand, asyncio.Future[AnyMessage]]] = {}
        self._numbers = 0
        self._link: Link | None = None
        self._ready = False
        self._news = asyncio.Event()
        self._over = False

    def connect(self) -> None:
        """Connect, and again after every cut."""
        self._link = self.world.connect(self, self.name)
        self._ready = False
        # A guest without a token is somebody new each time, so it must not have done anything yet.
        self._link.command(said.Hello(id=self.new_id(), token=self.token, name=self.name))

    def disconnect(self) -> None:
        """Go for good."""
        self._over = True
        if self._link is not None:
            self._link.cut()

    def new_id(self) -> str:
        self._numbers += 1
        return f"{self.name}-{self._numbers}"

    async def ask(self, command: AnyCommand) -> AnyMessage:
        """Send a command until it is answered."""
        answer: asyncio.Future[AnyMessage] = asyncio.get_running_loop().create_future()
        self._pending[command.id] = (command, answer)
        self.sent[command.id] = command
        if self._ready and self._link is not None:
            self._link.command(command)
        return await answer

    async def do(self, command: AnyCommand) -> Done:
        reply = await self.ask(command)
        assert isinstance(reply, Done), f"{command} was refused: {reply}"
        return reply

    async def until(self, table: str, holds: Callable[[View], bool]) -> View:
        """The newest view, once it holds."""
        while table not in self.views or not holds(self.views[table]):
            self._news.clear()
            await self._news.wait()
        return self.views[table]

    def receive(self, link: Link, message: AnyMessage) -> None:
        if link is not self._link:
            return
        if isinstance(message, View):
            self._see(message)
        elif isinstance(message, Session):
            self._resume(message)
        elif (re := getattr(message, "re", None)) in self._pending:
            command, answer = self._pending.pop(re)
            if not isinstance(message, Error):
                self.acknowledged[re] = (command, message)
            answer.set_result(message)

    def lost(self, link: Link) -> None:
        if link is self._link and not self._over:
            self._link = None
            self._ready = False
            self.world.spawn(self._come_back())

    async def _come_back(self) -> None:
        await asyncio.sleep(self.world.random.uniform(0, 1.5))
        self.connect()

    def _resume(self, session: Session) -> None:
        if session.token is not None:
            self.token = session.token
        assert self.player in ("", session.player)
        self.player = session.player
        self._ready = True
        assert self._link is not None
        seated = {mine.table for mine in session.tables}
        for table, invite in self.watched.items():
            if table not in seated:
                self._link.command(said.Watch(id=self.new_id(), table=table, invite=invite))
        for command, _ in self._pending.values():
            self._link.command(command)
        self._news.set()

    def _see(self, view: View) -> None:
        known = self.views.get(view.table)
        assert known is None or known.version <= view.version, "a version went back"
        self.views[view.table] = view
        self.every.append(view)
        self._news.set()


class Player(Client):
    """A client that plays random legal moves to the end.

    Attributes:
        commits: whether it may take part in the shuffles.
    """

    commits = True

    async def arrive(self) -> None:
        self.connect()
        while not self.player:
            self._news.clear()
            await self._news.wait()

    async def play(self, table: str, invite: str | None = None) -> None:
        """Sit down, get ready, and play until the match is over."""
        self.watched[table] = invite
        decided = 0
        asked: set[object] = set()
        nonce = sha256(self.name.encode()).digest() if self.commits and self.world.random.random() < 0.5 else None
        commitment = sha256(nonce).hexdigest() if nonce else None
        await self.ask(said.Sit(id=self.new_id(), table=table, invite=invite))
        while True:
            seen = self.views.get(table)
            if seen is None or seen.status == "over":
                if seen is not None:
                    return
            elif seen.status == "open" and seen.you is None:
                # The nonce came too late, for example.
                await self.ask(said.Sit(id=self.new_id(), table=table, invite=invite))
            elif seen.status == "open" and seen.you is not None and not seen.seats[seen.you].ready:
                await self.ask(said.Ready(id=self.new_id(), table=table, commitment=commitment))
            elif seen.status == "revealing" and nonce is not None and ("nonce", seen.version) not in asked:
                asked.add(("nonce", seen.version))
                await self.ask(said.Reveal(id=self.new_id(), table=table, nonce=nonce.hex()))
            elif seen.status == "break" and seen.game is not None and seen.game.round not in asked:
                asked.add(seen.game.round)
                await self.do(said.Next(id=self.new_id(), table=table, round=seen.game.round))
            elif seen.decision is not None and seen.you is not None and seen.decision > decided:
                decided = seen.decision
                move = await self.choose(table, seen.you, decided)
                if move is not None:
                    await self.moved(said.Play(id=self.new_id(), table=table, decision=decided, move=move))
            await self._something_new(table, seen)

    async def choose(self, table: str, seat: int, decision: int) -> str | None:
        """A move, unless the decision is gone."""
        found = await self.ask(said.Legal(id=self.new_id(), table=table))
        assert isinstance(found, LegalMoves), found
        return self.world.random.choice(found.moves) if found.decision == decision else None

    async def moved(self, command: said.Play) -> None:
        """Nobody but this client plays this seat: its move must be accepted."""
        await self.do(command)

    async def _something_new(self, table: str, seen: View | None) -> None:
        while self.views.get(table) is seen:
            self._news.clear()
            await self._news.wait()


class MindedPlayer(Player):
    """A player at a table with a short limit: the minder may have moved meanwhile, and then the move is stale."""

    async def moved(self, command: said.Play) -> None:
        reply = await self.ask(command)
        assert isinstance(reply, Done) or (
            isinstance(reply, Error) and reply.code in ("stale_decision", "no_decision")
        ), reply
