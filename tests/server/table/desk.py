"""A table that a test drives as the hub does: decide, compose, fold; with a clock that only the test moves.

After every step the laws that hold everywhere are checked (`tests.server.table.laws`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest

from protocol.errors import ErrorCode
from protocol.pushes import View
from protocol.values import By
from server.table import acts
from server.table.acts import AnyAct, Reserved
from server.table.chain import commit
from server.table.compose import compose
from server.table.decide import Asker, TableChange, decide
from server.table.due import deadline, due
from server.table.fold import Step
from server.table.refusal import Refused
from server.table.state import Table
from server.table.views import view
from tests.server.table import laws

TABLE = "07k3mnpqrstv"
START = 1_760_000_000_123
SEED = bytes(range(32))
INVITE = "abcd-efgh-jkmn"
SHARE = "share-with-all-0"


class Person(NamedTuple):
    """Somebody at a table."""

    id: str
    name: str
    bot: bool = False


ADA, BEN, CEM, DOT, EVE = PEOPLE = tuple(
    Person(name * 5 + name[0], name.title()) for name in ("ada", "ben", "cem", "dot", "eve")
)
ROBO, HAL = BOTS = (Person("robo" * 4, "Robo", bot=True), Person("hal0" * 4, 'HAL "9000" \\', bot=True))


class Desk:
    """One table and all that happened there."""

    def __init__(
        self,
        seats: int = 3,
        *,
        move_seconds: int | None = 60,
        private: bool = False,
        quick: bool = False,
        seed: bytes = SEED,
        reserved: tuple[Person | None, ...] = (),
        creator: Person = ADA,
    ) -> None:
        self.now = START
        self.last_seen: dict[str, int] = {}
        self.here: set[str] = {person.id for person in (*PEOPLE, *BOTS)}
        self.steps: list[Step] = []
        created = acts.Created(
            game="scout",
            variant="",
            seats=seats,
            private=private,
            move_seconds=move_seconds,
            quick=quick,
            seed=seed,
            commitment=commit(seed),
            invite=INVITE if private else None,
            creator=creator.id,
            reserved=tuple(Reserved(who.id, who.name) if who else None for who in reserved),
            share=SHARE if private else None,
        )
        self.happen(created)

    @property
    def table(self) -> Table:
        return self.steps[-1].table

    @property
    def acts(self) -> tuple[AnyAct, ...]:
        """What the last step consisted of."""
        return self.steps[-1].entry.acts

    def happen(self, *made: AnyAct, by: By = "player") -> None:
        """Commit acts, with all that follows."""
        before = self.table if self.steps else None
        step = compose(TABLE, before, made, self.now, by, present=frozenset(self.here))
        self.steps.append(step)
        laws.holds(before, step)

    def decide(self, who: Person, kind: type[TableChange], **fields: Any) -> tuple[AnyAct, ...]:
        """What a command would make happen."""
        seen = {**self.last_seen, **dict.fromkeys(self.here, self.now)}
        command: Any = kind(id="c", table=TABLE, **fields)
        return decide(self.table, command, Asker(who.id, who.name, who.bot, self.now, seen))

    def say(self, who: Person, kind: type[TableChange], **fields: Any) -> tuple[AnyAct, ...]:
        """Carry out a command. Returns the acts of its step; none where it changed nothing."""
        made = self.decide(who, kind, **fields)
        if not made:
            return ()
        self.happen(*made)
        return self.acts

    def due(self) -> bool:
        """Do what the time makes due, if anything."""
        made = due(self.table, self.now)
        if made:
            minder = any(isinstance(act, acts.Moved) for act in made)
            self.happen(*made, by="minder" if minder else "server")
        return bool(made)

    def wait(self, ms: int) -> tuple[AnyAct, ...]:
        """Let time pass, and what is due happen when it is due. Returns all that happened."""
        end, first = self.now + ms, len(self.steps)
        while (at := deadline(self.table)) is not None and at <= end:
            self.now = max(self.now, at)
            assert self.due()
        self.now = end
        return tuple(act for step in self.steps[first:] for act in step.entry.acts)

    def go(self, *people: Person) -> None:
        """People disconnect."""
        for person in people:
            self.here.discard(person.id)
            self.last_seen[person.id] = self.now

    def view(self, viewer: int | None) -> View:
        """The table as a seat or the public sees it now."""
        return view(self.table, viewer, self.now, 0)

    def decision(self, seat: int) -> int:
        found = self.view(seat).decision
        assert found is not None
        return found


@contextmanager
def refused(code: ErrorCode, match: str | None = None) -> Iterator[pytest.ExceptionInfo[Refused]]:
    """The command inside is refused with this code."""
    with pytest.raises(Refused, match=match) as caught:
        yield caught
    assert caught.value.code is code
