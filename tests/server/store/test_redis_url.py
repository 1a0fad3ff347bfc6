"""Where Redis is, as the operator writes it."""

import ssl
from pathlib import Path

import pytest

from server.store.base import StoreError
from server.store.redis_url import read_url


@pytest.mark.parametrize(
    ("url", "shown", "access"),
    [
        ("redis://host", "redis://host:6379", (None, None, 0)),
        ("redis://:p%40ss@host:7000/2", "redis://host:7000", (None, "p@ss", 2)),
        ("redis://user:pass@[::1]:7000", "redis://[::1]:7000", ("user", "pass", 0)),
        ("redis+cluster://a:1,b,[::1]", "redis+cluster://a:1,b:6379,[::1]:6379", (None, None, 0)),
        ("redis+cluster://u:p%2C@a,b", "redis+cluster://a:6379,b:6379", ("u", "p,", 0)),
        ("redis+sentinel://:pass@a,b:7/main/3", "redis+sentinel://a:26379,b:7/main", (None, "pass", 3)),
        ("redis+sentinel://[::1]:7/main", "redis+sentinel://[::1]:7/main", (None, None, 0)),
    ],
)
def test_what_is_understood(url: str, shown: str, access: tuple[str | None, str | None, int]) -> None:
    place = read_url(url)
    assert str(place) == shown
    assert (place.access.username, place.access.password, place.access.database) == access
    assert "p" not in repr(place.access)


@pytest.mark.parametrize(
    "url",
    [
        "http://:secret@host",
        "secret",
        "unix:///secret",
        "redis://:secret@host:port",
        "redis://:secret@host?secret=1&db=x",
        "redis+cluster://:secret@",
        "redis+cluster://:secret@host/3",
        "redis+cluster://secret@host",
        "redis+cluster://:secret@host?ssl=1",
        "redis+sentinel://:secret@host",
        "redis+sentinel://:secret@host/a/b/c",
        "redis+sentinel://:secret@host/a/b",
        "redis+sentinel://:secret@host:secret/a",
        "rediss://:secret@host?ssl_ca_certs=/never/here",
    ],
)
def test_what_is_not_understood_is_not_shown(url: str) -> None:
    with pytest.raises(StoreError) as caught:
        read_url(url)
    assert "secret" not in str(caught.value)


def test_options_that_are_not_known_are_named() -> None:
    with pytest.raises(StoreError, match="ssl_ca_certs, timeout"):
        read_url("redis://host?timeout=3&ssl_ca_certs=x")


def test_tls_options(tmp_path: Path) -> None:
    trusting = read_url("rediss://host?ssl_check_hostname=false").access.tls
    assert trusting is not None
    assert not trusting.check_hostname
    assert trusting.verify_mode == ssl.CERT_REQUIRED
    (tmp_path / "broken.pem").write_text("no certificate")
    with pytest.raises(StoreError, match="rediss"):
        read_url(f"rediss://host?ssl_ca_certs={tmp_path}/broken.pem")
