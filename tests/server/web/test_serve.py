"""`bigtop serve`, as a process of its own and in this one."""

import asyncio
import logging
import os
import resource
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import structlog
import websockets
from websockets.typing import Subprotocol

from protocol.closing import GOING_AWAY
from protocol.commands import Hello, Ping
from protocol.pushes import GoingAway, Pong
from protocol.values import SUBPROTOCOL_MSGPACK
from server import wiring
from server.commands import serve
from server.greeting import command, lan_address
from server.house import KEY_VARIABLE
from tests.server.web.fakes import TOKEN, FakeHub
from tests.server.web.serving import Client, Serving, client, lazy_client

BRIEF = ["--port", "0", "--memory", "--no-bots"]
STOP_SECONDS = 10.0


@asynccontextmanager
async def process(*argv: str, **environment: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """`bigtop serve` with a hub without tables; it is gone in the end."""
    started = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.server.web.fake_serve",
        *argv,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, **environment},
    )
    try:
        async with asyncio.timeout(30):
            yield started
    finally:
        if started.returncode is None:
            started.kill()
        await started.communicate()


async def listening(started: asyncio.subprocess.Process) -> Serving:
    assert started.stdout is not None
    line = (await started.stdout.readline()).decode()
    assert line.startswith("listening on http://127.0.0.1:"), line
    return Serving(line.strip().removeprefix("listening on http://"), FakeHub(), asyncio.current_task())  # type: ignore[arg-type]


async def assert_stops(started: asyncio.subprocess.Process, code: int) -> str:
    """It ends within the time for it; returns what it said on standard error."""
    async with asyncio.timeout(STOP_SECONDS):
        _, errors = await started.communicate()
    assert started.returncode == code
    return errors.decode()


class TestStart:
    async def test_it_can_be_used_as_soon_as_it_says_so(self) -> None:
        async with process(*BRIEF) as started:
            server = await listening(started)
            async with client(server) as ann:
                await ann.hello()
                assert await ann.ask(Ping(id="p1")) == Pong(re="p1")
            started.send_signal(signal.SIGTERM)
            assert await assert_stops(started, 0) == ""

    async def test_it_says_in_one_sentence_why_it_cannot_start(self) -> None:
        async with process("--port", "x") as started:
            said, errors = await started.communicate()
            assert (said, started.returncode) == (b"", 2)
            assert errors == b"bigtop serve: --port must be a whole number from 0 to 65535.\n"


class TestStop:
    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
    async def test_clients_are_told(self, number: signal.Signals) -> None:
        async with process(*BRIEF) as started:
            server = await listening(started)
            async with client(server) as ann:
                await ann.hello()
                started.send_signal(number)
                assert isinstance(await ann.hear(), GoingAway)
                await ann.assert_closed(GOING_AWAY)
            assert await assert_stops(started, 0) == ""

    @pytest.mark.slow
    async def test_with_a_client_that_does_not_read_and_a_hub_that_hangs(self) -> None:
        async with process(*BRIEF, "--rate", "100000", "--burst", "100000", HANG_ON_DRAIN="1") as started:
            server = await listening(started)
            async with lazy_client(server) as eve:
                for number in range(2000):  # more replies than the buffers hold, and less than are too many
                    await eve.send(b"\x82\xa4kind\xa3fly\xa2id\xa5%05d" % number)
                started.send_signal(signal.SIGTERM)
                assert 'stop_takes_too_long task="tell its peers"' in await assert_stops(started, 0)

    async def test_a_second_signal_ends_it_at_once(self) -> None:
        async with process(*BRIEF, HANG_ON_DRAIN="1") as started:
            server = await listening(started)
            async with client(server) as ann:
                await ann.hello()
                started.send_signal(signal.SIGTERM)
                assert isinstance(await ann.hear(), GoingAway)
                started.send_signal(signal.SIGTERM)
                async with asyncio.timeout(1):
                    await started.wait()
                assert started.returncode == 128 + signal.SIGTERM


async def test_no_token_is_logged_at_any_level() -> None:
    async with process(*BRIEF, "--log-level", "debug") as started:
        server = await listening(started)
        async with websockets.connect(
            f"{server.ws}?token={TOKEN}", subprotocols=[Subprotocol(SUBPROTOCOL_MSGPACK)], proxy=None
        ) as connection:
            ann = Client(connection)
            await ann.hello(Hello(id="h1", token=TOKEN))
            await ann.connection.send(b"\xff", text=True)
            await ann.read_all()
        started.send_signal(signal.SIGTERM)
        errors = await assert_stops(started, 0)
        assert TOKEN not in errors
        assert "Traceback" not in errors


@pytest.fixture
def in_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """`serve.main` may be called here: it stops by itself, and changes nothing of this process."""

    class StopsItself(FakeHub):
        async def start(self) -> None:
            await super().start()
            asyncio.get_running_loop().call_later(0.3, signal.raise_signal, signal.SIGTERM)

    before = os.umask(0o077)
    os.umask(before)
    level = logging.getLogger("asyncio").level, logging.getLogger("uvicorn").level
    monkeypatch.setattr(wiring, "build_hub", lambda _settings, _key: StopsItself())
    monkeypatch.setattr(serve, "is_built", lambda: False)
    for variable in [name for name in os.environ if name.startswith("BIGTOP_")]:
        monkeypatch.delenv(variable)
    yield
    structlog.reset_defaults()
    os.umask(before)
    logging.getLogger("asyncio").setLevel(level[0])
    logging.getLogger("uvicorn").setLevel(level[1])


@pytest.mark.usefixtures("in_process")
class TestInThisProcess:
    def test_in_memory(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert serve.main(BRIEF) == 0
        lines = capsys.readouterr().out.splitlines()
        address = lines[0].removeprefix("listening on ")
        assert lines == [
            f"listening on {address}",
            "tables are kept in memory only and are lost when the server stops",
            "only this computer can connect; for others, see --host and --public-url",
            f"play: {command()} play {address}",
        ]

    def test_with_the_web_client(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        monkeypatch.setattr(serve, "is_built", lambda: True)
        assert serve.main(BRIEF) == 0
        lines = capsys.readouterr().out.splitlines()
        assert f"play in the browser: open {lines[0].removeprefix('listening on ')}" in lines

    def test_in_a_file_for_others(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        store = tmp_path / "folder" / "bigtop.sqlite"
        argv = ["--port", "0", "--no-bots", "--store", str(store), "--public-url", "https://scout.example.org"]
        assert serve.main(argv) == 0
        said = capsys.readouterr().out
        assert f"tables are kept in {store}\n" in said
        assert "share this address with the other players: https://scout.example.org\n" in said
        assert store.parent.stat().st_mode & 0o777 == 0o700

    @pytest.mark.parametrize(("host", "here"), [("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("::1", "[::1]")])
    def test_on_other_addresses(self, capsys: pytest.CaptureFixture[str], host: str, here: str) -> None:
        assert serve.main([*BRIEF, "--host", host]) == 0
        assert f"bigtop play http://{here}:" in capsys.readouterr().out

    def test_the_house_bots_run(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        said = tmp_path / "said"
        program = f"import os; open({str(said)!r}, 'w').write(os.environ['{KEY_VARIABLE}'])"
        monkeypatch.setattr("server.house.HouseBots.__init__.__defaults__", ((sys.executable, "-c", program),))
        assert serve.main(["--port", "0", "--memory"]) == 0
        assert len(said.read_text()) == 43
        assert "bigtop play --bots 3 http://127.0.0.1:" in capsys.readouterr().out

    def test_what_it_says_can_be_typed(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        script = tmp_path / "my venv" / "bigtop"
        monkeypatch.setattr("sysconfig.get_path", lambda _which: str(script.parent))
        assert command() == "bigtop"
        script.parent.mkdir()
        script.touch(mode=0o755)
        monkeypatch.setenv("PATH", "/nowhere")
        assert command() == f"'{script}'"
        monkeypatch.chdir(tmp_path)
        assert command() == "'my venv/bigtop'"
        monkeypatch.setenv("PATH", str(script.parent))
        assert command() == "bigtop"

    def test_a_computer_without_a_network(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("server.greeting.PROBE_ADDRESS", "not an address")
        assert lan_address() is None

    def test_the_limit_on_open_files(self, monkeypatch: pytest.MonkeyPatch) -> None:
        limits: list[tuple[int, int]] = []
        monkeypatch.setattr(resource, "getrlimit", lambda _which: (256, 4096))
        monkeypatch.setattr(resource, "setrlimit", lambda _which, new: limits.append(new))
        serve._allow_many_files(1000)
        serve._allow_many_files(10_000)
        assert limits == [(1000 + serve.SPARE_FILES, 4096), (4096, 4096)]


@pytest.mark.usefixtures("in_process")
class TestNoStart:
    @pytest.fixture
    def assert_does_not_start(self, capsys: pytest.CaptureFixture[str]) -> Callable[..., None]:
        def check(sentence: str, *argv: str) -> None:
            assert serve.main(argv) == 2
            said, errors = capsys.readouterr()
            assert (said, errors) == ("", f"bigtop serve: {sentence}\n")

        return check

    def test_a_bad_option(self, assert_does_not_start: Callable[..., None]) -> None:
        assert_does_not_start("--rate must be a whole number from 1 to 100000.", "--rate", "0")

    def test_a_bad_variable(self, assert_does_not_start: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("BIGTOP_RATE", "0")
        assert_does_not_start("BIGTOP_RATE must be a whole number from 1 to 100000.")

    @pytest.mark.parametrize("key", ["short", "k" * 65, "k" * 20 + "é"])
    def test_a_bad_house_key(
        self, assert_does_not_start: Callable[..., None], monkeypatch: pytest.MonkeyPatch, key: str
    ) -> None:
        monkeypatch.setenv(KEY_VARIABLE, key)
        assert_does_not_start("BIGTOP_HOUSE_KEY must have 16 to 64 characters of ASCII.")

    def test_a_port_in_use(self, assert_does_not_start: Callable[..., None]) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = str(taken.getsockname()[1])
            sentence = f"Cannot listen on 127.0.0.1 port {port}: Address already in use."
            assert_does_not_start(sentence, *BRIEF, "--port", port)

    def test_a_port_for_metrics_in_use(self, assert_does_not_start: Callable[..., None]) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = str(taken.getsockname()[1])
            sentence = f"Cannot show metrics on 127.0.0.1 port {port}: Address already in use."
            assert_does_not_start(sentence, *BRIEF, "--metrics-port", port)

    def test_a_host_that_is_not_here(self, assert_does_not_start: Callable[..., None]) -> None:
        sentence = "Cannot listen on 192.0.2.1 port 0: Cannot assign requested address."
        assert_does_not_start(sentence, *BRIEF, "--host", "192.0.2.1")

    def test_a_host_that_is_none(self, assert_does_not_start: Callable[..., None]) -> None:
        sentence = "Cannot listen on no.such.host.invalid port 0: Name or service not known."
        assert_does_not_start(sentence, *BRIEF, "--host", "no.such.host.invalid")

    def test_a_folder_that_cannot_be(self, assert_does_not_start: Callable[..., None], tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        sentence = f"Cannot make the folder {tmp_path}/file/folder: Not a directory."
        assert_does_not_start(sentence, "--port", "0", "--store", f"{tmp_path}/file/folder/x.sqlite")

    def test_a_store_in_trouble(
        self, assert_does_not_start: Callable[..., None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        hub = FakeHub()
        hub.start_trouble = "cannot open the file"
        monkeypatch.setattr(wiring, "build_hub", lambda _settings, _key: hub)
        assert_does_not_start("Cannot open the file.", *BRIEF)
