from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from server.store.base import Store
from tests.server.store.backends import BACKENDS, Backend, SqliteBackend
from tests.server.store.redis_server import stop_shared_server


@pytest.fixture(scope="session", autouse=True)
def no_server_stays() -> Iterator[None]:
    yield
    stop_shared_server()


@pytest.fixture(params=sorted(BACKENDS))
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> Backend:
    return BACKENDS[request.param](tmp_path)


@pytest_asyncio.fixture
async def store(backend: Backend) -> AsyncIterator[Store]:
    store = backend.store()
    await store.open()
    yield store
    await store.close()


@pytest.fixture
def sqlite_backend(tmp_path: Path) -> SqliteBackend:
    return SqliteBackend(tmp_path)
