"""The commands as a user types them, over real sockets to the fake server on a free loopback port."""

import asyncio
import io
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint, PackageNotFoundError
from pathlib import Path
from threading import Event, Thread

import pytest

from clients import command
from clients.bots import command as bot
from clients.bots.service import Service
from clients.bots.strategies import load
from clients.errors import ClientError, Refused
from clients.play import command as play
from clients.running import complain, run
from clients.watch import command as watch
from protocol.commands import Hello
from protocol.options import TableOptions
from protocol.pushes import Error
from tests.clients.fake import FakeServer, Link
from tests.clients.network import listening

TABLE = "abcdef123456"


@contextmanager
def server(fake: FakeServer | None = None) -> Iterator[str]:
    """A fake server in a thread of its own; its address."""
    fake = fake or FakeServer()
    address: list[str] = []
    up, loops = Event(), list[tuple[asyncio.AbstractEventLoop, asyncio.Event]]()

    async def work() -> None:
        down = asyncio.Event()
        loops.append((asyncio.get_running_loop(), down))
        async with listening(fake) as (url, _):
            address.append(url)
            up.set()
            await down.wait()

    thread = Thread(target=asyncio.run, args=(work(),))
    thread.start()
    assert up.wait(10)
    try:
        yield address[0]
    finally:
        loop, down = loops[0]
        loop.call_soon_threadsafe(down.set)
        thread.join(10)


def nobody() -> str:
    """An address at which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"ws://127.0.0.1:{free.getsockname()[1]}/ws"


def table_at(fake: FakeServer, seats: int) -> str:
    return fake._new_table(TableOptions(seats=seats)).id


class TestBigtop:
    @pytest.fixture(autouse=True)
    def commands(self, monkeypatch: pytest.MonkeyPatch) -> None:
        entries = [EntryPoint(name, f"{__name__}:{name}", "bigtop.commands") for name in ("echo", "watch", "serve")]
        monkeypatch.setattr(command, "entry_points", lambda group: entries if group == "bigtop.commands" else [])

    def test_it_hands_over(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert command.main(["echo", "a", "--b"]) == 7
        assert capsys.readouterr().out == "['a', '--b']\n"

    def test_help(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        assert command.main(["--help"]) == 0
        text = capsys.readouterr().out
        assert text.index("  serve    run a server") < text.index("  watch ") < text.index("  echo\n")
        monkeypatch.setattr(sys, "argv", ["bigtop"])
        assert command.main() == 2

    def test_version(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        def missing(name: str) -> str:
            raise PackageNotFoundError

        monkeypatch.setattr(command, "version", lambda name: "1.2.3")
        assert command.main(["--version"]) == 0
        monkeypatch.setattr(command, "version", missing)
        assert command.main(["--version"]) == 0
        assert capsys.readouterr().out == "bigtop 1.2.3\nbigtop (not installed)\n"

    def test_an_unknown_command(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert command.main(["dance"]) == 2
        assert capsys.readouterr().err == "bigtop: there is no command 'dance'; `bigtop --help` lists them.\n"

    def test_it_starts_without_the_libraries_of_its_commands(self) -> None:
        code = "import sys, clients.command as c; c.main(['--help']); print(sorted(sys.modules))"
        out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        assert not [name for name in ("msgspec", "websockets", "rich", "asyncio", "engine") if f"'{name}'" in out]


def echo(argv: list[str]) -> int:
    print(argv)
    return 7


class TestErrors:
    @pytest.mark.parametrize(
        ("main", "argv", "sentence"),
        [
            (watch.main, ["nonsense"], "'nonsense' is no table"),
            (watch.main, ["--bots", "3", "--url", "nonsense"], "no address of a server"),
            (watch.main, ["--bots", "3", "--level", "smart"], "no bots of level 'smart'"),
            (play.main, ["http://host/lobby/1"], "no link to a table"),
            (play.main, ["--bots", "3", "--level", "smart"], "no bots of level 'smart'"),
            (bot.main, ["--quick", "--url", "ftp://host"], "no address of a server"),
            (bot.main, ["--quick", "--strategy", "clever"], "no strategy 'clever'"),
            (bot.main, ["--serve", "--levels", "greedy,no.module:x"], "cannot be loaded"),
            (bot.main, ["--quick", "--name", "x" * 25], "A name has 1 to 24 visible characters."),
            (bot.main, ["--quick", "--name", ""], "A name has 1 to 24 visible characters."),
            (bot.main, ["--quick", "--name", "\udcff"], "A name has 1 to 24 visible characters."),
        ],
    )
    def test_one_sentence_and_exit_code_2(
        self, main: Callable[[list[str]], int], argv: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(argv) == 2
        error = capsys.readouterr().err
        assert error.startswith("bigtop: ")
        assert sentence in error
        assert error.count("\n") == 1

    @pytest.mark.parametrize("how", ["--quick", "--serve"])
    def test_a_token_file_that_is_none(self, how: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        path = tmp_path / "thesis"
        path.write_text("Three years of work\n")
        assert bot.main([how, "--url", nobody(), "--token-file", str(path)]) == 2
        assert capsys.readouterr().err.endswith(
            "thesis is not a token file; name another one, or one that is not there yet.\n"
        )
        assert path.read_text() == "Three years of work\n"

    @pytest.mark.parametrize(
        ("main", "argv"),
        [
            (watch.main, []),
            (watch.main, [TABLE, "--bots", "3"]),
            (play.main, [TABLE, "--quick"]),
            (play.main, ["--bots", "0"]),
            (bot.main, []),
            (bot.main, ["--quick", "--serve"]),
            (bot.main, ["--quick", "--matches", "0"]),
            (bot.main, ["--quick", "--think-ms", "soon"]),
        ],
    )
    def test_wrong_usage(
        self, main: Callable[[list[str]], int], argv: list[str], capsys: pytest.CaptureFixture[str]
    ) -> None:
        with pytest.raises(SystemExit) as caught:
            main(argv)
        assert caught.value.code == 2
        assert "usage: bigtop " in capsys.readouterr().err

    def test_nobody_answers(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        url = nobody()
        assert watch.main(["--bots", "3", url.replace("ws:", "http:").removesuffix("/ws")]) == 2
        assert bot.main(["--quick", "--url", url]) == 2
        assert play.main(["--url", url, "--token-file", str(tmp_path / "token")]) == 2
        assert capsys.readouterr().err.count(f"bigtop: No server answers at {url}") == 3

    def test_an_unknown_table(self, capsys: pytest.CaptureFixture[str]) -> None:
        with server() as url:
            assert watch.main([TABLE, "--url", url]) == 2
            assert bot.main([TABLE, "--url", url]) == 2
        assert capsys.readouterr().err == "bigtop: There is no such table, or you need its invite code.\n" * 2

    def test_a_reader_who_has_gone_and_refusals_without_words(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def broken() -> int:
            raise BrokenPipeError

        monkeypatch.setattr(sys, "stdout", io.StringIO())  # has no file descriptor to lose
        assert run(broken) == 2
        assert complain(ClientError("So.")) == 2
        assert complain(Refused(Error(re=None, code="odd", message="", retry=False))) == 2
        assert capsys.readouterr().err == "bigtop: So.\nbigtop: The server refused: odd.\n"


def test_bots_that_are_started_separately_have_names_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    named: list[str] = []
    monkeypatch.setattr(bot, "connect", lambda url, *, name, **_: named.append(name))
    arguments = bot.parser().parse_args(["--quick", "--count", "20"])
    for _ in range(4):
        enter = bot._entrance(arguments, "ws://host/ws", patient=False)
        for index in range(20):
            enter(index)
        assert len(set(named[-20:])) == 20
    assert len({named[0], named[20], named[40], named[60]}) > 1
    assert max(map(len, named)) <= 24


def test_how_long_a_bot_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    def think(*argv: str) -> float:
        return bot._think(bot.parser().parse_args(["--quick", *argv]))

    monkeypatch.delenv("BIGTOP_THINK_MS", raising=False)
    assert (think(), think("--think-ms", "250")) == (0, 0.25)
    monkeypatch.setenv("BIGTOP_THINK_MS", "700")
    assert (think(), think("--think-ms", "0")) == (0.7, 0)


def test_a_service_that_the_server_will_not_have(capsys: pytest.CaptureFixture[str]) -> None:
    class Strict(FakeServer):
        def _hello(self, link: Link, hello: Hello) -> None:
            link.send(Error(re=hello.id, code="not_house", message="The house key is wrong.", retry=False))

    with server(Strict()) as url:
        assert bot.main(["--serve", "--url", url]) == 2
    assert capsys.readouterr().err == "bigtop: The house key is wrong.\n"


class TestStopping:
    @pytest.fixture(autouse=True)
    def terminal(self) -> Iterator[None]:
        """As in a terminal: what a script starts in the background, maybe these tests, ignores SIGINT."""
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        yield
        signal.signal(signal.SIGINT, before)

    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
    def test_signals_end_the_work_in_good_order(self, number: signal.Signals) -> None:
        ended: list[str] = []

        async def work() -> int:
            try:
                os.kill(os.getpid(), number)
                async with asyncio.timeout(10):
                    await asyncio.Event().wait()
            finally:
                ended.append("well")
            return 1

        assert run(work) == 130
        assert run(work, stopped=0) == 0
        assert ended == ["well", "well"]


class TestMatches:
    def test_bots_by_quick_match(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        tokens = tmp_path / "tokens"
        with server() as url:
            argv = ["--quick", "--seats", "3", "--count", "3", "--url", url, "--token-file", str(tokens)]
            assert bot.main([*argv, "--name", "Clown"]) == 0
        out = capsys.readouterr().out
        assert out.count(" is over: ") == 3
        for name in ("Clown", "Clown 2", "Clown 3"):
            assert f"{name} sits at table0000000.\n" in out
        assert len(tokens.read_text().split()) == 3

    def test_a_bot_at_a_table_with_a_strategy_of_ones_own(self, capsys: pytest.CaptureFixture[str]) -> None:
        fake = FakeServer()
        table = table_at(fake, 2)
        with server(fake) as url:
            link = url.replace("ws://", "http://").replace("/ws", f"/t/{table}")
            strategy = "clients.bots.strategies.greedy:choose"
            assert bot.main([link, "--count", "2", "--strategy", strategy, "--verbose"]) == 0
        assert capsys.readouterr().out.count(f"sits at {table}.") == 2

    def test_a_stranger_sees_a_match_with_one_command(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("BIGTOP_HOUSE_KEY", "the-house-key")
        fake = FakeServer()
        with server(fake) as url:
            serving = Thread(target=serve_until, args=(url,))
            serving.start()
            assert watch.main(["--bots", "3", url.replace("ws:", "http:").removesuffix("/ws")]) == 0
            STOP.set()
            serving.join(10)
        out = capsys.readouterr().out
        assert "The match begins. In the order of play: " in out
        assert "The match is over: " in out
        assert "\x1b" not in out  # not a terminal: plain lines
        assert {hello.house for hello in fake.hellos if hello.bot} == {"the-house-key"}

    def test_a_person_plays_with_bots_and_comes_back(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        fake = FakeServer()
        argv = ["--name", "Ada", "--token-file", str(tmp_path / "token")]
        with server(fake) as url:
            for more in (
                ["--bots", "2"],
                [],
                ["--quick", "--seats", "4"],
                [url.replace("ws:", "http:").replace("/ws", "/t/table0000001")],
            ):
                monkeypatch.setattr(sys, "stdin", io.StringIO("table\nquit\n"))
                assert play.main([*more, *argv, "--url", url]) == 0
            first, second = fake.tables
            other = table_at(fake, 2)
            monkeypatch.setattr(sys, "stdin", io.StringIO(""))
            assert play.main([other, *argv, "--url", url]) == 0
        out = capsys.readouterr().out
        assert out.count(f"You are Ada, at table {first}.") == 2
        assert out.count(f"You are Ada, at table {second}.") == 2
        assert len(fake.players) == 1


STOP = Event()


def serve_until(url: str) -> None:
    """`bigtop bot --serve`, for a thread, which gets no signals."""

    async def work() -> None:
        arguments = bot.parser().parse_args(["--serve", "--url", url, "--count", "5"])
        service = Service(
            bot._entrance(arguments, url, patient=True), {"greedy": load("greedy")}, most=5, say=lambda line: None
        )
        serving = asyncio.ensure_future(service.run())
        await asyncio.to_thread(STOP.wait, 60)
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)

    STOP.clear()
    asyncio.run(work())


def test_a_service_runs_until_it_is_stopped(tmp_path: Path) -> None:
    """In a process of its own, with its tokens in a file."""
    fake = FakeServer()
    tokens = tmp_path / "tokens"
    code = "import sys; from clients.bots.command import main; sys.exit(main(sys.argv[1:]))"
    with server(fake) as url:
        argv = ["-c", code, "--serve", "--levels", "greedy, random", "--url", url, "--token-file", str(tokens)]
        with subprocess.Popen([sys.executable, *argv], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "Gelsomina serves bots: greedy, random.\n"
            process.send_signal(signal.SIGTERM)
            assert process.wait(10) == 0
    assert len(tokens.read_text().split()) == 1


def test_a_service_stops_with_whoever_holds_its_stdin() -> None:
    argv = ["-m", "clients.command", "bot", "--serve", "--until-stdin-closes", "--url"]
    with (
        server() as url,
        subprocess.Popen(
            [sys.executable, *argv, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        assert "serves bots" in process.stdout.readline()
        process.stdin.close()
        assert process.wait(10) == 0
