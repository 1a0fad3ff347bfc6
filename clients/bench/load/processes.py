"""Servers as processes of their own, on a core of their own, and what they cost. Linux only: it reads `/proc`."""

import os
import re
import select
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from clients.bench.load.errors import BenchError

START_SECONDS: Final = 30.0
STOP_SECONDS: Final = 15.0
_LISTENING: Final = re.compile(r"listening on http://127\.0\.0\.1:(\d+)")
_TICK: Final = 1 / os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 0.01


def cores() -> tuple[int, int]:
    """A core for the server and one for everything else: the same one where there is only one. Raises `BenchError`."""
    if sys.platform != "linux":
        raise BenchError("Servers are measured on Linux only.")
    allowed = sorted(os.sched_getaffinity(0))
    return allowed[-1], allowed[0]


class Process:
    """A process on a core of its own, until the end of its `with`."""

    def __init__(self, name: str, arguments: list[str], core: int, stdin: int = subprocess.DEVNULL) -> None:
        self._name = name
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115  # closed with the process
        own = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {core})  # the process and all its threads inherit it
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", *arguments],
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                env={key: value for key, value in os.environ.items() if not key.startswith("BIGTOP_")},
            )
        finally:
            os.sched_setaffinity(0, own)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stop()
        complaint = self._complaint()
        self._errors.close()
        if complaint and (kind is None or isinstance(error, BenchError)):
            raise BenchError(f"The {self._name} complained: {complaint}") from error

    def rss_kib(self) -> int:
        """The memory it occupies."""
        return sum(int(_status(pid, "VmRSS").split()[0]) for pid in self._processes())

    def cpu_seconds(self) -> float:
        """The processor time it has used."""
        return sum(cpu_seconds(pid) for pid in self._processes())

    def _processes(self) -> list[int]:
        """Itself and its workers."""
        return [self._process.pid, *self.children()]

    def children(self) -> list[int]:
        """The workers of a server that has several."""
        pid = self._process.pid
        try:
            return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        except OSError:
            return []

    def _line(self, seconds: float) -> str:
        """The next line that it prints; empty if none comes in time. There must be no other one after it."""
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], seconds)
        return self._process.stdout.readline().decode() if ready else ""

    def _not_started(self) -> BenchError:
        self._stop()
        complaint = self._complaint() or "it said nothing."
        self._errors.close()
        return BenchError(f"The {self._name} did not start: {complaint}")

    def _stop(self) -> None:
        self._ask_to_stop()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def _ask_to_stop(self) -> None:
        self._process.send_signal(signal.SIGTERM)

    def _complaint(self) -> str:
        self._errors.seek(0)
        lines = self._errors.read().strip().splitlines()
        return lines[-1] if lines else ""


class Server(Process):
    """A server that listens.

    Attributes:
        port: where.
    """

    def __init__(self, name: str, arguments: list[str], core: int) -> None:
        """Start it. Raises `BenchError` if it does not come to listen."""
        super().__init__(name, arguments, core)
        printed = ""
        while not (found := _LISTENING.search(printed)):
            line = self._line(START_SECONDS)
            if not line:
                raise self._not_started()
            printed += line
        self.port = int(found[1])


def cpu_seconds(pid: int) -> float:
    """The processor time that a process and its threads have used. Raises `BenchError` if there is none."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError as error:
        raise BenchError("The server has ended.") from error
    return (int(words[11]) + int(words[12])) * _TICK


def _status(pid: int, name: str) -> str:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        key, _, value = line.partition(":")
        if key == name:
            return value
    raise BenchError("The server has ended.")
