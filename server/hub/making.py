"""How tables come to be: on request, by quick match, and as a rematch. Each is safe to repeat.

The table's id is kept with the command's id before the table is made, so that a repeat finishes what the first try
began, whatever happened in between.
"""

import asyncio
import hashlib

import msgspec

from protocol import errors
from protocol.commands import AnyCommand, Create, Quick, Rematch, Sit
from protocol.options import TableOptions
from server.hub.ids import Entropy, new_invite, new_table_id, rematch_id
from server.hub.matching import announced, candidate
from server.hub.seats import Seats
from server.hub.tables import Answer, Tables
from server.store.base import Player, Present, Store
from server.table import acts
from server.table.acts import AnyAct, Cause
from server.table.chain import commit
from server.table.decide import Asker, decide
from server.table.fold import Step
from server.table.refusal import Refused
from server.table.state import Table

DEFAULT_SEATS = 4
"""How many seats a new table of quick match has for whoever takes any number."""

_MISSED = (errors.NO_FREE_SEAT, errors.ALREADY_STARTED, errors.TABLE_CLOSED)
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

    def __init__(self, store: Store, tables: Tables, seats: Seats, entropy: Entropy) -> None:
        self._store = store
        self._tables = tables
        self._seats = seats
        self._entropy = entropy
        self._matching = asyncio.Lock()

    async def create(self, player: Player, command: Create) -> Answer:
        """The table that a command asks for."""
        if command.seat is not None and command.seat >= command.options.seats:
            raise Refused(errors.NO_SUCH_SEAT)
        cause = cause_of(player.id, command)
        table = await self._intended(player, cause, new_table_id(self._entropy))
        answer = await self._tables.create(table, self._created(player, command), cause)
        await self._seats.note(player.id, table)
        return answer

    async def quick(self, player: Player, command: Quick, connection: str) -> Answer:
        """A seat at a public table that waits for players, or at a new one; with it the player is present there.

        One at a time: else two who come together would both wait at a table of their own.
        """
        async with self._matching:
            answer = await self._quick(player, command)
            await self._store.beat(answer.table.id, connection, player.id)
        return answer

    async def rematch(self, player: Player, command: Rematch) -> Answer:
        """The table for another match with the same seats; the first who asks makes it."""
        old = (await self._tables.live(command.table, sure=True)).table
        assert old is not None
        seat = old.seat_of(player.id)
        if seat is None:
            raise Refused(errors.NOT_SEATED)
        if old.status != "over":
            raise Refused(errors.NOT_OVER)
        new = rematch_id(old.seed, old.id)
        await self._seats.note(player.id, new)
        if old.rematch is None:
            again = self._again(player, old, _levels(await self._tables.steps(old.id)))
            await self._tables.create(new, again, Cause(player.id, f"rematch {old.id}", b""))
            await self._tables.change(
                old.id, lambda table, _, __: () if table.rematch else (acts.Rematched(seat, new),)
            )
        return await self._take(new, player, seat, cause_of(player.id, command))

    async def _quick(self, player: Player, command: Quick) -> Answer:
        cause = cause_of(player.id, command)
        passed: set[str] = set()
        table = await self._intended(player, cause, await self._candidate(command, passed))
        while True:
            try:
                return await self._sit_or_make(player, command, table, cause)
            except Refused as refused:
                if refused.code not in _MISSED:
                    raise
            passed.add(table)
            old, new = _Intent(cause.digest, table), _Intent(cause.digest, await self._candidate(command, passed))
            kept = await self._store.replace_intent(player.id, command.id, _encode(old), _encode(new))
            table = _decode_intent(kept).table
            await self._seats.note(player.id, table)

    async def _sit_or_make(self, player: Player, command: Quick, table: str, cause: Cause) -> Answer:
        try:
            return await self._take(table, player, None, cause)
        except Refused as refused:
            if refused.code is not errors.NO_SUCH_TABLE:
                raise
        options = TableOptions(game=command.game, seats=command.seats or DEFAULT_SEATS)
        made = (
            self._creation(player.id, options, quick=True),
            acts.Sat(0, player.id, player.name, player.bot),
        )
        answer = await self._tables.create(table, made, cause)
        if answer.seat is None:  # somebody else made it in the meantime
            return await self._take(table, player, None, cause)
        await self._seats.note(player.id, table)
        return answer

    async def _take(self, table: str, player: Player, seat: int | None, cause: Cause) -> Answer:
        """Sit down as if by a `sit`: at a given seat if that is possible, else anywhere."""

        def made(table: Table, _: Present, now: int) -> tuple[AnyAct, ...]:
            if table.status == "closed":
                raise Refused(errors.TABLE_CLOSED)
            wanted = seat if seat is not None and seat < len(table.seats) and table.seats[seat].free else None
            if table.seat_of(player.id) is not None:
                return ()
            return decide(table, Sit(id="-", table=table.id, seat=wanted), _asker(player, now))

        answer = await self._tables.change(table, made, cause=cause)
        await self._seats.note(player.id, table)
        return answer

    def _created(self, player: Player, command: Create) -> tuple[AnyAct, ...]:
        options = command.options
        made: list[AnyAct] = [self._creation(player.id, options)]
        if command.seat is not None:
            made.append(acts.Sat(command.seat, player.id, player.name, player.bot))
        free = [index for index in range(options.seats) if index != command.seat]
        made += [acts.BotAsked(index, command.level) for index in free[len(free) - min(command.bots, len(free)) :]]
        return tuple(made)

    def _again(self, player: Player, old: Table, levels: dict[str, str]) -> tuple[AnyAct, ...]:
        """The same seats: kept for whoever came by themselves; the bots that were asked for are asked for again."""
        asked = [levels.get(seat.player or "") for seat in old.seats]
        reserved = tuple(
            acts.Reserved(seat.player, seat.name) if level is None and seat.player is not None else None
            for seat, level in zip(old.seats, asked, strict=True)
        )
        made: list[AnyAct] = [self._creation(player.id, old.options, variant=old.variant, reserved=reserved)]
        made += [acts.BotAsked(index, level) for index, level in enumerate(asked) if level is not None]
        return tuple(made)

    def _creation(
        self,
        creator: str,
        options: TableOptions,
        *,
        quick: bool = False,
        variant: str = "",
        reserved: tuple[acts.Reserved | None, ...] = (),
    ) -> acts.Created:
        seed = self._entropy(32)
        return acts.Created(
            game=options.game,
            variant=variant,
            seats=options.seats,
            private=options.private,
            move_seconds=options.move_seconds,
            quick=quick,
            seed=seed,
            commitment=commit(seed),
            invite=new_invite(self._entropy) if options.private else None,
            creator=creator,
            reserved=reserved,
            share=new_invite(self._entropy) if options.private else None,
        )

    async def _intended(self, player: Player, cause: Cause, table: str) -> str:
        """The table that this command is about: the given one, or the one that its first try chose."""
        kept = _decode_intent(await self._store.intend(player.id, cause.id, _encode(_Intent(cause.digest, table))))
        if kept.digest != cause.digest:
            raise Refused(errors.ID_REUSED)
        await self._seats.make_room(kept.table, cause)
        return kept.table

    async def _candidate(self, command: Quick, passed: set[str]) -> str:
        """The table that has waited longest and suits, or the id of a new one."""
        found = await candidate(self._store, command, passed)
        if found is not None:
            return found
        new = new_table_id(self._entropy)
        return await announced(self._store, self._tables, command.seats or DEFAULT_SEATS, new, passed)


def _asker(player: Player, now: int) -> Asker:
    return Asker(player.id, player.name, player.bot, now, {})


def _levels(steps: list[Step]) -> dict[str, str]:
    """The bots that were asked for, each with the kind that was asked for."""
    levels = {}
    for step in steps:
        for before, act, _ in step.transitions:
            if isinstance(act, acts.Sat) and before is not None:
                asked = before.seats[act.seat].asked
                if asked is not None:
                    levels[act.player] = asked
    return levels
