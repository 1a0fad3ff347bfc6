"""What a server says: one reply for each command (with the command's id in `re`), and pushes of its own."""

from typing import Annotated

from msgspec import Meta, Struct

from protocol.options import TableOptions
from protocol.scout import AnyScoutEvent, ScoutView
from protocol.table_events import AnyTableEvent
from protocol.values import (
    MAX_LOBBY_TABLES,
    By,
    CommandId,
    Decision,
    Hex32,
    Invite,
    Level,
    Name,
    PlayerId,
    Seat,
    Status,
    TableId,
    Token,
    Version,
)

AnyEvent = AnyTableEvent | AnyScoutEvent
Milliseconds = Annotated[int, Meta(ge=0)]


class Message(Struct, frozen=True, kw_only=True, tag_field="kind"):
    """What every message of the server has: its kind."""


class Limits(Struct, frozen=True, kw_only=True):
    """What the server takes.

    Attributes:
        frame_bytes: the largest frame.
        commands_per_second: how many commands a connection may send in the long run.
        burst: how many at once.
        hello_ms: how long the server waits for `hello`.
    """

    frame_bytes: int
    commands_per_second: int
    burst: int
    hello_ms: Milliseconds


class Welcome(Message, frozen=True, kw_only=True, tag="welcome"):
    """The first message on every connection.

    Attributes:
        server: the server's name and version.
        limits: what it takes.
        public_url: the address to be named in links to this server, without a slash at its end; null where its operator
            named none, and then the address of this connection has to do.
    """

    server: str
    limits: Limits
    public_url: str | None = None


class MyTable(Struct, frozen=True, kw_only=True):
    """A table at which the player sits.

    Attributes:
        table: which.
        seat: the own seat there.
        status: what it waits for.
        to_act: whether it waits for the player.
    """

    table: TableId
    seat: Seat
    status: Status
    to_act: bool


class Session(Message, frozen=True, kw_only=True, tag="session"):
    """Answers `hello`.

    Attributes:
        re: the command's id.
        player: the player's public id.
        name: the player's name.
        token: the secret that resumes this player's seats; only when it is new.
        tables: where the player sits; a view of each follows.
    """

    re: CommandId
    player: PlayerId
    name: Name
    token: Token | None
    tables: tuple[MyTable, ...]


class Pong(Message, frozen=True, kw_only=True, tag="pong"):
    """Answers `ping`.

    Attributes:
        re: the command's id.
    """

    re: CommandId


class Done(Message, frozen=True, kw_only=True, tag="done"):
    """The command was carried out, and what it changed is stored.

    Attributes:
        re: the command's id.
        table: the table it concerned, if any.
        version: the table's version that it made, or that it found where it had nothing to change.
        seat: the player's seat there, if any.
        invite: the code of a private table, for those who may know it.
    """

    re: CommandId
    table: TableId | None = None
    version: Version | None = None
    seat: Seat | None = None
    invite: Invite | None = None


class Error(Message, frozen=True, kw_only=True, tag="error"):
    """The command was refused and changed nothing.

    Attributes:
        re: the command's id; null when the frame had none that could be read.
        code: a stable word; see the list of error codes.
        message: one sentence for a person.
        detail: for `illegal_move` and `invalid_move` the engine's own stable word, for example `not_stronger`.
        retry: whether the same command may succeed later.
        after_ms: how long to wait before trying again.
    """

    re: CommandId | None
    code: str
    message: str
    detail: str | None = None
    retry: bool
    after_ms: Milliseconds | None = None


class TableSeat(Struct, frozen=True, kw_only=True):
    """One seat of a table, as everybody may see it.

    Attributes:
        name: who sits there; null while it is free.
        player: the player's public id.
        bot: whether it is a program.
        asked: the kind of bot that was asked for this free seat; null when none was.
        ready: whether it is ready (before the start).
        commitment: what it committed to with `ready`.
        nonce: the nonce, once all were revealed.
        minded: whether the minder plays it.
        left: whether its player left for good.
        next: whether it has asked for the next round (between rounds).
        votes: how many seats want it minded.
        reserved: for whom a free seat of a rematch is kept, by name.
    """

    name: Name | None
    player: PlayerId | None
    bot: bool
    asked: Level | None
    ready: bool
    commitment: Hex32 | None
    nonce: Hex32 | None
    minded: bool
    left: bool
    next: bool
    votes: int
    reserved: Name | None


class View(Message, frozen=True, kw_only=True, tag="view"):
    """A table as its receiver may know it, whole, and what just happened there.

    Attributes:
        table: which table.
        version: how many entries its log has.
        head: the head of the chain of its log, which binds the record to what was shown.
        status: what it waits for.
        options: what it was created with.
        quick: whether quick match made it.
        commitment: binds the server to the seed of all shuffles: SHA-256 of the seed.
        seed: the seed, once the match is over.
        invite: the code of a private table, for its seats.
        seats: its seats.
        you: the receiver's seat; null for a spectator.
        decision: the number of the decision that waits for the receiver; null when none does.
        to_act: the seats that the table waits for.
        deadline_ms: how long until the limit that runs for them runs out; null when none runs.
        bots_offered: whether a client should offer to ask for bots.
        rematch: the table of the rematch, once somebody asked for it.
        closed: why the table was closed, if it was.
        game: the game, once it has started.
        by: who caused what happened.
        events: what happened with this version; empty when the view is sent for another reason.
    """

    table: TableId
    version: Version
    head: Hex32
    status: Status
    options: TableOptions
    quick: bool
    commitment: Hex32
    seed: Hex32 | None
    invite: Invite | None
    seats: tuple[TableSeat, ...]
    you: Seat | None
    decision: Decision | None
    to_act: tuple[Seat, ...]
    deadline_ms: Milliseconds | None
    bots_offered: bool
    rematch: TableId | None
    closed: str | None
    game: ScoutView | None
    by: By
    events: tuple[AnyEvent, ...]


class Presence(Message, frozen=True, kw_only=True, tag="presence"):
    """Who is connected at a table.

    Attributes:
        table: which table.
        seats: for each seat whether its player is connected.
        spectators: how many others watch.
    """

    table: TableId
    seats: tuple[bool, ...]
    spectators: int


class Step(Struct, frozen=True, kw_only=True):
    """What happened with one version of a table.

    Attributes:
        version: the version it made.
        head: the head of the chain after it.
        by: who caused it.
        events: what happened.
    """

    version: Version
    head: Hex32
    by: By
    events: tuple[AnyEvent, ...]


class EventLog(Message, frozen=True, kw_only=True, tag="events"):
    """Answers `events`: every step after `since`, none left out.

    Attributes:
        re: the command's id.
        table: which table.
        since: the version after which it begins.
        steps: the steps, in order and without a gap.
        more: whether there are more; ask again from the last version.
    """

    re: CommandId
    table: TableId
    since: Version
    steps: tuple[Step, ...]
    more: bool


class LegalMoves(Message, frozen=True, kw_only=True, tag="legal"):
    """Answers `legal`.

    Attributes:
        re: the command's id.
        table: which table.
        decision: the decision they answer; null when none waits for the player, and then there are no moves.
        moves: in the game's notation.
        more: whether there are more; ask again with a larger offset.
    """

    re: CommandId
    table: TableId
    decision: Decision | None
    moves: tuple[str, ...]
    more: bool


class LobbySeat(Struct, frozen=True, kw_only=True):
    """One seat of a table in the lobby.

    Attributes:
        name: who sits there; null while it is free.
        bot: whether it is a program.
    """

    name: Name | None
    bot: bool


class LobbyTable(Struct, frozen=True, kw_only=True):
    """One public table.

    Attributes:
        table: which.
        status: what it waits for.
        options: what it was created with.
        seats: its seats.
        spectators: how many watch.
        age_s: seconds since it was created.
    """

    table: TableId
    status: Status
    options: TableOptions
    seats: tuple[LobbySeat, ...]
    spectators: int
    age_s: int


class LobbyPage(Message, frozen=True, kw_only=True, tag="lobby"):
    """The public tables, those that wait for players first, then the running ones, the newest first.

    Attributes:
        re: the command's id; null when it is sent because the page changed.
        tables: at most 100 of them.
    """

    re: CommandId | None
    tables: Annotated[tuple[LobbyTable, ...], Meta(max_length=MAX_LOBBY_TABLES)]


class BotWanted(Message, frozen=True, kw_only=True, tag="bot_wanted"):
    """A seat asks for a bot: whoever serves bots may `sit` there.

    Attributes:
        table: which table.
        seat: which seat.
        level: which kind of bot; empty for any.
        invite: the code of a private table.
    """

    table: TableId
    seat: Seat
    level: Level
    invite: Invite | None


class Closed(Message, frozen=True, kw_only=True, tag="closed"):
    """The table is gone; no more views of it follow.

    Attributes:
        table: which table.
        reason: a stable word.
    """

    table: TableId
    reason: str


class GoingAway(Message, frozen=True, kw_only=True, tag="going_away"):
    """The server stops or restarts; everything acknowledged is stored. Connect again and resume.

    Attributes:
        reason: one sentence for a person.
        after_ms: when to connect again.
    """

    reason: str
    after_ms: Milliseconds


AnyReply = Session | Pong | Done | Error | EventLog | LegalMoves | LobbyPage
AnyPush = Welcome | View | Presence | LobbyPage | BotWanted | Closed | GoingAway
AnyMessage = (
    Welcome
    | Session
    | Pong
    | Done
    | Error
    | View
    | Presence
    | EventLog
    | LegalMoves
    | LobbyPage
    | BotWanted
    | Closed
    | GoingAway
)
