"""A virtual network with a seed between clients and hubs.

Messages are delayed and reordered between connections, never within one; connections are cut at any message; what the
hubs publish to each other is delayed, reordered and dropped; hubs die and are replaced. Whatever happens is decided by
the seed, and written to a trace.
"""

import asyncio
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import Protocol

import msgspec

from protocol.commands import AnyCommand
from protocol.pushes import AnyMessage, View
from server.hub.hub import TableHub
from server.hub.ids import Entropy
from server.store.memory import Delivery, MemoryCore
from tests.server.hub.meddling import Grave, MeddledStore
from tests.server.hub.virtual import clock

_view = msgspec.msgpack.Decoder(View)


@dataclass(frozen=True)
class Weather:
    """How bad the network is: chances from 0 to 1, times in seconds.

    Attributes:
        delay: the longest time that a message takes.
        store_delay: the longest time that an operation of the store takes, there and back.
        cut: how likely each message is the last one of its connection.
        drop: how likely it is that what a hub publishes does not reach another one.
        crash: how likely a cut is due to the death of the hub.
    """

    delay: float = 0.2
    store_delay: float = 0.01
    cut: float = 0.0
    drop: float = 0.0
    crash: float = 0.0


class Receiver(Protocol):
    """The client's end of a link."""

    def receive(self, link: "Link", message: AnyMessage) -> None:
        """A message has arrived."""

    def lost(self, link: "Link") -> None:
        """The connection is no more."""


class World:
    """Hubs that share a store, and the network around them."""

    def __init__(self, random: Random, hubs: int, weather: Weather) -> None:
        self.random = random
        self.weather = weather
        self.core = MemoryCore(clock)
        self.core.deliver = self._deliver
        self.trace: list[str] = []
        self.links: list[Link] = []
        self.tasks: set[asyncio.Task[None]] = set()
        self.message = count()
        self.cut_at: int | None = None
        self._exclusive = hubs == 1
        self.entropy: Entropy = Random(random.getrandbits(64)).randbytes
        self.hubs: list[TableHub] = []
        self.stores: list[MeddledStore] = []
        self._grave = Grave()
        self._dead: list[TableHub] = []
        self._wanted = hubs

    async def start(self) -> None:
        for _ in range(self._wanted):
            await self._new_hub()

    async def stop(self) -> None:
        for hub in self.hubs:
            await hub.drain("the end", 0)
            await hub.stop()
        for hub in self._dead:
            await hub._clockwork.stop()
        await self._grave.bury()

    def note(self, what: str) -> None:
        self.trace.append(f"{asyncio.get_running_loop().time():9.3f} {what}")

    def connect(self, client: Receiver, name: str) -> "Link":
        link = Link(self, client, self.random.choice(self.hubs), name)
        self.links.append(link)
        self.spawn(link.serve())
        return link

    def spawn(self, work: "asyncio._CoroutineLike[None]") -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    async def crash(self, hub: TableHub) -> None:
        """A process dies in the middle of whatever it does, and another one takes its place."""
        if hub not in self.hubs:
            return
        self.note("a hub dies")
        index = self.hubs.index(hub)
        store = self.stores.pop(index)
        self._dead.append(self.hubs.pop(index))
        store.before = self._grave.hang
        store.after = self._grave.hang
        self.core.stores.remove(store.inner)
        for link in self.links:
            if link.hub is hub:
                link.cut(gone=False)
        await self._new_hub()

    async def _new_hub(self) -> None:
        store = MeddledStore(self.core, exclusive=self._exclusive)
        hub = TableHub(store.store, entropy=self.entropy)
        await hub.start()
        store.before = store.after = self._store_delay
        self.hubs.append(hub)
        self.stores.append(store)

    async def _store_delay(self, name: str) -> None:
        await asyncio.sleep(self.random.uniform(0, self.weather.store_delay / 2))

    def _deliver(self, delivery: Delivery) -> None:
        if self._exclusive:
            delivery.hand_over()
        elif self.random.random() >= self.weather.drop:
            asyncio.get_running_loop().call_later(self.random.uniform(0, self.weather.delay), delivery.hand_over)


class Link:
    """One connection; the hub knows it as a `Peer`."""

    def __init__(self, world: World, client: Receiver, hub: TableHub, name: str) -> None:
        self.world = world
        self.client = client
        self.hub = hub
        self.id = f"{name}/{len(world.links)}"
        self.open = True
        self._inbox: asyncio.Queue[AnyCommand | None] = asyncio.Queue()
        self._up = self._down = 0.0
        self._sent: dict[str, int] = {}
        self._serving: asyncio.Task[None] | None = None

    async def serve(self) -> None:
        """The server's end: hand over one command after the other."""
        self._serving = asyncio.current_task()
        try:
            while (command := await self._inbox.get()) is not None:
                await self.hub.handle(self, command)
        except asyncio.CancelledError:
            self.world.note(f"{self.id} is cancelled")
        if self.hub in self.world.hubs:
            await self.hub.gone(self)
            self.world.note(f"{self.id} is gone")

    def command(self, command: AnyCommand) -> None:
        """The client's end: send a command."""
        if self._travels(">", command):
            self._up = self._arrival(self._up)
            asyncio.get_running_loop().call_at(self._up, self._inbox.put_nowait, command)

    def cut(self, *, gone: bool = True) -> None:
        """Both ends lose each other; what is on its way is lost. `gone`: the hub lives, and hears of it."""
        if not self.open:
            return
        self.open = False
        self.world.note(f"{self.id} is cut")
        loop, random = asyncio.get_running_loop(), self.world.random
        loop.call_later(random.uniform(0, 1), self.client.lost, self)
        if gone:
            loop.call_later(random.uniform(0, 2), random.choice((self._hang_up, self._cancel)))

    def send(self, message: AnyMessage) -> None:
        if self._travels("<", message):
            self._down = self._arrival(self._down)
            asyncio.get_running_loop().call_at(self._down, self._arrive, message)

    def send_view(self, table: str, version: int, seated: bool, frame: bytes) -> None:
        view = _view.decode(frame)
        assert (view.table, view.version, view.you is not None) == (table, version, seated)
        if version >= self._sent.get(table, 0):
            self._sent[table] = version
            self.send(view)

    def send_latest(self, key: str, message: AnyMessage) -> None:
        self.send(message)

    def close(self, code: int, reason: str) -> None:
        raise AssertionError(f"closed with {code} {reason}")

    def _travels(self, direction: str, message: object) -> bool:
        if not self.open:
            return False
        world = self.world
        number = next(world.message)
        world.note(f"{self.id} {direction} #{number} {_short(message)}")
        if number == world.cut_at or world.random.random() < world.weather.cut:
            if world.random.random() < world.weather.crash:
                world.spawn(world.crash(self.hub))
            self.cut()
            return False
        return True

    def _arrival(self, before: float) -> float:
        now = asyncio.get_running_loop().time()
        return max(before + 1e-6, now + self.world.random.uniform(0, self.world.weather.delay))

    def _arrive(self, message: AnyMessage) -> None:
        if self.open:
            self.client.receive(self, message)

    def _hang_up(self) -> None:
        self._inbox.put_nowait(None)

    def _cancel(self) -> None:
        if self._serving is not None and not self._serving.done():
            self._serving.cancel()


def _short(message: object) -> str:
    if isinstance(message, View):
        return f"view {message.table} v{message.version} {message.status} you={message.you} d={message.decision}"
    text = repr(message)
    return text if len(text) < 160 else text[:160] + "…"
