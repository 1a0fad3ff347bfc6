from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from server.store.base import Store
from tests.server.store.backends import BACKENDS, Backend, SqliteBackend


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
