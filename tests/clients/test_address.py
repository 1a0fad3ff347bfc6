"""Addresses and tokens."""

import stat
import sys
from pathlib import Path

import pytest

from clients.address import DEFAULT_URL, Place, default_url, place, server_url, table_link, target
from clients.errors import BadAddress, ClientError
from clients.tokens import TokenFile, state_folder, token_file_for

TABLE = "abcdef123456"
A, B = "a" * 32, "B" * 40


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("ws://127.0.0.1:8765/ws", "ws://127.0.0.1:8765/ws"),
        ("wss://example.org", "wss://example.org/ws"),
        ("http://host:8765/", "ws://host:8765/ws"),
        ("https://host/games/ws", "wss://host/games/ws"),
        ("ws://[::1]:8765/ws", "ws://[::1]:8765/ws"),
    ],
)
def test_server_urls(text: str, url: str) -> None:
    assert server_url(text) == url


@pytest.mark.parametrize("text", ["", "host", "ftp://host/ws", "ws://", "ws://host:port/ws", "http://[::1/"])
def test_what_is_no_server(text: str) -> None:
    with pytest.raises(BadAddress):
        server_url(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TABLE, Place(DEFAULT_URL, TABLE, None)),
        (f"http://host:8765/t/{TABLE}", Place("ws://host:8765/ws", TABLE)),
        (f"https://host/t/{TABLE}?invite=blue-horse-9", Place("wss://host/ws", TABLE, "blue-horse-9")),
        (f"https://host/games/t/{TABLE}/", Place("wss://host/games/ws", TABLE)),
    ],
)
def test_tables(text: str, expected: Place) -> None:
    assert place(text, DEFAULT_URL) == expected


@pytest.mark.parametrize(
    "text",
    ["short", "http://host/lobby", f"http://host/t/{TABLE}X", f"http://host/t/{TABLE}?invite=NO", "mailto://a/t/b"],
)
def test_what_is_no_table(text: str) -> None:
    with pytest.raises(BadAddress):
        place(text, DEFAULT_URL)


def test_an_invite_code_beside_the_table() -> None:
    assert place(TABLE, DEFAULT_URL, "blue-horse-9").invite == "blue-horse-9"
    with pytest.raises(BadAddress, match="no invite code"):
        place(TABLE, DEFAULT_URL, "no good")


def test_the_default_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BIGTOP_URL", raising=False)
    assert default_url() == DEFAULT_URL
    monkeypatch.setenv("BIGTOP_URL", "ws://elsewhere/ws")
    assert default_url() == "ws://elsewhere/ws"


def test_a_table_or_a_server_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BIGTOP_URL", raising=False)
    assert target(None, None) == (DEFAULT_URL, None)
    assert target(None, "http://host") == ("ws://host/ws", None)
    assert target("http://other:99", "http://host") == ("ws://other:99/ws", None)
    assert target(TABLE, "http://host") == ("ws://host/ws", Place("ws://host/ws", TABLE))
    assert target(f"http://other/t/{TABLE}", "http://host")[0] == "ws://other/ws"


class TestTokenFile:
    def test_tokens_by_line(self, tmp_path: Path) -> None:
        file = TokenFile(tmp_path / "new" / "tokens")
        assert (file.load(), file.get(3)) == ([], None)
        file.put(2, A)
        file.put(0, B)
        assert file.load() == [B, None, A]
        assert (file.get(0), file.get(1), file.get(2)) == (B, None, A)

    @pytest.mark.skipif(sys.platform == "win32", reason="has no file modes")
    def test_only_the_owner_may_read_it(self, tmp_path: Path) -> None:
        path = tmp_path / "tokens"
        path.write_text("-\n")
        path.chmod(0o644)
        TokenFile(path).put(0, A)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert list(tmp_path.iterdir()) == [path]

    def test_a_line_without_a_token(self, tmp_path: Path) -> None:
        path = tmp_path / "tokens"
        path.write_text(f"-\n{A}\n\n")
        assert TokenFile(path).load() == [None, A, None]

    @pytest.mark.parametrize("content", [b"something else\n", A.encode() + b"\n\xff\x00\n", b"x" * 2_000_000])
    def test_no_other_file_is_written_to(self, content: bytes, tmp_path: Path) -> None:
        path = tmp_path / "thesis"
        path.write_bytes(content)
        with pytest.raises(ClientError, match="is not a token file"):
            TokenFile(path).load()
        with pytest.raises(ClientError, match="is not a token file"):
            TokenFile(path).put(0, A)
        assert path.read_bytes() == content

    def test_a_place_that_cannot_be_used(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(ClientError, match="cannot be read"):
            TokenFile(tmp_path).load()
        with pytest.raises(ClientError, match="cannot be"):
            TokenFile(tmp_path / "file" / "tokens").put(0, A)

    def test_a_folder_that_cannot_be_made(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(*args: object, **options: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(Path, "mkdir", full)
        with pytest.raises(ClientError, match="cannot be written"):
            TokenFile(tmp_path / "tokens").put(0, A)

    def test_one_file_for_each_server(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setattr(sys, "platform", "linux")
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
        token_file_for("ws://user@Host:8765/ws").put(0, A)
        assert [path.name for path in (tmp_path / "bigtop").iterdir()] == ["player-host-8765.token"]

    @pytest.mark.parametrize(
        ("platform", "end"),
        [("linux", ".local/state/bigtop"), ("darwin", "Application Support/bigtop"), ("win32", "Local/bigtop")],
    )
    def test_the_state_folder_of_each_platform(self, platform: str, end: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("XDG_STATE_HOME", raising=False)
        monkeypatch.delenv("LOCALAPPDATA", raising=False)
        monkeypatch.setattr(sys, "platform", platform)
        assert state_folder().as_posix().endswith(end)


class TestLinks:
    @pytest.mark.parametrize(
        ("server", "begins"),
        [
            ("ws://127.0.0.1:8765/ws", "http://127.0.0.1:8765/t/"),
            ("wss://scout.example.org/ws", "https://scout.example.org/t/"),
            ("https://scout.example.org", "https://scout.example.org/t/"),
            ("https://example.org/scout", "https://example.org/scout/t/"),
        ],
    )
    def test_a_link_leads_back_to_the_table(self, server: str, begins: str) -> None:
        for invite in (None, "abcd-efgh-jkmn"):
            link = table_link(server, TABLE, invite)
            assert link.startswith(begins + TABLE)
            found = place(link, "ws://elsewhere/ws")
            assert (found.table, found.invite) == (TABLE, invite)
