"""What a command does at a table: acts, or a refusal. One function for each command.

The order of the checks is always: does the table live, does the player sit there, is it the time for this, is it right.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from engine.errors import IllegalMove, InvalidMove
from protocol import errors
from protocol.commands import AskBot, Leave, Mind, Next, Play, Ready, Reveal, Sit, Stand
from server.table import acts
from server.table.acts import AnyAct
from server.table.chain import commit
from server.table.refusal import Refused
from server.table.state import Seat, Table

AWAY_MS = 10 * 60_000
"""How long a player must be away before the others may have the seat minded, where no limit does it."""

TableChange = Sit | Stand | AskBot | Ready | Reveal | Play | Next | Leave | Mind
"""The commands that change a table."""


class Asker(NamedTuple):
    """Who gives a command, and what is known of the people around the table.

    Attributes:
        player: the public id.
        name: as shown.
        bot: whether it is a program.
        now: the store's time.
        last_seen: when each player of the table was last connected; now for those who are. Only `mind` needs it.
    """

    player: str
    name: str
    bot: bool
    now: int
    last_seen: dict[str, int]


def decide(table: Table, command: TableChange, asker: Asker) -> tuple[AnyAct, ...]:
    """What `command` makes happen; nothing where it changes nothing. Raises `Refused`."""
    if table.status == "closed":
        raise Refused(errors.TABLE_CLOSED)
    made = _DECIDE[type(command)](table, command, asker)
    return made if isinstance(command, (Play, Leave)) else (*back(table, asker.player), *made)


def _own_seat(table: Table, asker: Asker) -> int:
    seat = table.seat_of(asker.player)
    if seat is None:
        raise Refused(errors.NOT_SEATED)
    return seat


def _not_begun(table: Table) -> None:
    if table.begun:
        raise Refused(errors.ALREADY_STARTED)


def _not_left(seat: Seat) -> None:
    if seat.left:
        raise Refused(errors.NOT_ALLOWED, "You left this match.")


def _seat(table: Table, index: int) -> Seat:
    if index >= len(table.seats):
        raise Refused(errors.NO_SUCH_SEAT)
    return table.seats[index]


def back(table: Table, player: str) -> tuple[AnyAct, ...]:
    """A minded seat goes back to its player as soon as that player sends anything.

    Only once while one decision waits, or somebody who sends but never moves would hold up the others for ever. After
    that the minder makes this move, unless the player makes it first.
    """
    seat = table.seat_of(player)
    if seat is None or (table.seats[seat].resumed and seat in table.to_act):
        return ()
    return _back(table, seat)


def _back(table: Table, seat: int) -> tuple[AnyAct, ...]:
    given_back = table.begun and not table.ended and table.seats[seat].minded and not table.seats[seat].left
    return (acts.Back(seat),) if given_back else ()


def _sit(table: Table, command: Sit, asker: Asker) -> tuple[AnyAct, ...]:
    own = table.seat_of(asker.player)
    if own is not None:
        if command.seat in (None, own):
            return ()
        raise Refused(errors.ALREADY_SEATED)
    _not_begun(table)
    if table.status != "open":
        raise Refused(errors.NO_FREE_SEAT)
    seat = _free_seat(table, asker) if command.seat is None else command.seat
    if not _seat(table, seat).free:
        raise Refused(errors.NO_FREE_SEAT)
    kept = table.seats[seat].kept
    if kept is not None and kept.player != asker.player:
        raise Refused(errors.SEAT_RESERVED)
    if table.seats[seat].asked is not None and not asker.bot:
        raise Refused(errors.SEAT_RESERVED, "A bot was asked for this seat.")
    return (acts.Sat(seat, asker.player, asker.name, asker.bot),)


def _free_seat(table: Table, asker: Asker) -> int:
    """The seat for somebody who takes any: one kept for them, else (for a bot) one that asks, else the first."""
    free = [i for i, seat in enumerate(table.seats) if seat.free]
    for i in free:
        kept = table.seats[i].kept
        if kept is not None and kept.player == asker.player:
            return i
    unkept = [i for i in free if table.seats[i].kept is None]
    asked = [i for i in unkept if table.seats[i].asked is not None]
    plain = [i for i in unkept if table.seats[i].asked is None]
    wanted = asked + plain if asker.bot else plain
    if not wanted:
        raise Refused(errors.NO_FREE_SEAT)
    return wanted[0]


def _stand(table: Table, command: Stand, asker: Asker) -> tuple[AnyAct, ...]:
    own = table.seat_of(asker.player)
    if command.seat is None or command.seat == own:
        if own is None:
            return ()
        _not_begun(table)
        return (acts.Stood(own, "stood"),)
    _not_begun(table)
    if own is None and asker.player != table.creator:
        raise Refused(errors.NOT_ALLOWED, "Only those who sit here may free that seat.")
    seat = _seat(table, command.seat)
    if seat.player is not None and not seat.bot:
        raise Refused(errors.NOT_ALLOWED, "Only bots can be sent away.")
    if seat == Seat():
        return ()
    return (acts.Stood(command.seat, "cleared"),)


def _ask_bot(table: Table, command: AskBot, asker: Asker) -> tuple[AnyAct, ...]:
    _not_begun(table)
    if table.status != "open":
        raise Refused(errors.NO_FREE_SEAT)
    if table.seat_of(asker.player) is None and asker.player != table.creator:
        raise Refused(errors.NOT_ALLOWED, "Only those who sit here may ask for bots.")
    if table.quick and not table.bots_offered:
        raise Refused(errors.NOT_ALLOWED, "Quick match waits for people first; bots are offered after 20 seconds.")
    index = command.seat
    if index is None:
        free = [i for i, seat in enumerate(table.seats) if seat.free and seat.asked is None and seat.kept is None]
        if not free:
            raise Refused(errors.NO_FREE_SEAT)
        index = free[0]
    seat = _seat(table, index)
    if not seat.free:
        raise Refused(errors.NO_FREE_SEAT)
    if seat.asked == command.level:
        return ()
    return (acts.BotAsked(index, command.level),)


def _ready(table: Table, command: Ready, asker: Asker) -> tuple[AnyAct, ...]:
    own = _own_seat(table, asker)
    _not_begun(table)
    commitment = bytes.fromhex(command.commitment) if command.commitment else None
    seat = table.seats[own]
    if seat.ready and seat.commitment == commitment:
        return ()
    if table.status != "open":
        raise Refused(errors.NOT_ALLOWED, "All are ready already.")
    return (acts.Readied(own, commitment),)


def _reveal(table: Table, command: Reveal, asker: Asker) -> tuple[AnyAct, ...]:
    own = _own_seat(table, asker)
    nonce = bytes.fromhex(command.nonce)
    seat = table.seats[own]
    if seat.nonce == nonce:
        return ()
    if table.status != "revealing" or seat.commitment is None or seat.nonce is not None:
        raise Refused(errors.NO_REVEAL_DUE)
    if commit(nonce) != seat.commitment:
        raise Refused(errors.WRONG_NONCE)
    return (acts.Revealed(own, nonce),)


def _play(table: Table, command: Play, asker: Asker) -> tuple[AnyAct, ...]:
    own = _own_seat(table, asker)
    if not table.begun:
        raise Refused(errors.NOT_STARTED)
    seat = table.seats[own]
    _not_left(seat)
    if command.decision < seat.decision:
        raise Refused(errors.STALE_DECISION)
    if command.decision > seat.decision or table.status != "running" or own not in table.game.actors:
        raise Refused(errors.NO_DECISION)
    rules = table.rules
    try:
        action = rules.read(command.move)
        rules.check(table.game, own, action)
    except InvalidMove as wrong:
        raise Refused(errors.INVALID_MOVE, wrong.message, detail=wrong.code) from None
    except IllegalMove as wrong:
        raise Refused(errors.ILLEGAL_MOVE, wrong.message, detail=wrong.code) from None
    return (*_back(table, own), acts.Moved(own, rules.write(action), minder=False))


def _next(table: Table, command: Next, asker: Asker) -> tuple[AnyAct, ...]:
    own = _own_seat(table, asker)
    if not table.begun:
        raise Refused(errors.NOT_STARTED)
    _not_left(table.seats[own])
    if command.round < table.chances or (command.round == table.chances and table.status != "break"):
        return ()
    if command.round > table.chances:
        raise Refused(errors.NO_BREAK)
    if table.seats[own].next:
        return ()
    return (acts.SaidNext(own),)


def _leave(table: Table, command: Leave, asker: Asker) -> tuple[AnyAct, ...]:
    own = table.seat_of(asker.player)
    if own is None or table.ended or table.seats[own].left:
        return ()
    if not table.begun:
        return (acts.Stood(own, "stood"),)
    return (acts.Minded(own, "left"),)


def _mind(table: Table, command: Mind, asker: Asker) -> tuple[AnyAct, ...]:
    own = _own_seat(table, asker)
    if not table.begun or table.ended:
        raise Refused(errors.NOT_STARTED if not table.begun else errors.NOT_ALLOWED)
    if table.options.move_seconds is not None:
        raise Refused(errors.NOT_ALLOWED, "At this table the limit minds those who are away.")
    _not_left(table.seats[own])
    seat = _seat(table, command.seat)
    if command.seat == own:
        raise Refused(errors.NOT_ALLOWED, "You are here.")
    if seat.minded:
        return ()
    away = _away_ms(table, seat, asker)
    if away < AWAY_MS:
        raise Refused(errors.NOT_AWAY, after_ms=AWAY_MS - away)
    voters = _voters(table, command.seat, own, asker)
    if own not in voters:
        raise Refused(errors.NOT_ALLOWED, "People decide that.")
    vote = () if own in seat.votes else (acts.Voted(own, command.seat),)
    if 2 * len(voters.intersection((*seat.votes, own))) > len(voters):
        return (*vote, acts.Minded(command.seat, "voted"))
    return vote


def _away_ms(table: Table, seat: Seat, asker: Asker) -> int:
    return asker.now - max(asker.last_seen.get(seat.player or "", table.created), table.since)


def _voters(table: Table, against: int, own: int, asker: Asker) -> set[int]:
    """Who decides about a seat: of the others who play and are not away themselves the people, else the bots."""
    others = {
        index
        for index, seat in enumerate(table.seats)
        if index == own or (index != against and not seat.minded and _away_ms(table, seat, asker) < AWAY_MS)
    }
    return {index for index in others if not table.seats[index].bot} or others


_DECIDE: dict[type[Any], Callable[[Table, Any, Asker], tuple[AnyAct, ...]]] = {
    Sit: _sit,
    Stand: _stand,
    AskBot: _ask_bot,
    Ready: _ready,
    Reveal: _reveal,
    Play: _play,
    Next: _next,
    Leave: _leave,
    Mind: _mind,
}
