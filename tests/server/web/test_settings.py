"""What an operator may set."""

import re
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from server.settings import Named, Settings, SettingsError, default_store, load, named

DEFAULTS = Settings()
GIVEN = {
    "host": ("0.0.0.0", "0.0.0.0"),
    "port": ("0", 0),
    "public_url": ("https://scout.example.org/", "https://scout.example.org"),
    "store": ("/data/scout.sqlite", Path("/data/scout.sqlite")),
    "memory": ("1", True),
    "redis": ("redis://127.0.0.1:6380/1", "redis://127.0.0.1:6380/1"),
    "lossy_redis": ("1", True),
    "workers": ("1", 1),
    "no_bots": ("yes", True),
    "keep_days": ("7", 7),
    "rate": ("100", 100),
    "burst": ("200", 200),
    "connections": ("10", 10),
    "metrics_port": ("9100", 9100),
    "metrics_host": ("0.0.0.0", "0.0.0.0"),
    "log_level": ("debug", "debug"),
    "log_format": ("json", "json"),
}
EVERY = pytest.mark.parametrize("name", named(), ids=lambda name: name.field)


def test_every_setting_is_tested() -> None:
    assert list(GIVEN) == [each.name for each in fields(Settings)] == [name.field for name in named()]


def test_the_defaults() -> None:
    assert load([], {}) == DEFAULTS
    assert (DEFAULTS.host, DEFAULTS.port, DEFAULTS.keep_days) == ("127.0.0.1", 8765, 90)
    assert DEFAULTS.store == default_store()


@EVERY
def test_an_option(name: Named) -> None:
    text, value = GIVEN[name.field]
    argv = [name.option, text] if name.takes_value else [name.option]
    assert getattr(load(argv, {}), name.field) == value


@EVERY
def test_a_variable(name: Named) -> None:
    text, value = GIVEN[name.field]
    assert getattr(load([], {name.variable: text}), name.field) == value


@EVERY
def test_an_empty_variable_is_none(name: Named) -> None:
    assert load([], {name.variable: ""}) == DEFAULTS


def test_an_option_wins_over_its_variable() -> None:
    assert load(["--port", "1"], {"BIGTOP_PORT": "2", "BIGTOP_RATE": "3"}) == Settings(port=1, rate=3)


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["--workers", "2"], "Several --workers need --redis: a file or memory serves one process only."),
        (["--redis", "redis://h", "--memory"], "The tables are kept either with --memory or with --redis."),
    ],
)
def test_what_does_not_go_together(argv: list[str], sentence: str) -> None:
    with pytest.raises(SettingsError, match=f"^{re.escape(sentence)}$"):
        load(argv, {})


def test_several_workers() -> None:
    assert load(["--workers", "2", "--redis", "redis://h"], {}).workers == 2


def test_the_password_of_a_bad_url_is_not_shown() -> None:
    with pytest.raises(SettingsError) as refused:
        load([], {"BIGTOP_REDIS": "redis://:secret@host:port"})
    assert "secret" not in str(refused.value)
    assert str(refused.value).startswith("BIGTOP_REDIS is of no use: ")


def test_a_switch_can_be_off() -> None:
    assert not load([], {"BIGTOP_MEMORY": "off"}).memory


def test_a_home_folder() -> None:
    assert load(["--store", "~/x.sqlite"], {}).store == Path.home() / "x.sqlite"


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["--port", "65536"], "--port must be a whole number from 0 to 65535."),
        (["--port", "-1"], "--port must be a whole number from 0 to 65535."),
        (["--port", "٣"], "--port must be a whole number from 0 to 65535."),
        (["--port", "9" * 5000], "--port must be a whole number from 0 to 65535."),
        (["--rate", "0"], "--rate must be a whole number from 1 to 100000."),
        (["--public-url", "scout.example.org"], "--public-url must be an address like https://scout.example.org."),
        (["--public-url", "https://a/?b"], "--public-url must be an address like https://scout.example.org."),
        (["--public-url", "http://["], "--public-url must be an address like https://scout.example.org."),
        (["--public-url", "http://a:x"], "--public-url must be an address like https://scout.example.org."),
        (["--log-level", "loud"], "--log-level must be one of debug, info, warning, error."),
        (["--host", ""], "--host must be text."),
        (["--store", "a\0b"], "--store must be text."),
        (["--port"], "Argument --port: expected one argument; see `bigtop serve --help`."),
        (["--prot", "1"], "Unrecognized arguments: --prot 1; see `bigtop serve --help`."),
        (["--mem"], "Unrecognized arguments: --mem; see `bigtop serve --help`."),
    ],
)
def test_a_bad_option(argv: list[str], sentence: str) -> None:
    with pytest.raises(SettingsError, match=f"^{re.escape(sentence)}$"):
        load(argv, {})


@pytest.mark.parametrize(
    ("variable", "value", "sentence"),
    [
        ("BIGTOP_PORT", "http", "BIGTOP_PORT must be a whole number from 0 to 65535."),
        ("BIGTOP_MEMORY", "maybe", "BIGTOP_MEMORY must be 1 or 0."),
    ],
)
def test_a_bad_variable(variable: str, value: str, sentence: str) -> None:
    with pytest.raises(SettingsError, match=f"^{re.escape(sentence)}$"):
        load([], {variable: value})


def test_the_help_shows_everything(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        load(["--help"], {})
    assert ended.value.code == 0
    shown = " ".join(capsys.readouterr().out.split())
    for name in named():
        assert name.option in shown
        assert f"(default: {name.default}; {name.variable})" in shown


@pytest.mark.parametrize(
    ("platform", "environment", "expected"),
    [
        ("linux", {"XDG_DATA_HOME": "/data"}, Path("/data/bigtop/bigtop.sqlite")),
        ("linux", {"XDG_DATA_HOME": ""}, Path.home() / ".local/share/bigtop/bigtop.sqlite"),
        ("darwin", {}, Path.home() / "Library/Application Support/bigtop/bigtop.sqlite"),
        ("win32", {"LOCALAPPDATA": "/local"}, Path("/local/bigtop/bigtop.sqlite")),
        ("win32", {"LOCALAPPDATA": ""}, Path.home() / "AppData/Local/bigtop/bigtop.sqlite"),
    ],
)
def test_where_the_store_is(
    monkeypatch: pytest.MonkeyPatch, platform: str, environment: dict[str, str], expected: Path
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)
    assert default_store() == expected


def test_the_operators_page_lists_every_setting() -> None:
    page = (Path(__file__).parents[3] / "docs" / "operations.md").read_text()
    rows = re.findall(r"^\| `(--[a-z-]+)` \| `(BIGTOP_[A-Z_]+)` \| (.+?) \| (.+?) \|$", page, re.MULTILINE)
    assert rows == [(name.option, name.variable, name.default, name.help) for name in named()]
