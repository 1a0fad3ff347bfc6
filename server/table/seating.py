"""What the acts up to the start do to a table: how it is made, who sits, who is ready, whose nonces go in.

The conditions matter beyond bugs: `bigtop verify` folds a record through them, so that a server cannot write one in
which it started without a nonce that was committed to, or chose who plays after it knew the nonces.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from engine.games import GAMES
from protocol.options import TableOptions
from server.table import acts
from server.table.chain import commit, first_head
from server.table.impossible import need, seat_at, with_seat
from server.table.state import Keep, Seat, Table


def create(table: str, act: acts.Created, at: int) -> Table:
    """The table that a creation makes, before anything else happened to it."""
    need(act.game in GAMES, "There is no such game.")
    rules = GAMES[act.game]
    need(act.variant in rules.variants and act.seats in rules.seats, "The game is not played like this.")
    need(len(act.reserved) in (0, act.seats), "Every seat is kept for somebody or for nobody.")
    kept = act.reserved or (None,) * act.seats
    return Table(
        id=table,
        version=0,
        head=first_head(table, act.commitment, at),
        status="open",
        options=TableOptions(
            game=act.game,  # type: ignore[arg-type]  # the log's names are the protocol's
            seats=act.seats,
            private=act.private,
            move_seconds=act.move_seconds,
        ),
        variant=act.variant,
        quick=act.quick,
        seed=act.seed,
        commitment=act.commitment,
        invite=act.invite,
        creator=act.creator,
        created=at,
        changed=at,
        seats=tuple(Seat(kept=Keep(who.player, who.name) if who else None) for who in kept),
        share=act.share,
        since=at,
    )


def _seated(table: Table, at: int, seats: tuple[Seat, ...]) -> Table:
    """The table with other people on its seats: waiting and fullness follow."""
    taken = sum(not seat.free for seat in seats)
    waiting = (table.waiting if table.waiting is not None else at) if 0 < taken < len(seats) else None
    full = (table.full if table.full is not None else at) if taken == len(seats) else None
    return replace(table, seats=seats, waiting=waiting, full=full)


def _unready(seats: Iterable[Seat]) -> tuple[Seat, ...]:
    """The same seats, none of them ready: everybody chooses anew."""
    return tuple(replace(seat, ready=False, commitment=None, nonce=None) for seat in seats)


def _may_begin(table: Table) -> bool:
    """Whether those who sit here are enough, and ready."""
    taken = [seat for seat in table.seats if not seat.free]
    return len(taken) in table.rules.seats and all(seat.ready for seat in taken)


def sat(table: Table, act: acts.Sat, at: int) -> Table:
    """Somebody sits down."""
    need(table.status == "open" and seat_at(table, act.seat).free, "Only a free seat can be taken, before the start.")
    need(table.seat_of(act.player) is None, "Nobody sits on two seats.")
    seats = with_seat(table, act.seat, player=act.player, name=act.name, bot=act.bot, asked=None, kept=None)
    return _seated(table, at, seats)


def stood(table: Table, act: acts.Stood, at: int) -> Table:
    """A seat gets free; where nonces were being told, all choose anew."""
    need(not table.begun, "Nobody stands up in a running match.")
    need(seat_at(table, act.seat) != Seat(), "Nobody and nothing is on that seat.")
    seats = (*table.seats[: act.seat], Seat(), *table.seats[act.seat + 1 :])
    if table.status == "revealing":
        return replace(_seated(table, at, _unready(seats)), status="open", since=at)
    return _seated(table, at, seats)


def bot_asked(table: Table, act: acts.BotAsked, at: int) -> Table:
    """A free seat waits for a bot."""
    need(table.status == "open" and seat_at(table, act.seat).free, "Only a free seat can be given to a bot.")
    return replace(table, seats=with_seat(table, act.seat, asked=act.level, kept=None))


def bots_offered(table: Table, act: acts.BotsOffered, at: int) -> Table:
    """Bots may be asked for."""
    need(table.status == "open", "Bots are offered before the start.")
    return replace(table, bots_offered=True)


def readied(table: Table, act: acts.Readied, at: int) -> Table:
    """A seat is ready, or commits to another nonce as long as nobody told theirs."""
    need(table.status == "open" and not seat_at(table, act.seat).free, "Only a seated player gets ready.")
    return replace(table, seats=with_seat(table, act.seat, ready=True, commitment=act.commitment))


def reveal_asked(table: Table, act: acts.RevealAsked, at: int) -> Table:
    """From now on no commitment changes, and nobody comes."""
    need(table.status == "open" and _may_begin(table), "Nonces are asked for when all are ready.")
    need(any(seat.commitment is not None for seat in table.seats), "Nobody has committed to a nonce.")
    return replace(table, status="revealing", since=at)


def revealed(table: Table, act: acts.Revealed, at: int) -> Table:
    """A nonce that fits."""
    seat = seat_at(table, act.seat)
    need(table.status == "revealing" and seat.commitment is not None and seat.nonce is None, "No nonce is asked for.")
    need(commit(act.nonce) == seat.commitment, "The nonce does not fit the commitment.")
    return replace(table, seats=with_seat(table, act.seat, nonce=act.nonce))


def started(table: Table, act: acts.Started, at: int) -> Table:
    """The match begins with everybody who sits here."""
    taken = tuple(index for index, seat in enumerate(table.seats) if not seat.free)
    need(not table.begun and act.seats == taken and _may_begin(table), "A match starts once, when all are ready.")
    committed = [seat for seat in table.seats if seat.commitment is not None]
    need(all(seat.nonce is not None for seat in committed), "A nonce that was committed to is missing.")
    seats = tuple(replace(table.seats[index], since=at) for index in taken)
    game = table.rules.initial(len(seats), table.variant)
    options = replace(table.options, seats=len(seats))
    return replace(table, seats=seats, options=options, game=game, status="running", since=at, waiting=None, full=None)
