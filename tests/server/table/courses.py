"""Courses of whole tables: many players who say anything at any time, and time that passes."""

import contextlib
import hashlib
from random import Random

import pytest

from protocol.commands import AskBot, Leave, Mind, Next, Play, Ready, Reveal, Sit, Stand
from server.table import acts
from server.table.due import deadline, swept
from server.table.minder import minded_move
from server.table.refusal import Refused
from server.table.state import Table
from tests.server.table.desk import BOTS, PEOPLE, Desk, Person

EVERYBODY = (*PEOPLE, *BOTS)
COMMANDS = (Sit, Stand, AskBot, Ready, Reveal, Play, Next, Leave, Mind)


def nonce_of(table: Table, seat: int) -> bytes:
    """The nonce with which a seat of these tests commits: another one after every start that failed."""
    return hashlib.sha256(b"%d %d" % (seat, table.since)).digest()


def committed(desk: Desk, seat: int) -> str:
    return hashlib.sha256(nonce_of(desk.table, seat)).hexdigest()


def seated(*people: Person, **options: object) -> Desk:
    """A table at which these people sit and nobody is ready."""
    desk = Desk(len(people), **options)  # type: ignore[arg-type]  # whatever a desk takes
    for index, person in enumerate(people):
        desk.say(person, Sit, seat=index)
    return desk


def started(*people: Person, nonces: bool = False, **options: object) -> Desk:
    """A table whose match has just been dealt."""
    desk = seated(*people, **options)
    told = {index: nonce_of(desk.table, index) for index in range(len(people))}
    for index, person in enumerate(people):
        desk.say(person, Ready, commitment=committed(desk, index) if nonces else None)
    for index, person in enumerate(people if nonces else ()):
        desk.say(person, Reveal, nonce=told[index].hex())
    assert desk.table.status == "running"
    return desk


def play(desk: Desk, seat: int) -> None:
    """A seat makes a sensible move."""
    desk.say(person_at(desk, seat), Play, decision=desk.table.seats[seat].decision, move=minded_move(desk.table, seat))


def play_until(desk: Desk, *statuses: str) -> None:
    """Everybody plays until the table has one of these statuses; results are read for as long as they may be."""
    while desk.table.status not in statuses:
        if desk.table.status == "break":
            desk.wait(20_000)
        else:
            _turn(desk, min(desk.table.game.actors))


def time_passes_until(desk: Desk, *statuses: str) -> None:
    """Nobody says anything."""
    while desk.table.status not in statuses:
        at = deadline(desk.table)
        assert at is not None
        desk.now = max(desk.now, at)
        assert desk.due()


def _turn(desk: Desk, seat: int) -> None:
    if desk.table.seats[seat].left:
        desk.wait(1_000)
    else:
        play(desk, seat)


def finished(*people: Person, nonces: bool = False, **options: object) -> Desk:
    """A whole match."""
    desk = started(*people, nonces=nonces, **options)
    play_until(desk, "over")
    return desk


def disturb(desk: Desk, random: Random) -> None:
    """Somebody says something, sensible or not; what is refused must change nothing."""
    who = random.choice(EVERYBODY[: len(desk.table.seats) + 2])
    kind = random.choice(COMMANDS)
    if random.random() > 0.1 and kind in (Leave, Stand):
        return
    table = desk.table
    with contextlib.suppress(Refused):
        desk.say(who, kind, **_fields(desk, random, kind, who))
        table = desk.table
    assert desk.table is table
    if random.random() < 0.02:
        desk.go(who)
    if random.random() < 0.1:
        desk.here.add(who.id)


def _fields(desk: Desk, random: Random, kind: type, who: Person) -> dict[str, object]:
    table = desk.table
    own = table.seat_of(who.id) or 0
    seat = table.seats[own]
    if kind in (Sit, Stand):
        return {"seat": random.choice((None, *range(5)))}
    if kind is AskBot:
        return {"seat": random.choice((None, *range(5))), "level": random.choice(("", "greedy"))}
    if kind is Ready:
        return {"commitment": random.choice((None, committed(desk, own), committed(desk, own)))}
    if kind is Reveal:
        return {"nonce": (told_nonce(desk, own) if seat.commitment and random.random() < 0.5 else bytes(32)).hex()}
    if kind is Play:
        move = random.choice(("keep", "turn", "show 1", "show 2-3", "scout left 1", "scout right turned 2", "pass"))
        if table.status == "running" and own in table.game.actors and random.random() < 0.8:
            move = minded_move(table, own)
        return {"decision": max(1, seat.decision + random.choice((0, 0, 0, 0, 0, 0, -1, 1))), "move": move}
    if kind is Next:
        return {"round": max(1, table.chances + random.choice((-1, 0, 0, 1)))}
    if kind is Mind:
        return {"seat": random.randrange(5)}
    return {}


def random_course(random: Random, *, steps: int = 400, **options: object) -> Desk:
    """A table where anything may happen."""
    desk = Desk(**options)  # type: ignore[arg-type]  # whatever a desk takes
    for _ in range(steps):
        if desk.table.ended:
            break
        disturb(desk, random)
        if random.random() < 0.7:
            _go_on(desk, random)
        if random.random() < 0.15:
            _time_passes(desk, random)
    return desk


def _go_on(desk: Desk, random: Random) -> None:
    """Somebody does what the table waits for, so that there is progress amid the noise."""
    table = desk.table
    asked = [index for index in table.to_act if not table.seats[index].left]
    if asked:
        index = random.choice(asked)
        who = person_at(desk, index)
        if table.status == "running":
            play(desk, index)
        elif table.status == "break":
            desk.say(who, Next, round=table.chances)
        elif table.status == "open":
            desk.say(who, Ready, commitment=random.choice((None, committed(desk, index))))
        else:
            desk.say(who, Reveal, nonce=told_nonce(desk, index).hex())
    free = [index for index, seat in enumerate(table.seats) if seat.free and seat.kept is None]
    standing = [who for who in EVERYBODY if table.seat_of(who.id) is None]
    if table.status == "open" and free and random.random() < 0.5:
        index = random.choice(free)
        fitting = [who for who in standing if who.bot or table.seats[index].asked is None]
        for who in random.sample(fitting, min(1, len(fitting))):
            desk.say(who, Sit, seat=index)


def person_at(desk: Desk, index: int) -> Person:
    return next(who for who in EVERYBODY if who.id == desk.table.seats[index].player)


def told_nonce(desk: Desk, index: int) -> bytes:
    """The nonce that the seat has committed to."""
    commitment = desk.table.seats[index].commitment
    return next(nonce for nonce in desk_nonces(desk) if hashlib.sha256(nonce).digest() == commitment)


def desk_nonces(desk: Desk) -> list[bytes]:
    """Every nonce that a seat may have committed to."""
    times = sorted({step.table.since for step in desk.steps})
    return [hashlib.sha256(b"%d %d" % (seat, since)).digest() for since in times for seat in range(5)]


def _time_passes(desk: Desk, random: Random) -> None:
    at = deadline(desk.table)
    if at is not None and random.random() < 0.5:
        desk.now = max(desk.now, at + random.choice((-1, 0, 1)))
    else:
        desk.now += random.choice((1, 500, 5_000, 700_000))
    made = desk.due()
    last_seen = desk.now - (0 if desk.here else 3_600_000)
    if not made and (gone := swept(desk.table, desk.now, last_seen)):
        desk.happen(*gone, by="server")


def rounds(desk: Desk) -> int:
    return sum(isinstance(act, acts.Chance) for step in desk.steps for act in step.entry.acts)


every_number = pytest.mark.parametrize("seats", [2, 3, 4, 5])
