"""From a log to a table: the only place where a table's state changes."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from msgspec.structs import replace

from engine.game import CHANCE
from protocol.options import TableOptions
from server.table import acts
from server.table.acts import AnyAct, Entry
from server.table.chain import first_head, next_head
from server.table.state import Keep, Seat, Table
from server.table.text import entry_text


class Impossible(Exception):
    """An entry that cannot follow on what went before: the log is damaged or forged."""


class Transition(NamedTuple):
    """One act, with the table before and after it. `before` is `None` for the creation."""

    before: Table | None
    act: AnyAct
    after: Table


class Step(NamedTuple):
    """One entry, with all that it changed."""

    entry: Entry
    transitions: tuple[Transition, ...]
    table: Table


def empty_seats(seats: Iterable[Seat]) -> tuple[Seat, ...]:
    """The same seats, none of them ready: everybody chooses anew."""
    return tuple(replace(seat, ready=False, commitment=None, nonce=None) for seat in seats)


def create(table: str, act: acts.Created, at: int) -> Table:
    """The table that a creation makes, before anything else happened to it."""
    kept = act.reserved or (None,) * act.seats
    return Table(
        id=table,
        version=0,
        head=first_head(table, act.commitment),
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
        since=at,
    )


def change(id: str, table: Table | None, act: AnyAct, at: int) -> Table:
    """The table after one more act. Raises `Impossible`, or the engine's `MoveError` for a wrong move."""
    if table is None:
        if not isinstance(act, acts.Created):
            raise Impossible("A log begins with a creation.")
        return create(id, act, at)
    if isinstance(act, acts.Created):
        raise Impossible("A table is created once.")
    return _APPLY[type(act)](table, act, at)


def finish(table: Table, version: int, text: str, at: int) -> Table:
    """Close an entry: count it, chain it and note when it happened."""
    head = next_head(table.head, table.seed, version, text)
    return replace(table, version=version, head=head, changed=at)


def fold(table: Table | None, entry: Entry, id: str) -> Step:
    """The step that an entry of table `id` is. Raises `Impossible` or `MoveError` where it cannot follow."""
    transitions = []
    for act in entry.acts:
        after = change(id, table, act, entry.at)
        transitions.append(Transition(table, act, after))
        table = after
    if table is None:
        raise Impossible("An entry has at least one act.")
    table = finish(table, table.version + 1, entry_text(entry, table), entry.at)
    return Step(entry, tuple(transitions), table)


def _change(table: Table, index: int, **changes: Any) -> tuple[Seat, ...]:
    try:
        seat = table.seats[index]
    except IndexError:
        raise Impossible(f"The table has no seat {index}.") from None
    return (*table.seats[:index], replace(seat, **changes), *table.seats[index + 1 :])


def _need(holds: bool, what: str) -> None:
    if not holds:
        raise Impossible(what)


def _seated(table: Table, at: int, seats: tuple[Seat, ...]) -> Table:
    """The table with other people on its seats: waiting and fullness follow."""
    taken = sum(not seat.free for seat in seats)
    waiting = (table.waiting if table.waiting is not None else at) if 0 < taken < len(seats) else None
    full = (table.full if table.full is not None else at) if taken == len(seats) else None
    return replace(table, seats=seats, waiting=waiting, full=full)


def _sat(table: Table, act: acts.Sat, at: int) -> Table:
    _need(table.status == "open" and table.seats[act.seat].free, "Only a free seat can be taken, before the start.")
    seats = _change(table, act.seat, player=act.player, name=act.name, bot=act.bot, asked=None, kept=None)
    return _seated(table, at, seats)


def _stood(table: Table, act: acts.Stood, at: int) -> Table:
    _need(not table.begun, "Nobody stands up in a running match.")
    seats = (*table.seats[: act.seat], Seat(), *table.seats[act.seat + 1 :])
    if table.status == "revealing":
        return replace(_seated(table, at, empty_seats(seats)), status="open", since=at)
    return _seated(table, at, seats)


def _bot_asked(table: Table, act: acts.BotAsked, at: int) -> Table:
    _need(not table.begun and table.seats[act.seat].free, "Only a free seat can be given to a bot.")
    return replace(table, seats=_change(table, act.seat, asked=act.level, kept=None))


def _bots_offered(table: Table, act: acts.BotsOffered, at: int) -> Table:
    return replace(table, bots_offered=True)


def _readied(table: Table, act: acts.Readied, at: int) -> Table:
    _need(table.status == "open" and not table.seats[act.seat].free, "Only a seated player gets ready.")
    return replace(table, seats=_change(table, act.seat, ready=True, commitment=act.commitment))


def _reveal_asked(table: Table, act: acts.RevealAsked, at: int) -> Table:
    _need(table.status == "open", "Nonces are asked for once.")
    return replace(table, status="revealing", since=at)


def _revealed(table: Table, act: acts.Revealed, at: int) -> Table:
    _need(table.status == "revealing", "No nonce is asked for.")
    return replace(table, seats=_change(table, act.seat, nonce=act.nonce))


def _started(table: Table, act: acts.Started, at: int) -> Table:
    _need(not table.begun and table.status in ("open", "revealing"), "A match starts once.")
    _need(all(not table.seats[i].free for i in act.seats), "Only taken seats play.")
    seats = tuple(replace(table.seats[i], since=at) for i in act.seats)
    game = table.rules.initial(len(seats), table.variant)
    options = replace(table.options, seats=len(seats))
    return replace(table, seats=seats, options=options, game=game, status="running", since=at, waiting=None, full=None)


def _chance(table: Table, act: acts.Chance, at: int) -> Table:
    rules = table.rules
    game = rules.apply(table.game, CHANCE, rules.read(act.move))
    seats = tuple(replace(seat, next=False, since=at) for seat in table.seats)
    return replace(table, game=game, seats=seats, status="running", since=at, chances=table.chances + 1)


def _moved(table: Table, act: acts.Moved, at: int) -> Table:
    rules = table.rules
    game = rules.apply(table.game, act.seat, rules.read(act.move))
    waiting = game.actors
    was_waiting = table.game.actors
    seats = tuple(
        replace(seat, decision=seat.decision + 1, since=at, votes=())
        if i == act.seat
        else (replace(seat, since=at) if i in waiting and i not in was_waiting else seat)
        for i, seat in enumerate(table.seats)
    )
    status = table.status
    if not waiting:
        status = "over"
    elif CHANCE in waiting and rules.pauses(game):
        status = "break"
    since = table.since if status == table.status else at
    return replace(table, game=game, seats=seats, status=status, since=since)


def _minded(table: Table, act: acts.Minded, at: int) -> Table:
    _need(table.begun, "Only a running match has minders.")
    left = table.seats[act.seat].left or act.reason == "left"
    return replace(table, seats=_change(table, act.seat, minded=True, left=left, since=at, votes=()))


def _back(table: Table, act: acts.Back, at: int) -> Table:
    _need(table.seats[act.seat].minded and not table.seats[act.seat].left, "Only a minded seat can be taken back.")
    return replace(table, seats=_change(table, act.seat, minded=False, since=at))


def _said_next(table: Table, act: acts.SaidNext, at: int) -> Table:
    _need(table.status == "break", "No result is waiting to be read.")
    return replace(table, seats=_change(table, act.seat, next=True))


def _voted(table: Table, act: acts.Voted, at: int) -> Table:
    votes = (*table.seats[act.against].votes, act.seat)
    return replace(table, seats=_change(table, act.against, votes=votes))


def _rematched(table: Table, act: acts.Rematched, at: int) -> Table:
    _need(table.status == "over", "A rematch comes after the match.")
    return replace(table, rematch=act.table)


def _closed(table: Table, act: acts.Closed, at: int) -> Table:
    return replace(table, status="closed", closed=act.reason, since=at, waiting=None, full=None)


_APPLY: dict[type[Any], Callable[[Table, Any, int], Table]] = {
    acts.Sat: _sat,
    acts.Stood: _stood,
    acts.BotAsked: _bot_asked,
    acts.BotsOffered: _bots_offered,
    acts.Readied: _readied,
    acts.RevealAsked: _reveal_asked,
    acts.Revealed: _revealed,
    acts.Started: _started,
    acts.Chance: _chance,
    acts.Moved: _moved,
    acts.Minded: _minded,
    acts.Back: _back,
    acts.SaidNext: _said_next,
    acts.Voted: _voted,
    acts.Rematched: _rematched,
    acts.Closed: _closed,
}
