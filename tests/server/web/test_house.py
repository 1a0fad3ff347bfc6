"""The process of the house bots."""

import asyncio
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import islice
from pathlib import Path

import pytest
from structlog.typing import EventDict

from server import house
from server.house import KEY_VARIABLE, THINK_MS, THINK_VARIABLE, URL_VARIABLE, HouseBots, delays

KEY = "the-house-key"
REPORT = f"""
import os, signal, socket, sys
report = socket.create_connection(("127.0.0.1", int(os.environ["{URL_VARIABLE}"].rpartition(":")[2])))
def say(text): report.sendall(text.encode() + b"\\n")
"""
"""The beginning of programs that report to the test; the report ends with the process."""
UNTIL_STDIN_CLOSES = (
    REPORT
    + """
import select
say("has ended too soon" if select.select([sys.stdin], [], [], 0.1)[0] else "up")
sys.stdin.read()
"""
)


class Reports:
    """What the processes report."""

    def __init__(self) -> None:
        self.url = ""
        self._lines: asyncio.Queue[str] = asyncio.Queue()

    async def line(self) -> str:
        async with asyncio.timeout(10):
            return await self._lines.get()

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async for line in reader:
            self._lines.put_nowait(line.decode().strip())
        self._lines.put_nowait("has ended")
        writer.close()


@pytest.fixture
async def reports() -> AsyncIterator[Reports]:
    reports = Reports()
    server = await asyncio.start_server(reports.take, "127.0.0.1", 0)
    reports.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        yield reports


@asynccontextmanager
async def running(reports: Reports, program: str) -> AsyncIterator[HouseBots]:
    bots = HouseBots(reports.url, KEY, [sys.executable, "-c", program])
    bots.start()
    try:
        yield bots
    finally:
        await bots.stop()


def test_it_waits_longer_and_longer() -> None:
    assert list(islice(delays(), 8)) == [0.5, 1, 2, 4, 8, 16, 30, 30]


async def test_it_is_told_where_and_with_which_key(reports: Reports) -> None:
    program = REPORT + f"say(os.environ['{URL_VARIABLE}'] + ' ' + os.environ['{KEY_VARIABLE}'])"
    async with running(reports, program):
        assert await reports.line() == f"{reports.url} {KEY}"


@pytest.mark.parametrize("own", [None, "0"])
async def test_it_thinks_for_a_moment_unless_told_otherwise(
    reports: Reports, monkeypatch: pytest.MonkeyPatch, own: str | None
) -> None:
    monkeypatch.delenv(THINK_VARIABLE, raising=False)
    if own is not None:
        monkeypatch.setenv(THINK_VARIABLE, own)
    async with running(reports, REPORT + f"say(os.environ['{THINK_VARIABLE}'])"):
        assert await reports.line() == (own or str(THINK_MS))


async def test_it_is_started_again(reports: Reports, monkeypatch: pytest.MonkeyPatch, logged: list[EventDict]) -> None:
    monkeypatch.setattr(house, "FIRST_DELAY", 0.01)
    async with running(reports, REPORT + "say('up'); sys.exit(3)"):
        assert [await reports.line() for _ in range(6)] == ["up", "has ended"] * 3
    ended = [(entry["event"], entry["code"], entry["again_in_s"]) for entry in logged]
    assert ended[:2] == [("house_bots_ended", 3, 0.01), ("house_bots_ended", 3, 0.02)]


async def test_after_it_worked_for_long_it_is_started_again_soon(
    reports: Reports, monkeypatch: pytest.MonkeyPatch, logged: list[EventDict]
) -> None:
    monkeypatch.setattr(house, "FIRST_DELAY", 0.01)
    monkeypatch.setattr(house, "STEADY_SECONDS", 0.0)
    async with running(reports, REPORT + "say('up')"):
        assert [await reports.line() for _ in range(6)] == ["up", "has ended"] * 3
    assert {entry["again_in_s"] for entry in logged} == {0.01}


async def test_a_program_that_is_not_there(monkeypatch: pytest.MonkeyPatch, logged: list[EventDict]) -> None:
    waiting = asyncio.Event()

    def long_delay() -> Iterator[float]:
        waiting.set()
        return iter([60.0])

    monkeypatch.setattr(house, "delays", long_delay)
    bots = HouseBots("http://127.0.0.1:1", KEY, ["/nowhere/bigtop"])
    bots.start()
    await waiting.wait()
    await bots.stop()
    assert [entry["code"] for entry in logged] == ["an error (No such file or directory)"]
    assert bots.process is None


async def test_stopping_ends_it(reports: Reports) -> None:
    async with running(reports, UNTIL_STDIN_CLOSES) as bots:
        assert await reports.line() == "up"
    assert await reports.line() == "has ended"
    assert bots.process is not None
    assert bots.process.returncode == -15


async def test_stopping_ends_it_although_it_does_not_want(reports: Reports, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "STOP_SECONDS", 0.05)
    program = REPORT + "signal.signal(15, signal.SIG_IGN); say('up'); signal.pause()"
    async with running(reports, program) as bots:
        assert await reports.line() == "up"
    assert bots.process is not None
    assert bots.process.returncode == -9


async def test_stopping_what_has_ended(reports: Reports) -> None:
    async with running(reports, REPORT):
        assert await reports.line() == "has ended"


async def test_it_is_told_where_to_keep_who_it_is(reports: Reports) -> None:
    program = [sys.executable, "-c", REPORT + "say(' '.join(sys.argv[1:]))"]
    bots = HouseBots(reports.url, KEY, program, token_file=Path("/var/store-house"))
    bots.start()
    assert await reports.line() == "--token-file /var/store-house"
    await bots.stop()


async def test_stopping_what_has_not_begun() -> None:
    await HouseBots("", "").stop()


async def test_it_ends_with_the_server(reports: Reports) -> None:
    """Even if the server is killed: the pipe to the bots is closed by the system."""
    server = (
        "import asyncio, sys\n"
        "from server.house import HouseBots\n"
        "async def main():\n"
        f"    HouseBots({reports.url!r}, '', [sys.executable, '-c', {UNTIL_STDIN_CLOSES!r}]).start()\n"
        "    await asyncio.Event().wait()\n"
        "asyncio.run(main())\n"
    )
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", server)
    assert await reports.line() == "up"
    process.kill()
    await process.wait()
    assert await reports.line() == "has ended"


def test_the_command() -> None:
    """The key is in the environment, since arguments can be seen by others."""
    options = ("--serve", "--levels", "greedy,random", "--until-stdin-closes")
    assert (sys.executable, "-m", "clients.command", "bot", *options) == house.COMMAND
