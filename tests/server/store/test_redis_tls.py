"""Redis over TLS, with a certificate made for the test."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.store import redis_servers
from server.store.base import PUBLIC, StoreError
from server.store.redis import RedisStore
from tests.server.store.redis_server import DURABLE, RedisServer, speaks_tls
from tests.server.store.redis_steps import answers, opened, until
from tests.server.store.steps import Told, Writer, always

pytestmark = pytest.mark.skipif(
    shutil.which("openssl") is None or not speaks_tls(), reason="needs openssl, and a Redis that was built with TLS"
)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    files = ["-keyout", f"{tmp_path}/key.pem", "-out", f"{tmp_path}/cert.pem", "-days", "1", "-nodes"]
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    subprocess.run(["openssl", "req", *kind, *files, *names], check=True, capture_output=True, timeout=30)
    certificate = ["--tls-cert-file", f"{tmp_path}/cert.pem", "--tls-key-file", f"{tmp_path}/key.pem"]
    clients = ["--tls-ca-cert-file", f"{tmp_path}/cert.pem", "--tls-auth-clients", "yes"]
    server = RedisServer(tmp_path / "data", *DURABLE, *certificate, *clients, plain=False)
    server.start()
    yield server
    server.stop()


def _url(server: RedisServer, folder: Path, *options: str) -> str:
    client = f"ssl_certfile={folder}/cert.pem&ssl_keyfile={folder}/key.pem"
    return f"rediss://localhost:{server.port}?{'&'.join([client, *options])}"


async def test_a_store_over_tls(server: RedisServer, tmp_path: Path) -> None:
    async with opened(_url(server, tmp_path, f"ssl_ca_certs={tmp_path}/cert.pem")) as store:
        await answers(store)
        told = Told()
        await store.subscribe("table", PUBLIC, told.on_view)
        large = bytes(200_000)
        await Writer(store).move(large, views=[(PUBLIC, always(large))])
        await until(lambda: bool(told.news))
        assert told.news == [("table", PUBLIC, 1, large)]
        log = await store.load("table")
        assert log is not None
        assert log.entries == (large,)


async def test_a_certificate_that_is_not_trusted_is_refused(
    server: RedisServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_servers, "OPEN_SECONDS", 0.5)
    with pytest.raises(StoreError, match="certificate"):
        await RedisStore(_url(server, tmp_path)).open()
