"""One or more hubs on one store, and short ways to what most tests need."""

from collections import Counter
from collections.abc import Callable
from random import Random
from types import TracebackType
from typing import Any, Self

from protocol import commands as said
from protocol.options import TableOptions
from server.hub.hub import TableHub
from server.store.memory import MemoryCore
from server.table.acts import Entry, decode_entry
from server.table.fold import Step, fold
from server.table.minder import minded_move
from server.table.state import Table
from tests.server.hub.meddling import Grave, MeddledStore
from tests.server.hub.peers import FakePeer, new_id
from tests.server.hub.virtual import clock

PAIR = TableOptions(seats=2)
SLOW_PAIR = TableOptions(seats=2, move_seconds=None)
PRIVATE_PAIR = TableOptions(seats=2, private=True)
HOUSE_KEY = "the key of the house"


class House:
    """Hubs that share a store; one alone has it for itself."""

    def __init__(self, hubs: int = 1, **options: Any) -> None:
        self.core = MemoryCore(clock)
        self.grave = Grave()
        self.hubs: list[TableHub] = []
        self.stores: list[MeddledStore] = []
        self._count = hubs
        self._folded: dict[str, list[tuple[bytes, Step]]] = {}
        self._options = {"house_key": HOUSE_KEY, "entropy": Random(1).randbytes, **options}

    async def __aenter__(self) -> Self:
        for _ in range(self._count):
            await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, at: TracebackType | None
    ) -> None:
        self.core.failure = None
        for hub in self.hubs:
            await hub.stop()

    async def open(self) -> TableHub:
        """One more hub: another process, or the same one started again."""
        store = MeddledStore(self.core, exclusive=self._count == 1)
        hub = TableHub(store.store, **self._options)
        await hub.start()
        self.hubs.append(hub)
        self.stores.append(store)
        return hub

    async def kill(self, hub: TableHub) -> None:
        """A process dies, whatever it is in the middle of."""
        index = self.hubs.index(hub)
        del self.hubs[index]
        store = self.stores.pop(index)
        store.before = store.after = self.grave.hang
        self.core.stores.remove(store.inner)
        await hub._clockwork.stop()
        await self.grave.bury()

    @property
    def hub(self) -> TableHub:
        return self.hubs[0]

    @property
    def store(self) -> MeddledStore:
        return self.stores[0]

    async def guest(self, name: str, hub: TableHub | None = None, **more: Any) -> FakePeer:
        """A new player with one connection."""
        peer = FakePeer(hub or self.hub)
        await peer.hello(name, **more)
        return peer

    async def again(self, peer: FakePeer, hub: TableHub | None = None, **more: Any) -> FakePeer:
        """One more connection of the same player."""
        other = FakePeer(hub or peer.hub)
        await other.hello(None, token=peer.token, **more)
        return other

    def steps(self, table: str) -> list[Step]:
        """The table's log, folded from nothing; what has been folded before is not folded again."""
        log = [data for _, data in self.core.logs[table]]
        folded = self._folded.setdefault(table, [])
        if log[: len(folded)] != [data for data, _ in folded]:
            folded.clear()
        for data in log[len(folded) :]:
            folded.append((data, fold(folded[-1][1].table if folded else None, decode_entry(data), table)))
        return [step for _, step in folded]

    def table(self, table: str) -> Table:
        """Where the table stands in the store."""
        return self.steps(table)[-1].table

    def steps_until(self, table: str, version: int) -> Table:
        """How the table stood after some version, as far as the log can be read."""
        state: Table | None = None
        for _, data in self.core.logs[table][:version]:
            state = fold(state, decode_entry(data), table).table
        assert state is not None
        return state

    def entries(self, table: str) -> list[Entry]:
        return [step.entry for step in self.steps(table)]

    def carried_out(self, player: str, id: str) -> int:
        """How many entries of all logs a command made."""
        found: Counter[tuple[str, str]] = Counter()
        for log in self.core.logs.values():
            for cause in (decode_entry(data).cause for _, data in log):
                if cause is not None:
                    found[cause.player, cause.id] += 1
        return found[player, id]

    async def seated(self, *peers: FakePeer, options: TableOptions = PAIR) -> str:
        """A table of the first one, at which all of them sit."""
        made = await peers[0].do(said.Create(id=new_id(), options=options))
        assert made.table is not None
        for peer in peers[1:]:
            await peer.do(said.Sit(id=new_id(), table=made.table, invite=made.invite))
        return made.table

    async def started(self, *peers: FakePeer, options: TableOptions = PAIR) -> str:
        """A running match of all of them."""
        table = await self.seated(*peers, options=options)
        for peer in peers:
            await peer.do(said.Ready(id=new_id(), table=table))
        return table

    def next_play(self, table: str, *, after: int = 0) -> tuple[int, said.Play]:
        """The seat whose move it is, and a legal move of it."""
        state = self.table(table)
        seat = state.to_act[after]
        return seat, said.Play(
            id=new_id(), table=table, decision=state.seats[seat].decision, move=minded_move(state, seat)
        )

    async def play(self, table: str, *peers: FakePeer, until: Callable[[Table], bool]) -> None:
        """Have the peers, who sit at the table in some order, play until it stands as wanted."""
        by_player = {peer.player: peer for peer in peers}
        while not until(self.table(table)):
            state = self.table(table)
            if state.status == "break":
                for peer in peers:
                    await peer.do(said.Next(id=new_id(), table=table, round=state.chances))
            else:
                seat, play = self.next_play(table)
                await by_player[state.seats[seat].player or ""].do(play)

    async def over(self, *peers: FakePeer, options: TableOptions = PAIR) -> str:
        """A match of all of them that is over."""
        table = await self.started(*peers, options=options)
        await self.play(table, *peers, until=lambda state: state.status == "over")
        return table


def is_over(table: Table) -> bool:
    return table.status == "over"


def in_break(table: Table) -> bool:
    return table.status == "break"


def in_play(table: Table) -> bool:
    """Everybody has chosen an orientation, and one seat is to move."""
    return table.status == "running" and table.rules.observe(table.game, None).phase == "play"


def told(house: House, index: int = 0) -> set[str]:
    """The audiences whose views a store hands to its hub."""
    return {audience for _, audience in house.stores[index].inner._subscriptions._on_view}
