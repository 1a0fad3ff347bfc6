"""The part of the protocol page that is told rather than listed."""

from protocol.codec import COMMAND_LIMITS, MESSAGE_LIMITS
from protocol.rendering import table
from protocol.values import (
    CORRESPONDENCE_SECONDS,
    DEFAULT_MOVE_SECONDS,
    MAX_EVENT_STEPS,
    MAX_LEGAL_MOVES,
    MAX_LOBBY_TABLES,
    MAX_MOVE_CHARS,
    MAX_SEATS,
    SUBPROTOCOL_JSON,
    SUBPROTOCOL_MSGPACK,
)

LIMITS = table(
    ("what", "at most"),
    (
        ("a frame to the server", f"{COMMAND_LIMITS.frame_bytes:,} bytes, unless `welcome` says otherwise"),
        ("nesting of a frame to the server", COMMAND_LIMITS.depth),
        ("items in one array or map to the server", f"{COMMAND_LIMITS.items} (MessagePack)"),
        ("a frame to a client: what a client should be ready for", f"{MESSAGE_LIMITS.frame_bytes:,} bytes"),
        ("nesting of a frame to a client", MESSAGE_LIMITS.depth),
        ("items in one array or map to a client", f"{MESSAGE_LIMITS.items:,}"),
        ("version, decision and round in a command", "2⁵³ − 1"),
        ("any other integer", "64 bits"),
        ("seats of a table", MAX_SEATS),
        ("a move", f"{MAX_MOVE_CHARS} characters"),
        ("moves in one answer to `legal`", f"{MAX_LEGAL_MOVES:,}"),
        ("steps in one answer to `events`", MAX_EVENT_STEPS),
        ("tables in a page of the lobby", MAX_LOBBY_TABLES),
        ("time for a move, unless the table says otherwise", f"{DEFAULT_MOVE_SECONDS} s"),
        ("time for a move in live play; from here on it is correspondence", f"{CORRESPONDENCE_SECONDS:,} s"),
    ),
)
"""The table of limits."""

GUIDE = f"""\
# The protocol

What travels between a Bigtop server and its clients: WebSocket messages on `/ws`. Bots, browsers and the terminal
client all speak it, and nothing else is needed to play.

This page is made from the types in `protocol/`, as are [schema.json](protocol/schema.json) (JSON Schema 2020-12) and
[asyncapi.json](protocol/asyncapi.json) (AsyncAPI 3.0). `python -m protocol.document` writes all three.

## Frames

Offer one of two WebSocket subprotocols, or both:

- `{SUBPROTOCOL_MSGPACK}`: each message is one binary frame of MessagePack. For programs.
- `{SUBPROTOCOL_JSON}`: each message is one text frame of JSON. For people with a debugger.

The messages are the same. Each is a map with a `kind`. Whoever gets a message ignores keys it does not know; of equal
keys the last one counts. There are no fractions, no extension types and no binary values, and nothing is converted:
`"3"` and `3.0` are not `3`, and `true` is no number.

A frame that cannot be read, is too large or too deep, is of the wrong type or holds no map closes the connection
(`bad_frame`, `frame_too_large`). A map of an unknown kind or of the wrong form is answered with an `error`
(`unknown_kind`, `bad_message`), and the connection goes on.

A client should skip a message of a kind that it does not know. New kinds of events, and new fields that must not be
ignored, come only with another subprotocol.

## The life of a connection

1. The server speaks first: `welcome`, with what it takes.
2. The client says `hello` in time. Without a token it becomes a new guest; with the token of an earlier session it is
   that player again. The token travels in this frame only, never in a URL.
3. The server answers `session`. A new guest finds its token there, and should keep it: whoever has it is the player.
4. A view of every table at which the player sits follows, with nothing asked.
5. From then on the client sends commands, each of which gets exactly one reply, and the server pushes views and more.

Nothing is lost with a connection. A client that loses it waits a little (longer each time, and not in step with
others), connects again, says `hello` with its token, and sends again every command that has not been answered. Before
a restart the server sends `going_away`, which says when to come back. The [close code](#close-codes) says what to do.

## Ids, and exactly once

Every command has an `id` that the client makes, new for each command; the reply carries it in `re`. Replies come in
any order. A command that changes a table is done once, however often it is sent with the same id, also over another
connection or to another server process: the same id again gets the same answer. With another body at the same table it
is refused (`id_reused`); ids count for each player and table. `done` means stored: what it acknowledges survives any
crash of the server.

So a client that did not get an answer need not wonder whether the command arrived. It sends it again, unchanged.

## Decisions

What a seat is asked is a decision, and has a number, from 1 for each seat and match. The view gives it in `decision`,
and `play` gives it back. A move is stale (`stale_decision`) only if that very decision has been made, by the player
on another device or by a minder. What others do in between, such as choosing their orientation, never makes it stale.

## Views, gaps and events

A table is a log of entries; its `version` is how many there are. After every entry each audience gets its whole view
of the table and, in `events`, what has just happened. Views are small, and the newest one is all a client needs to go
on: after a reconnect, as a new spectator, after falling behind.

Views of a table may be left out when a client reads slowly, but the newest never is, and versions never go back.
Whoever wants all that happened, for a log, for animation or for a bot's memory, compares each version with the last:
if it is not one more, `events` with `since` gives the steps in between. A view with the version that is already
known, and with no events, is sent for another reason than an entry, as an answer to `watch` for example.

## Audiences

Each seat is an audience, and the public is one. A view, an event and an answer hold only what their audience may
know:

- Only its own seat sees `hand`, `turned`, `decision` and the `move` in its events.
- Everybody learns which card was scouted and which were shown, and nobody else where in the hand it went.
- The invite of a private table is told to its seats; tokens are told to their player, once.
- The seed of the shuffles is told to nobody before the match is over. Then everybody may see everything, in the
  record.

## Readiness, commitments and the chain

At its creation a table draws a secret seed of 32 bytes and publishes `commitment`, the SHA-256 of it. With `ready` a
seat may commit to 32 random bytes of its own, a nonce, by sending their SHA-256. When all seats are taken and ready,
and somebody has committed, the status is `revealing`: each of those sends its nonce with `reveal` within 10 s, or its
seat is freed and all say `ready` anew. Then the match starts. Every shuffle follows from the seed and the nonces
together, so that neither the server nor the last one to speak can choose it.

Once the match is over, the view shows the `seed`. Whoever kept the commitment checks it, and recomputes every deal
from the record with `bigtop verify`.

`head` is the head of a hash chain over the log. Keep the heads you were shown: the record contains the same ones, or
it is not the record of what you saw.

## The limits

{LIMITS}

`welcome` tells how many commands a connection may send; who sends more gets `too_fast` with `after_ms`, and who goes
on regardless is disconnected (`flooding`).
"""
"""The page up to the reference."""
