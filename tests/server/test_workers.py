"""The processes of `bigtop serve --workers`, with a stand-in for the worker: what is done when they come and go."""

import asyncio
import logging
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest

from server import workers as module
from server.logs import set_up_logging
from server.serving import StartError
from server.workers import Workers
from tests.server.store.redis_steps import until

SERVES = "print('ready', flush=True); sys.stdin.read()"
STUBBORN = f"signal.signal(15, signal.SIG_IGN); {SERVES}; signal.pause()"
HANGS = "sys.stdin.read()"
AFTER_A_WHILE = "[time.sleep(0.01) for _ in iter(lambda: os.path.exists(sys.argv[1]), True)]"
FAILS = "print('The store cannot be reached.')"


class Stand:
    """Workers that run a program which a test may exchange.

    Attributes:
        program: the file with the program; its one argument is the path of a file that it may look for.
    """

    def __init__(self, folder: Path, count: int = 2) -> None:
        self.program = folder / "worker.py"
        self.flag = folder / "flag"
        self.write(SERVES)
        self.started = asyncio.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        command = (sys.executable, str(self.program))
        self.workers = Workers(count, [str(self.flag)], "k" * 20, self._listener, command)

    def write(self, program: str) -> None:
        self.program.write_text(f"import os, signal, sys, time\n{program}\n")

    async def run(self) -> None:
        with self._listener:
            await self.workers.run(self.started.set)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[list[int]]:
        """From the start to the end that a signal brings. Gives the processes."""
        task = asyncio.create_task(self.run())
        async with asyncio.timeout(30):
            await self.started.wait()
            pids = self.workers.pids
            try:
                yield pids
            finally:
                if not task.done():
                    os.kill(os.getpid(), signal.SIGTERM)
                await task

    def new(self, than: list[int]) -> bool:
        """Whether all processes have been exchanged."""
        return len(self.workers.pids) == len(than) and not set(self.workers.pids) & set(than)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def stand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stand]:
    monkeypatch.setattr(module, "delays", lambda: repeat(0.0))
    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    set_up_logging("info")
    root.setLevel(logging.INFO)
    yield Stand(tmp_path)
    root.setLevel(level)
    root.handlers = handlers


async def test_they_serve_until_a_signal_comes(stand: Stand) -> None:
    async with stand.running() as pids:
        assert len(set(pids)) == 2
        assert all(alive(pid) for pid in pids)
    assert not any(alive(pid) for pid in pids)


async def test_one_that_ends_is_replaced(stand: Stand, caplog: pytest.LogCaptureFixture) -> None:
    async with stand.running() as (first, second):
        os.kill(first, signal.SIGKILL)
        await until(lambda: len(stand.workers.pids) == 2 and first not in stand.workers.pids)
        assert second in stand.workers.pids
    assert f"'worker': 0, 'pid': {first}, 'code': -9, 'event': 'worker_ended'" in caplog.text


async def test_one_that_worked_for_long_is_replaced_at_once(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STEADY_SECONDS", 0.0)
    async with stand.running() as (first, _):
        monkeypatch.setattr(module, "delays", lambda: iter([600.0]))
        os.kill(first, signal.SIGKILL)
        await until(lambda: len(stand.workers.pids) == 2 and first not in stand.workers.pids)


async def test_it_is_tried_until_one_serves(stand: Stand, caplog: pytest.LogCaptureFixture) -> None:
    async with stand.running() as (first, _):
        stand.write(FAILS)
        os.kill(first, signal.SIGKILL)
        await until(lambda: caplog.text.count("worker_not_started") > 2)
        stand.write(SERVES)
        await until(lambda: len(stand.workers.pids) == 2)
    assert "'reason': 'The store cannot be reached.'" in caplog.text


async def test_a_hangup_exchanges_them(stand: Stand) -> None:
    async with stand.running() as pids:
        os.kill(os.getpid(), signal.SIGHUP)
        await until(lambda: stand.new(pids))
        await until(lambda: not any(alive(pid) for pid in pids))


async def test_of_two_hangups_the_second_counts_too(stand: Stand, caplog: pytest.LogCaptureFixture) -> None:
    async with stand.running() as pids:
        os.kill(os.getpid(), signal.SIGHUP)
        await until(lambda: pids[0] not in stand.workers.pids)
        os.kill(os.getpid(), signal.SIGHUP)
        await until(lambda: caplog.text.count("'exchanged'") == 2)
        assert stand.new(pids)


async def test_a_program_that_cannot_start_takes_nobodys_place(stand: Stand, caplog: pytest.LogCaptureFixture) -> None:
    async with stand.running() as pids:
        stand.write(FAILS)
        os.kill(os.getpid(), signal.SIGHUP)
        await until(lambda: "exchange_failed" in caplog.text)
        assert stand.workers.pids == pids


async def test_one_that_dies_while_it_is_exchanged_has_one_successor(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []
    start = asyncio.create_subprocess_exec

    async def noted(*command: str, **options: Any) -> asyncio.subprocess.Process:
        begun.append(command[1])
        return await start(*command, **options)

    async with stand.running() as pids:
        monkeypatch.setattr(asyncio, "create_subprocess_exec", noted)
        stand.write(f"{AFTER_A_WHILE}; {SERVES}")
        os.kill(os.getpid(), signal.SIGHUP)
        await until(lambda: len(begun) == 1)
        os.kill(pids[0], signal.SIGKILL)
        await until(lambda: pids[0] not in stand.workers.pids)
        stand.flag.touch()
        await until(lambda: stand.new(pids))
    assert len(begun) == 2


async def test_who_does_not_stop_is_killed(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STOP_SECONDS", 0.05)
    stand.write(STUBBORN)
    async with stand.running() as pids:
        pass
    assert not any(alive(pid) for pid in pids)


async def test_a_stop_in_the_middle_of_an_exchange_leaves_nobody_behind(stand: Stand) -> None:
    stand.write(STUBBORN)
    with pytest.MonkeyPatch.context() as patient:
        async with stand.running() as pids:
            os.kill(os.getpid(), signal.SIGHUP)
            await until(lambda: pids[0] not in stand.workers.pids)
            assert alive(pids[0])
            pids += stand.workers.pids
            patient.setattr(module, "STOP_SECONDS", 0.05)
        assert not any(alive(pid) for pid in pids)


async def test_a_second_signal_ends_it_at_once(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    codes: list[int] = []
    monkeypatch.setattr(os, "_exit", codes.append)
    stand.write(STUBBORN)
    async with stand.running() as pids:
        os.kill(os.getpid(), signal.SIGTERM)
        await until(stand.workers._stopping.is_set)
        os.kill(os.getpid(), signal.SIGINT)
        await until(lambda: bool(codes))
    assert codes[0] == 128 + signal.SIGINT
    assert not any(alive(pid) for pid in pids)


async def test_a_stop_before_they_serve(stand: Stand) -> None:
    stand.write(f"open(sys.argv[1], 'w').write(str(os.getpid()))\n{HANGS}")
    task = asyncio.create_task(stand.run())
    await until(lambda: stand.flag.exists() and bool(stand.flag.read_text()))
    os.kill(os.getpid(), signal.SIGTERM)
    async with asyncio.timeout(10):
        await task
    assert not stand.started.is_set()
    assert not alive(int(stand.flag.read_text()))


class TestNoStart:
    @pytest.mark.parametrize(
        ("program", "sentence"),
        [(FAILS, "The store cannot be reached."), ("", "A worker could not start."), ("exit(3)", "could not start")],
    )
    async def test_the_first_says_why(self, stand: Stand, program: str, sentence: str) -> None:
        stand.write(program)
        with pytest.raises(StartError, match=sentence):
            await stand.run()

    async def test_one_of_the_others_cannot(self, stand: Stand) -> None:
        first = stand.program.with_name("first")
        stand.write(
            f"if os.path.exists({str(first)!r}): {FAILS}\n"
            f"else: open({str(first)!r}, 'w').write(str(os.getpid())); {SERVES}"
        )
        with pytest.raises(StartError, match="cannot be reached"):
            await stand.run()
        assert not alive(int(first.read_text()))

    async def test_one_that_hangs(self, stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "START_SECONDS", 0.2)
        stand.write(HANGS)
        with pytest.raises(StartError, match="did not begin to serve in time"):
            await stand.run()

    async def test_a_program_that_is_not_there(self, stand: Stand) -> None:
        stand.workers._command = ("/nowhere/python",)
        with pytest.raises(StartError, match=r"Cannot start a worker: No such file"):
            await stand.run()
