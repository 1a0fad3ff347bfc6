"""One player's dialogue with a server, across all connections it takes; no I/O.

What happens is put in (`opened`, `received`, `lost`, `ask`), what is to be done is taken out: `outgoing` gives the
commands to send, `happened` what the player should hear of. The caller owes four things: to send what `outgoing` gives
after each call, in order; to close the connection when `hang_up` is set; to connect again after `lost` unless the phase
is `STOPPED`, no earlier than `after_ms`; and to call `again` some time after each `Later`.

Commands survive a lost connection: after the next `hello` every unanswered one is sent again with the same id, which
the server answers as it did before, or carries out now. So each is done once.

    OFFLINE ── opened ──> GREETING ── welcome ──> HELLO ── session ──> READY
       ^                                                                 │
       └──────────────────────── lost ───────────────────────────────────┘    STOPPED from anywhere, for good
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from clients.errors import Refused, Stopped
from clients.nonces import Nonces
from protocol import errors
from protocol.closing import CLOSE_CODES, CloseCode
from protocol.commands import AnyCommand, Create, Hello, Leave, Lobby, Quick, Rematch, Reveal, ServeBots, Sit, Watch
from protocol.pushes import (
    AnyMessage,
    AnyReply,
    BotWanted,
    Closed,
    Done,
    Error,
    GoingAway,
    Limits,
    LobbyPage,
    Presence,
    Session,
    View,
    Welcome,
)

PATIENT: Final = frozenset(
    code.code for code in (errors.TOO_FAST, errors.GOING_AWAY, errors.STORE_DOWN, errors.INTERNAL)
)
"""Errors that say nothing about the command itself: it is sent again, with the same id."""
MAX_TRIES: Final = 30
"""How often a command is sent on one connection before such an error is given to whoever asked: for about a minute."""


class Phase(Enum):
    """Where the dialogue stands."""

    OFFLINE = auto()
    GREETING = auto()
    HELLO = auto()
    READY = auto()
    STOPPED = auto()


@dataclass(frozen=True, slots=True)
class Who:
    """Who a client is.

    Attributes:
        name: how the player wants to be called; `None` lets the server choose.
        bot: the player is a program.
        house: the key of the server's own bots.
        agent: the client's name and version.
    """

    name: str | None = None
    bot: bool = False
    house: str | None = None
    agent: str = ""


@dataclass(frozen=True, slots=True)
class Replied:
    """A command was answered."""

    reply: AnyReply


@dataclass(frozen=True, slots=True)
class Later:
    """The command `id` is to be sent again in a while: not before `after_ms`; `tries` tells how often it was sent."""

    id: str
    after_ms: int
    tries: int


@dataclass(frozen=True, slots=True)
class Resumed:
    """The server knows the player. `afresh`: as somebody new, after it did not know the token."""

    session: Session
    afresh: bool


Happening = Replied | Later | Resumed | View | Presence | BotWanted | LobbyPage | Closed | GoingAway


@dataclass(slots=True)
class _Pending:
    command: AnyCommand
    own: bool
    """Made here, not by the player: nobody waits for the answer."""
    tries: int = 0
    resting: bool = False


class Dialogue:
    """See the module."""

    def __init__(
        self,
        who: Who,
        *,
        token: str | None,
        make_id: Callable[[], str],
        make_nonce: Callable[[int], bytes],
    ) -> None:
        self.who = who
        self.token = token
        self.phase = Phase.OFFLINE
        self.failure: Refused | Stopped | None = None
        self.hang_up = False
        self.after_ms = 0
        self.limits: Limits | None = None
        self.public_url: str | None = None
        self.nonces = Nonces(make_nonce)
        self._make_id = make_id
        self._hello_id = ""
        self._introduced = False
        self._afresh = False
        self._pending: dict[str, _Pending] = {}
        self._watched: dict[str, str | None] = {}
        self._offer: tuple[str, ...] | None = None
        self._lobby = False
        self._versions: dict[str, int] = {}
        self._out: list[AnyCommand] = []
        self._happened: list[Happening] = []

    @property
    def stopped(self) -> bool:
        """Whether it is over for good; `failure` tells why."""
        return self.phase is Phase.STOPPED

    def outgoing(self) -> list[AnyCommand]:
        """The commands to send now, in order; each is given once."""
        out, self._out = self._out, []
        return out

    def happened(self) -> list[Happening]:
        """What happened since the last call, in order."""
        happened, self._happened = self._happened, []
        return happened

    def new_id(self) -> str:
        """An id for the next command."""
        return self._make_id()

    def ask(self, command: AnyCommand) -> None:
        """Send a command as soon as possible, and again until it is answered."""
        self._ask(command, own=False)

    def again(self, id: str) -> None:
        """Send a command again that was to be sent `Later`."""
        pending = self._pending.get(id)
        if pending is not None and pending.resting and self.phase is Phase.READY:
            self._send(pending)

    def forget(self, id: str) -> None:
        """Nobody waits for this command any more: do not send it again."""
        self._pending.pop(id, None)

    def opened(self) -> None:
        """A connection was opened. The server speaks first."""
        self.phase = Phase.GREETING
        self.hang_up = False
        self.after_ms = 0

    def lost(self, code: int | None) -> None:
        """The connection was closed, with the server's close `code` if it gave one."""
        self._out.clear()
        if self.phase is Phase.STOPPED:
            return
        self.phase = Phase.OFFLINE
        close = next((close for close in CLOSE_CODES if close.code == code), None)
        if code is not None and 4100 <= code < 4200:
            self._start_afresh()
        elif code is not None and 4500 <= code < 4600:
            self._stop(Stopped(_stop_sentence(code, close), code))

    def received(self, message: AnyMessage) -> None:
        """A message came in."""
        match message:
            case Welcome():
                self._welcomed(message)
            case Session():
                self._resumed(message)
            case Error(re=re) if re is not None and re == self._hello_id and self.phase is Phase.HELLO:
                self._hello_refused(message)
            case Error(re=None):
                pass  # only for frames that could not be read; whatever it was, it is sent again after a reconnect
            case View():
                self._saw(message)
            case LobbyPage(re=None) | Presence() | BotWanted():
                self._happened.append(message)
            case GoingAway():
                self.after_ms = message.after_ms
                self._happened.append(message)
            case Closed():
                self._forget_table(message.table)
                self._happened.append(message)
            case _:
                self._answered(message)

    def _welcomed(self, welcome: Welcome) -> None:
        if self.phase is not Phase.GREETING:
            return
        self.phase = Phase.HELLO
        self.limits = welcome.limits
        self.public_url = welcome.public_url
        self._hello_id = self._make_id()
        known = self._introduced and self.token is not None
        name = None if known else self.who.name
        who = self.who
        self._out.append(
            Hello(id=self._hello_id, token=self.token, name=name, bot=who.bot, house=who.house, agent=who.agent)
        )

    def _resumed(self, session: Session) -> None:
        if self.phase is not Phase.HELLO:
            return
        self.phase = Phase.READY
        self._introduced = True
        if session.token is not None:
            self.token = session.token
        self._happened.append(Resumed(session, self._afresh))
        self._afresh = False
        self._ask_for_what_was_followed({table.table for table in session.tables})
        for pending in self._pending.values():
            pending.tries = 0
            self._send(pending)

    def _ask_for_what_was_followed(self, seated: set[str]) -> None:
        """What the server keeps for a connection only; it sends the views of the player's own tables by itself."""
        asked = {item.command.table for item in self._pending.values() if isinstance(item.command, Watch)}
        for table, invite in self._watched.items():
            if table not in seated and table not in asked:
                self._enter(Watch(id=self._make_id(), table=table, invite=invite), own=True)
        kinds = {type(item.command) for item in self._pending.values()}
        if self._offer is not None and ServeBots not in kinds:
            self._enter(ServeBots(id=self._make_id(), levels=self._offer), own=True)
        if self._lobby and Lobby not in kinds:
            self._enter(Lobby(id=self._make_id(), follow=True), own=True)

    def _hello_refused(self, error: Error) -> None:
        self.hang_up = True
        if error.code == errors.TOKEN_UNKNOWN.code:
            self._start_afresh()
        elif error.retry:
            self.after_ms = error.after_ms or 0
        else:
            self._stop(Refused(error))

    def _start_afresh(self) -> None:
        """The server knows no such player: commands in flight were that player's, and cannot be repeated."""
        if self.token is None:
            return
        self.token = None
        self._afresh = True
        self._versions.clear()
        self.nonces.clear()
        unanswered, self._pending = self._pending, {}
        for id, pending in unanswered.items():
            if not pending.own:
                self._happened.append(Replied(_error(id, errors.TOKEN_UNKNOWN)))

    def _stop(self, failure: Refused | Stopped) -> None:
        self.phase = Phase.STOPPED
        self.failure = failure
        self._out.clear()

    def _saw(self, view: View) -> None:
        """Never give an older view after a newer one."""
        if view.version < self._versions.get(view.table, 0):
            return
        self._versions[view.table] = view.version
        self._happened.append(view)
        nonce = self.nonces.reveal(view)
        if nonce is not None:
            self._ask(Reveal(id=self._make_id(), table=view.table, nonce=nonce), own=True)

    def _answered(self, reply: AnyReply) -> None:
        pending = self._pending.get(reply.re) if reply.re is not None else None
        if pending is None:
            return
        if isinstance(reply, Error) and reply.code in PATIENT and (pending.own or pending.tries < MAX_TRIES):
            pending.resting = True
            self._happened.append(Later(pending.command.id, reply.after_ms or 0, pending.tries))
            return
        del self._pending[pending.command.id]
        if not isinstance(reply, Error):
            self._remember(pending.command, reply)
        elif pending.own and isinstance(pending.command, Watch):
            self._forget_table(pending.command.table)
            self._happened.append(Closed(table=pending.command.table, reason=reply.code))
        if not pending.own:
            self._happened.append(Replied(reply))

    def _remember(self, command: AnyCommand, reply: AnyReply) -> None:
        """What has to be asked for again on the next connection."""
        match command:
            case ServeBots(levels=levels):
                self._offer = levels
            case Lobby(follow=follow):
                self._lobby = follow
            case Leave(table=table):
                self._forget_table(table)
            case Watch() | Sit() | Create() | Quick() | Rematch() if (
                isinstance(reply, Done) and reply.table is not None
            ):
                invite = command.invite if isinstance(command, Watch | Sit) else None
                self._watched[reply.table] = reply.invite or invite

    def _forget_table(self, table: str) -> None:
        self._watched.pop(table, None)
        self._versions.pop(table, None)
        self.nonces.forget(table)

    def _ask(self, command: AnyCommand, *, own: bool) -> None:
        pending = self._enter(command, own=own)
        if self.phase is Phase.READY:
            self._send(pending)

    def _enter(self, command: AnyCommand, *, own: bool) -> _Pending:
        pending = self._pending[command.id] = _Pending(command, own)
        return pending

    def _send(self, pending: _Pending) -> None:
        pending.resting = False
        pending.tries += 1
        self._out.append(pending.command)


def _error(re: str, code: errors.ErrorCode) -> Error:
    return Error(re=re, code=code.code, message=code.meaning, retry=code.retry)


def _stop_sentence(code: int, close: CloseCode | None) -> str:
    return f"The server ended the connection for good: {close.meaning if close else f'code {code}.'}"


__all__ = ["MAX_TRIES", "PATIENT", "Dialogue", "Happening", "Later", "Phase", "Replied", "Resumed", "Who"]
