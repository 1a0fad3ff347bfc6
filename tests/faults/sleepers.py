"""Players who let their time run out, at machines whose clocks are minutes apart.

The time has to run out once, and when the player was told that it would.
"""

import asyncio
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from random import Random

from clients.client import Client
from clients.dialogue import Who
from protocol.options import TableOptions
from protocol.pushes import View
from tests.end_to_end.noting import Log, move_and_note
from tests.faults.notebook import Match

CLOCKS = "clocks"
MOVE_SECONDS = 5
"""The shortest limit that there is."""
EARLY_SECONDS = 0.5
LATE_SECONDS = 2.0
"""By how much a limit may run out earlier or later than it was told, as far as a player on a busy machine can see."""


@dataclass
class Sleeper:
    """Plays at once, but sleeps through some of the first turns.

    Attributes:
        naps: how many turns it still sleeps through.
        log: what was acknowledged.
        late: for each nap, by how many seconds the time ran out later than was told.
    """

    client: Client
    rng: Random
    naps: int
    log: Log = field(default_factory=Log)
    late: list[float] = field(default_factory=list)

    async def play(self, table: str) -> None:
        """Play a match to its end."""
        done, due = 0, None
        async for view in self.client.follow(table):
            shown = time.monotonic()
            self.log.saw(view)
            if view.status == "over":
                self.log.over = True
                return
            if view.you is None or view.game is None:
                continue
            if due is not None and view.seats[view.you].minded:
                self.late.append(shown - due)
                due = None
            if view.status == "break" and not view.seats[view.you].next:
                await self.client.next(table, view.game.round)
            elif view.decision is not None and view.decision != done:
                done = view.decision
                # Who is minded still, has not been seen since the last nap: the minder moves at once.
                if self.naps > 0 and view.game.phase == "play" and not view.seats[view.you].minded:
                    self.naps -= 1
                    due = _due(view, shown)
                else:
                    await move_and_note(self.client, view, self.rng, self.log, shown)


def _due(view: View, shown: float) -> float:
    """When the time of the one who is asked runs out."""
    assert view.deadline_ms is not None
    return shown + view.deadline_ms / 1000


async def sleepers_match(servers: Sequence[str], rng: Random, naps: int) -> tuple[Match, list[float]]:
    """A match between two players, of whom one sleeps. Returns what they noted, and how late each time ran out."""
    async with AsyncExitStack() as stack:
        players: list[Sleeper] = []
        for number, server in enumerate(rng.sample(servers, 2)):
            client = Client(server, Who(name=f"Sleeper {number}", bot=True), patient=True)
            await stack.enter_async_context(client)
            players.append(Sleeper(client, Random(rng.random()), naps if number else 0))
        awake, sleeper = players
        table = (await awake.client.create(TableOptions(seats=2, move_seconds=MOVE_SECONDS))).table
        assert table is not None
        await sleeper.client.sit(table)
        await asyncio.gather(*(player.client.ready(table) for player in players))
        await asyncio.gather(*(player.play(table) for player in players))
    return Match(table, [player.log for player in players]), sleeper.late
