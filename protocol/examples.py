"""One example of every command, message and event, all of one story.

Ada opens a private table for three, with a bot in the last seat; Ben takes the invite. They play three rounds of SCOUT.
The hashes are real: each nonce and the seed fit their commitments.
"""

from dataclasses import dataclass

from protocol import commands, pushes, scout, table_events
from protocol.closing import GOING_AWAY
from protocol.commands import AnyCommand
from protocol.errors import ILLEGAL_MOVE
from protocol.example_views import (
    ADA,
    BREAK,
    COMMITMENT_ADA,
    INVITE,
    NONCE_ADA,
    OPEN,
    OPTIONS,
    ORIENT,
    OVER,
    TABLE,
    TURN,
    WATCHED,
    head,
)
from protocol.options import TableOptions
from protocol.pushes import AnyEvent, AnyMessage
from protocol.values import MAX_FRAME_BYTES

TOKEN = "example-token-of-Ada-0123456789abcdefghijkl"
PUBLIC_TABLE = "p4n8c1z6w3be"
NEXT_TABLE = "r2j5h8y0u7fg"


@dataclass(frozen=True, slots=True)
class Example:
    """A command or message with what it shows.

    Attributes:
        title: what it shows, in a few words.
        message: the command or message.
    """

    title: str
    message: AnyCommand | AnyMessage


COMMAND_EXAMPLES: tuple[Example, ...] = (
    Example("A new guest", commands.Hello(id="a-1", name="Ada", agent="bigtop-python 0.1.0")),
    Example("A sign of life", commands.Ping(id="a-2")),
    Example("Follow the lobby", commands.Lobby(id="a-3", follow=True)),
    Example(
        "A private table for three, with one bot",
        commands.Create(id="a-4", options=OPTIONS, seat=0, bots=1, level="planner"),
    ),
    Example("Any public table with four seats", commands.Quick(id="c-2", seats=4)),
    Example("A bot offers itself", commands.ServeBots(id="b-2", levels=("planner", "greedy"))),
    Example("Watch with an invite", commands.Watch(id="d-2", table=TABLE, invite=INVITE)),
    Example("Ben takes a seat", commands.Sit(id="e-2", table=TABLE, seat=1, invite=INVITE)),
    Example("Give up the own seat", commands.Stand(id="c-5", table=PUBLIC_TABLE)),
    Example("A bot for the first free seat", commands.AskBot(id="c-4", table=PUBLIC_TABLE, level="greedy")),
    Example("Ready, with a nonce", commands.Ready(id="a-5", table=TABLE, commitment=COMMITMENT_ADA)),
    Example("Tell the nonce", commands.Reveal(id="a-6", table=TABLE, nonce=NONCE_ADA)),
    Example(
        "Ada's Scout & Show",
        commands.Play(id="a-10", table=TABLE, decision=2, move="scout right turned 2 show 1-3"),
    ),
    Example("On to the second round", commands.Next(id="a-12", table=TABLE, round=1)),
    Example("Leave", commands.Leave(id="d-3", table=TABLE)),
    Example("Ben's player is away", commands.Mind(id="a-13", table=TABLE, seat=1)),
    Example("Once more", commands.Rematch(id="a-14", table=TABLE)),
    Example("What did I miss?", commands.Events(id="a-11", table=TABLE, since=11, limit=2)),
    Example("The first three legal moves", commands.Legal(id="a-8", table=TABLE, limit=3)),
)
"""One example of every command, in the order of `AnyCommand`."""

MESSAGE_EXAMPLES: tuple[Example, ...] = (
    Example(
        "Greeting",
        pushes.Welcome(
            server="bigtop 0.1.0",
            public_url="https://scout.example.org",
            limits=pushes.Limits(frame_bytes=MAX_FRAME_BYTES, commands_per_second=10, burst=30, hello_ms=10_000),
        ),
    ),
    Example("A new guest", pushes.Session(re="a-1", player=ADA, name="Ada", token=TOKEN, tables=())),
    Example(
        "A player who is back",
        pushes.Session(
            re="f-1",
            player=ADA,
            name="Ada",
            token=None,
            tables=(pushes.MyTable(table=TABLE, seat=0, status="running", to_act=True),),
        ),
    ),
    Example("A sign of life", pushes.Pong(re="a-2")),
    Example("The table is created", pushes.Done(re="a-4", table=TABLE, version=1, seat=0, invite=INVITE)),
    Example("The move is stored", pushes.Done(re="a-10", table=TABLE, version=13, seat=0)),
    Example(
        "A move that the rules do not allow",
        pushes.Error(
            re="a-9",
            code=ILLEGAL_MOVE.code,
            message="The set does not beat the one on the table.",
            detail="not_stronger",
            retry=ILLEGAL_MOVE.retry,
        ),
    ),
    Example("A table that waits for players", OPEN),
    Example("The choice of an orientation", ORIENT),
    Example("Ada's turn", TURN),
    Example("As a spectator sees it", WATCHED),
    Example("Between two rounds", BREAK),
    Example("The match is over", OVER),
    Example("Who is there", pushes.Presence(table=TABLE, seats=(True, True, True), spectators=1)),
    Example(
        "What Ada missed",
        pushes.EventLog(
            re="a-11",
            table=TABLE,
            since=11,
            steps=(
                pushes.Step(version=12, head=head(12), by="player", events=TURN.events),
                pushes.Step(
                    version=13,
                    head=head(13),
                    by="player",
                    events=(
                        scout.ScoutShowed(
                            seat=0,
                            card=(4, 1),
                            right=True,
                            owner=2,
                            cards=((1, 9), (1, 4), (1, 5)),
                            captured=1,
                            move="scout right turned 2 show 1-3",
                        ),
                    ),
                ),
            ),
            more=True,
        ),
    ),
    Example(
        "The first three of 491",
        pushes.LegalMoves(
            re="a-8", table=TABLE, decision=2, moves=("scout left 1", "scout left 2", "scout left 3"), more=True
        ),
    ),
    Example(
        "One table waits for players",
        pushes.LobbyPage(
            re="a-3",
            tables=(
                pushes.LobbyTable(
                    table=PUBLIC_TABLE,
                    status="open",
                    options=TableOptions(),
                    seats=(
                        pushes.LobbySeat(name="Cleo", bot=False),
                        pushes.LobbySeat(name=None, bot=False),
                        pushes.LobbySeat(name=None, bot=False),
                        pushes.LobbySeat(name=None, bot=False),
                    ),
                    spectators=0,
                    age_s=12,
                ),
            ),
        ),
    ),
    Example("Ada's table wants a bot", pushes.BotWanted(table=TABLE, seat=2, level="planner", invite=INVITE)),
    Example("Nobody came", pushes.Closed(table=PUBLIC_TABLE, reason="empty")),
    Example("A restart", pushes.GoingAway(reason=GOING_AWAY.meaning, after_ms=1500)),
)
"""At least one example of every message, in the order of `AnyMessage`."""

EVENT_EXAMPLES: tuple[AnyEvent, ...] = (
    table_events.Created(),
    table_events.Sat(seat=1, name="Ben", bot=False),
    table_events.Stood(seat=1, reason="stood"),
    table_events.BotAsked(seat=2, level="planner"),
    table_events.BotsOffered(),
    table_events.Readied(seat=0, commitment=COMMITMENT_ADA),
    table_events.RevealAsked(),
    table_events.Revealed(seat=1),
    table_events.Started(seats=(0, 1, 2)),
    table_events.Minded(seat=1, reason="voted"),
    table_events.Back(seat=1),
    table_events.SaidNext(seat=0),
    table_events.Voted(seat=0, against=1),
    table_events.RematchMade(seat=0, table=NEXT_TABLE),
    table_events.TableClosed(reason="abandoned"),
    scout.Dealt(round=1, start=2, cards=12),
    scout.Chose(seat=0, move="turn"),
    *TURN.events,
    scout.Scouted(seat=0, card=(8, 7), right=True, owner=1, token=True, move="scout right 10"),
    *WATCHED.events,
    *BREAK.events[1:],
    *OVER.events[2:],
)
"""One example of every event, in the order of `AnyEvent`."""
