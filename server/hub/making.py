"""How tables come to be: on request, by quick match, and as a rematch. Each is safe to repeat.

The table's id is kept with the command's id before the table is made, so that a repeat finishes what the first try
began, whatever happened in between.
"""

import hashlib

import msgspec

from protocol import errors
from protocol.commands import AnyCommand, Create, Quick, Rematch, Sit
from protocol.values import CORRESPONDENCE_SECONDS
from server.hub.ids import Entropy, new_invite, new_table_id, rematch_id
from server.hub.tables import Answer, Tables
from server.store.base import Player, Store
from server.table import acts
from server.table.acts import AnyAct, Cause
from server.table.chain import commit
from server.table.decide import Asker, decide
from server.table.refusal import Refused
from server.table.state import Table
from server.table.views import Listing, read_listing

MAX_TABLES = 50
"""At how many tables one player may sit at a time."""

_encode = msgspec.msgpack.Encoder().encode


class _Intent(msgspec.Struct, frozen=True, array_like=True):
    digest: bytes
    table: str


_decode_intent = msgspec.msgpack.Decoder(_Intent).decode


def cause_of(player: str, command: AnyCommand) -> Cause:
    """What the log keeps of a command: enough to know it again, and to tell it from another one with its id."""
    return Cause(player, command.id, hashlib.sha256(_encode(command)).digest()[:16])


class Making:
    """Makes tables."""

    def __init__(self, store: Store, tables: Tables, entropy: Entropy) -> None:
        self._store = store
        self._tables = tables
        self._entropy = entropy

    async def create(self, player: Player, command: Create) -> Answer:
        """The table that a command asks for."""
        if command.seat is not None and command.seat >= command.options.seats:
            raise Refused(errors.NO_SUCH_SEAT)
        cause = cause_of(player.id, command)
        table = await self._intended(player, cause, new_table_id(self._entropy))
        return await self._tables.create(table, self._created(player, command), cause)

    async def quick(self, player: Player, command: Quick) -> Answer:
        """A seat at a public table that waits for players, or at a new one."""
        cause = cause_of(player.id, command)
        passed: set[str] = set()
        table = await self._intended(player, cause, await self._candidate(player, command, passed))
        while True:
            try:
                return await self._sit_or_make(player, command, table, cause)
            except Refused as refused:
                if refused.code not in (errors.NO_FREE_SEAT, errors.ALREADY_STARTED, errors.TABLE_CLOSED):
                    raise
            passed.add(table)
            old, new = (
                _Intent(cause.digest, table),
                _Intent(cause.digest, await self._candidate(player, command, passed)),
            )
            kept = await self._store.replace_intent(player.id, command.id, _encode(old), _encode(new))
            await self._store.drop_seat(player.id, table)
            table = _decode_intent(kept).table
            await self._store.add_seat(player.id, table)

    async def rematch(self, player: Player, command: Rematch) -> Answer:
        """The table for another match with the same seats; the first who asks makes it."""
        old = (await self._tables.live(command.table)).table
        assert old is not None
        seat = old.seat_of(player.id)
        if seat is None:
            raise Refused(errors.NOT_SEATED)
        if old.status != "over":
            raise Refused(errors.NOT_OVER)
        new = rematch_id(old.seed, old.id)
        await self._store.add_seat(player.id, new)
        cause = cause_of(player.id, command)
        if old.rematch is None:
            await self._tables.create(new, self._again(player, old), Cause(player.id, f"rematch {old.id}", b""))
            await self._tables.change(
                old.id, lambda table, _, __: () if table.rematch else (acts.Rematched(seat, new),)
            )
        return await self._tables.change(new, lambda table, _, now: _take(table, player, now, seat), cause=cause)

    def _created(self, player: Player, command: Create) -> tuple[AnyAct, ...]:
        options = command.options
        made: list[AnyAct] = [self._creation(player.id, options.seats, command, quick=False)]
        if command.seat is not None:
            made.append(acts.Sat(command.seat, player.id, player.name, player.bot))
        free = [index for index in range(options.seats) if index != command.seat]
        made += [acts.BotAsked(index, command.level) for index in free[len(free) - min(command.bots, len(free)) :]]
        return tuple(made)

    def _creation(self, creator: str, seats: int, command: Create | Quick, *, quick: bool) -> acts.Created:
        seed = self._entropy(32)
        options = command.options if isinstance(command, Create) else Create(id="-").options
        return acts.Created(
            game=options.game,
            variant="",
            seats=seats,
            private=options.private,
            move_seconds=options.move_seconds,
            quick=quick,
            seed=seed,
            commitment=commit(seed),
            invite=new_invite(self._entropy) if options.private else None,
            creator=creator,
        )

    def _again(self, player: Player, old: Table) -> tuple[AnyAct, ...]:
        seed = self._entropy(32)
        options = old.options
        made: list[AnyAct] = [
            acts.Created(
                game=options.game,
                variant=old.variant,
                seats=len(old.seats),
                private=options.private,
                move_seconds=options.move_seconds,
                quick=False,
                seed=seed,
                commitment=commit(seed),
                invite=new_invite(self._entropy) if options.private else None,
                creator=player.id,
                reserved=tuple(
                    None if seat.bot or seat.player is None else acts.Reserved(seat.player, seat.name)
                    for seat in old.seats
                ),
            )
        ]
        made += [acts.BotAsked(index, "") for index, seat in enumerate(old.seats) if seat.bot]
        return tuple(made)

    async def _sit_or_make(self, player: Player, command: Quick, table: str, cause: Cause) -> Answer:
        try:
            return await self._tables.change(table, lambda at, _, now: _take(at, player, now, None), cause=cause)
        except Refused as refused:
            if refused.code is not errors.NO_SUCH_TABLE:
                raise
        seats = command.seats or 4
        made = (
            self._creation(player.id, seats, command, quick=True),
            acts.Sat(0, player.id, player.name, player.bot),
        )
        return await self._tables.create(table, made, cause)

    async def _intended(self, player: Player, cause: Cause, table: str) -> str:
        """The table that this command is about: the given one, or the one that its first try chose."""
        kept = _decode_intent(await self._store.intend(player.id, cause.id, _encode(_Intent(cause.digest, table))))
        if kept.digest != cause.digest:
            raise Refused(errors.ID_REUSED)
        if len(await self._store.seats_of(player.id)) >= MAX_TABLES and await self._store.load(kept.table) is None:
            raise Refused(errors.TOO_MANY_TABLES)
        await self._store.add_seat(player.id, kept.table)
        return kept.table

    async def _candidate(self, player: Player, command: Quick, passed: set[str]) -> str:
        """The table that has waited longest and suits, or the id of a new one."""
        found = [(id, read_listing(data)) for id, data in await self._store.listed()]
        found.sort(key=lambda line: line[1].created)
        for id, listed in found:
            if id not in passed and _suits(listed, command) and await self._all_present(id, listed):
                return id
        return new_table_id(self._entropy)

    async def _all_present(self, id: str, listed: Listing) -> bool:
        seated = [player for _, _, player in listed.seats if player is not None]
        present = await self._store.present(id)
        return bool(seated) and all(player in present.here for player in seated)


def _suits(listed: Listing, command: Quick) -> bool:
    limit = listed.options.move_seconds
    return (
        listed.quick
        and listed.status == "open"
        and command.seats in (None, listed.options.seats)
        and limit is not None
        and limit < CORRESPONDENCE_SECONDS
        and any(player is None for _, _, player in listed.seats)
    )


def _take(table: Table, player: Player, now: int, seat: int | None) -> tuple[AnyAct, ...]:
    """Sit down as if by a `sit`: at a given seat if that is possible, else anywhere."""
    asker = Asker(player.id, player.name, player.bot, now, {})
    if table.seat_of(player.id) is not None:
        return ()
    if table.status == "closed":
        raise Refused(errors.TABLE_CLOSED)
    wanted = seat if seat is not None and seat < len(table.seats) and table.seats[seat].free else None
    return decide(table, Sit(id="-", table=table.id, seat=wanted), asker)
