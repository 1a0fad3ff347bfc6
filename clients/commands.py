"""The commands of the protocol as methods; what they mean stands in `protocol.commands`."""

from abc import ABC, abstractmethod
from typing import TypeVar

from clients.errors import Stopped
from protocol.commands import (
    AnyCommand,
    AskBot,
    Create,
    Events,
    Leave,
    Legal,
    Lobby,
    Mind,
    Next,
    Ping,
    Play,
    Quick,
    Ready,
    Rematch,
    ServeBots,
    Sit,
    Stand,
    Watch,
)
from protocol.options import TableOptions
from protocol.pushes import AnyReply, Done, EventLog, LegalMoves, LobbyPage
from protocol.values import MAX_EVENT_STEPS, MAX_LEGAL_MOVES

R = TypeVar("R", bound=AnyReply)


class Commands(ABC):
    """Each command as a coroutine that gives the answer. All raise `Refused` and `Stopped`."""

    @abstractmethod
    async def request(self, command: AnyCommand) -> AnyReply:
        """Send any command and wait for its answer."""

    @abstractmethod
    def new_id(self) -> str:
        """A new id for a command."""

    @abstractmethod
    def commit(self, table: str) -> str:
        """A commitment for `ready`."""

    @abstractmethod
    def forget(self, table: str) -> None:
        """Drop what is kept of a table."""

    async def create(
        self, options: TableOptions | None = None, *, seat: int | None = 0, bots: int = 0, level: str = ""
    ) -> Done:
        """Create a table and sit down at `seat`, or `None` to watch; the answer names the table."""
        options = options or TableOptions()
        return await self._done(Create(id=self.new_id(), options=options, seat=seat, bots=bots, level=level))

    async def quick(self, seats: int | None = None) -> Done:
        """Sit down at a public table; the answer names table and seat."""
        return await self._done(Quick(id=self.new_id(), seats=seats))

    async def watch(self, table: str, invite: str | None = None) -> Done:
        """Ask for the views of a table."""
        return await self._done(Watch(id=self.new_id(), table=table, invite=invite))

    async def sit(self, table: str, seat: int | None = None, invite: str | None = None) -> Done:
        """Take a seat, the first free one if none is named."""
        return await self._done(Sit(id=self.new_id(), table=table, seat=seat, invite=invite))

    async def stand(self, table: str, seat: int | None = None) -> Done:
        """Give up the own seat before the start, or free one kept for a bot."""
        return await self._done(Stand(id=self.new_id(), table=table, seat=seat))

    async def ask_bot(self, table: str, seat: int | None = None, level: str = "") -> Done:
        """Ask for a bot on a free seat."""
        return await self._done(AskBot(id=self.new_id(), table=table, seat=seat, level=level))

    async def ready(self, table: str, *, commit: bool = True) -> Done:
        """Say that the own seat is ready; a nonce of one's own goes into the shuffles unless `commit` is false."""
        commitment = self.commit(table) if commit else None
        return await self._done(Ready(id=self.new_id(), table=table, commitment=commitment))

    async def play(self, table: str, decision: int, move: str) -> Done:
        """Answer a decision with a move in the game's notation."""
        return await self._done(Play(id=self.new_id(), table=table, decision=decision, move=move))

    async def next(self, table: str, round: int) -> Done:
        """Ask for the next round, after the result of `round` was read."""
        return await self._done(Next(id=self.new_id(), table=table, round=round))

    async def leave(self, table: str) -> Done:
        """Leave a table for good, and forget it."""
        done = await self._done(Leave(id=self.new_id(), table=table))
        self.forget(table)
        return done

    async def mind(self, table: str, seat: int) -> Done:
        """Vote to have a seat minded whose player is away."""
        return await self._done(Mind(id=self.new_id(), table=table, seat=seat))

    async def rematch(self, table: str) -> Done:
        """Ask for another match; the answer names the new table."""
        return await self._done(Rematch(id=self.new_id(), table=table))

    async def events(self, table: str, since: int = 0, limit: int = MAX_EVENT_STEPS) -> EventLog:
        """What happened after version `since`, one page."""
        return await self._ask(Events(id=self.new_id(), table=table, since=since, limit=limit), EventLog)

    async def legal(self, table: str, offset: int = 0, limit: int = MAX_LEGAL_MOVES) -> LegalMoves:
        """The moves that are open to the own seat, one page."""
        return await self._ask(Legal(id=self.new_id(), table=table, offset=offset, limit=limit), LegalMoves)

    async def lobby(self, *, follow: bool = False) -> LobbyPage:
        """The public tables; with `follow`, changes come among the client's `pushes`."""
        return await self._ask(Lobby(id=self.new_id(), follow=follow), LobbyPage)

    async def serve_bots(self, levels: tuple[str, ...]) -> None:
        """Offer to fill seats; `BotWanted` comes among the client's `pushes`."""
        await self._done(ServeBots(id=self.new_id(), levels=levels))

    async def ping(self) -> None:
        """Wait for a sign of life."""
        await self.request(Ping(id=self.new_id()))

    async def _done(self, command: AnyCommand) -> Done:
        return await self._ask(command, Done)

    async def _ask(self, command: AnyCommand, kind: type[R]) -> R:
        reply = await self.request(command)
        if not isinstance(reply, kind):
            raise Stopped(f"The server answered {type(command).__name__} with {type(reply).__name__}.")
        return reply
