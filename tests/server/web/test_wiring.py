"""The server that is put together from the settings."""

from pathlib import Path

from protocol.commands import Ping
from protocol.pushes import Pong
from server.settings import Settings
from server.store.memory import MemoryStore
from server.store.sqlite import SqliteStore
from server.wiring import build_hub, build_store
from tests.server.web.serving import HOUSE_KEY, client, serving


def test_where_the_tables_are_kept(tmp_path: Path) -> None:
    assert isinstance(build_store(Settings(memory=True)), MemoryStore)
    assert isinstance(build_store(Settings(store=tmp_path / "bigtop.sqlite")), SqliteStore)


async def test_the_hub_does_its_work(tmp_path: Path) -> None:
    hub = build_hub(Settings(store=tmp_path / "bigtop.sqlite"), HOUSE_KEY)
    async with serving(hub=hub) as server, client(server) as ann:
        assert await hub.check() is None
        session = await ann.hello()
        assert session.token is not None
        assert await ann.ask(Ping(id="p1")) == Pong(re="p1")
