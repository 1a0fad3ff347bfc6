"""What a client may say. Every command has an `id`, and gets exactly one reply with that id in `re`.

A command that changes a table is done once, however often it is sent with the same id; with the same id and another
body it is refused.
"""

from typing import Annotated

from msgspec import Meta, Struct

from protocol.options import TableOptions
from protocol.values import (
    MAX_EVENT_STEPS,
    MAX_INTEGER,
    MAX_LEGAL_MOVES,
    MAX_MOVE_CHARS,
    MAX_SEATS,
    CommandId,
    Decision,
    GameName,
    Hex32,
    Invite,
    Level,
    Name,
    Seat,
    TableId,
    Token,
    Version,
)


class Command(Struct, frozen=True, kw_only=True, tag_field="kind"):
    """What every command has.

    Attributes:
        id: made by the client, new for each command.
    """

    id: CommandId


class Hello(Command, frozen=True, kw_only=True, tag="hello"):
    """The first frame of every connection: who is there. Answered with `session`.

    With a token it resumes: the player's seats are theirs again, and a view of each of their tables follows. Without
    one a new guest is made.

    Attributes:
        token: from an earlier `session`; null for a new guest.
        name: how the player wants to be called; null keeps the name, or has the server choose one.
        bot: the player is a program, and is shown as one.
        house: the key of the server's own bots; null for everybody else.
        agent: the client's name and version, for the server's operator.
    """

    token: Token | None = None
    name: Name | None = None
    bot: bool = False
    house: Annotated[str, Meta(max_length=64)] | None = None
    agent: Annotated[str, Meta(max_length=64)] = ""


class Ping(Command, frozen=True, kw_only=True, tag="ping"):
    """Asks for a sign of life. Answered with `pong`."""


class Lobby(Command, frozen=True, kw_only=True, tag="lobby"):
    """Asks for the page of public tables. Answered with `lobby`.

    Attributes:
        follow: also send the page whenever it changes, at most once a second, until `lobby` with false.
    """

    follow: bool = False


class Create(Command, frozen=True, kw_only=True, tag="create"):
    """Creates a table. Answered with `done`, which names it; its view follows.

    Attributes:
        options: what kind of table.
        seat: where the creator sits down; null to stay a spectator.
        bots: for how many of the other seats a bot is asked, the last seats first.
        level: which kind of bot.
    """

    options: TableOptions = TableOptions()
    seat: Seat | None = 0
    bots: Annotated[int, Meta(ge=0, le=MAX_SEATS)] = 0
    level: Level = ""


class Quick(Command, frozen=True, kw_only=True, tag="quick"):
    """Sits down at a public table that waits for players and whose people are present, or at a new one.

    Answered with `done`, which names table and seat. The client then says `ready`. A full table starts after 10 s with
    those who are ready; after 20 s of waiting, bots are offered.

    Attributes:
        game: the game.
        seats: for how many players; null for any number.
    """

    game: GameName = "scout"
    seats: Annotated[int, Meta(ge=2, le=MAX_SEATS)] | None = None


class TableCommand(Command, frozen=True, kw_only=True):
    """What every command to a table has.

    Attributes:
        table: the table it is for.
    """

    table: TableId


class Watch(TableCommand, frozen=True, kw_only=True, tag="watch"):
    """Asks for the views of a table, as its seat or as a spectator. Answered with `done`; the newest view follows.

    Attributes:
        invite: the code of a private table; not needed by its seats.
    """

    invite: Invite | None = None


class Sit(TableCommand, frozen=True, kw_only=True, tag="sit"):
    """Takes a free seat before the start. The player then also gets its views.

    Attributes:
        seat: which seat; null for the first free one.
        invite: the code of a private table.
    """

    seat: Seat | None = None
    invite: Invite | None = None


class Stand(TableCommand, frozen=True, kw_only=True, tag="stand"):
    """Gives up a seat before the start.

    Attributes:
        seat: a seat held by, or asked for, a bot, to free it again; null for the own seat.
    """

    seat: Seat | None = None


class AskBot(TableCommand, frozen=True, kw_only=True, tag="ask_bot"):
    """Asks for a bot on a free seat before the start; for those who sit there, and for the creator.

    Attributes:
        seat: which seat; null for the first free one.
        level: which kind of bot; empty for any.
    """

    seat: Seat | None = None
    level: Level = ""


class Ready(TableCommand, frozen=True, kw_only=True, tag="ready"):
    """Says that this seat is ready. The match starts when all seats are taken and ready.

    Attributes:
        commitment: SHA-256 of 32 random bytes of the client's own, which then go into every shuffle; they are asked for
            with status `revealing` and told with `reveal`. Null to leave the shuffles to the others.
    """

    commitment: Hex32 | None = None


class Reveal(TableCommand, frozen=True, kw_only=True, tag="reveal"):
    """Tells the 32 bytes that were committed to with `ready`, within 10 s after all were ready.

    Attributes:
        nonce: the 32 bytes.
    """

    nonce: Hex32


class Play(TableCommand, frozen=True, kw_only=True, tag="play"):
    """Makes a move.

    Attributes:
        decision: the number of the decision that it answers, from the view. A move for an earlier one is stale.
        move: in the game's notation, for example `show 3-5`.
    """

    decision: Decision
    move: Annotated[str, Meta(max_length=MAX_MOVE_CHARS)]


class Next(TableCommand, frozen=True, kw_only=True, tag="next"):
    """Asks for the next round. It is dealt when all present people have asked, or after 20 s.

    Attributes:
        round: the round whose result was read, from 1.
    """

    round: Annotated[int, Meta(ge=1, le=MAX_INTEGER)]


class Leave(TableCommand, frozen=True, kw_only=True, tag="leave"):
    """Leaves for good: a seat before the start is freed, one in a running match is minded to the end; a spectator gets
    no more views."""


class Mind(TableCommand, frozen=True, kw_only=True, tag="mind"):
    """Votes, at a table without a limit, to have a seat minded whose player has been away for 10 minutes.

    Attributes:
        seat: the seat whose player is away.
    """

    seat: Seat


class Rematch(TableCommand, frozen=True, kw_only=True, tag="rematch"):
    """Asks for another match with the same seats, once this one is over. Answered with `done`, which names the new
    table, where the asker sits in the old seat; bots are asked again."""


class Events(TableCommand, frozen=True, kw_only=True, tag="events"):
    """Asks for what happened since a version, as this player may know it. Answered with `events`.

    Attributes:
        since: the last version that is known.
        limit: the most steps wanted.
    """

    since: Version = 0
    limit: Annotated[int, Meta(ge=1, le=MAX_EVENT_STEPS)] = MAX_EVENT_STEPS


class Legal(TableCommand, frozen=True, kw_only=True, tag="legal"):
    """Asks for the moves that are open to the own seat. Answered with `legal`.

    Attributes:
        offset: how many moves to leave out first.
        limit: the most moves wanted.
    """

    offset: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    limit: Annotated[int, Meta(ge=1, le=MAX_LEGAL_MOVES)] = MAX_LEGAL_MOVES


class ServeBots(Command, frozen=True, kw_only=True, tag="serve_bots"):
    """Offers to fill seats that ask for a bot; answered with `done`, then with `bot_wanted` for each such seat.

    The house bots hear of every table, other bots of public ones.

    Attributes:
        levels: the kinds of bot on offer, best first.
    """

    levels: Annotated[tuple[Level, ...], Meta(min_length=1, max_length=16)]


AnyTableCommand = Watch | Sit | Stand | AskBot | Ready | Reveal | Play | Next | Leave | Mind | Rematch | Events | Legal
AnyCommand = Hello | Ping | Lobby | Create | Quick | ServeBots | AnyTableCommand
