"""How log lines look, whoever logs."""

import asyncio
import io
import json
import logging
import re
from collections.abc import Callable, Iterator

import pytest
import structlog

from server import logs
from server.asked import Asked, asked
from server.logs import set_up_logging

SECRET = "a token"
Lines = Callable[[], list[str]]
SetUp = Callable[..., Lines]


@pytest.fixture
def set_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[SetUp]:
    """Set logging up as a fresh process would; what is logged can be read."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    levels = {name: logging.getLogger(name).level for name in logs.QUIET}
    filters = list(logging.getLogger("uvicorn.error").filters)
    output = io.StringIO()

    def set_up(*args: str) -> Lines:
        monkeypatch.setattr("sys.stderr", output)
        root.handlers.clear()
        set_up_logging(*args)
        return lambda: output.getvalue().splitlines()

    yield set_up
    structlog.reset_defaults()
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.getLogger("uvicorn.error").filters[:] = filters
    for name, before in levels.items():
        logging.getLogger(name).setLevel(before)


def log() -> structlog.typing.FilteringBoundLogger:
    logger: structlog.typing.FilteringBoundLogger = structlog.get_logger()
    return logger


def test_a_line_of_text(set_up: SetUp) -> None:
    lines = set_up("info")
    log().info("table_made", table="07abcdefghij", seats=4, reason="two words", nothing=None)
    pattern = r"\d{4}-\d\d-\d\dT[\d:.]+Z info \S*test_logs table_made table=07abcdefghij seats=4 "
    assert re.fullmatch(pattern + r'reason="two words" nothing=None process=\d+', lines()[0])


def test_a_line_of_json(set_up: SetUp) -> None:
    lines = set_up("info", "json")
    log().warning("worker_ended", worker=1, code=-9)
    entry = json.loads(lines()[0])
    assert list(entry)[:4] == ["timestamp", "level", "logger", "event"]
    assert (entry["level"], entry["event"], entry["worker"], entry["code"]) == ("warning", "worker_ended", 1, -9)
    assert entry["logger"].endswith("test_logs")


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("text", ["a\n2026 error forged", 'x" forged="1', "a forged=1", "\x1b[31m", "\r", "", "\u2028"])
def test_nobody_can_forge_a_line_or_a_field(set_up: SetUp, form: str, text: str) -> None:
    lines = set_up("info", form)
    log().info("said", text=text)
    (line,) = lines()
    assert line.isascii()
    assert line.isprintable()
    if form == "json":
        assert json.loads(line)["text"] == text
    else:
        assert f" text={json.dumps(text)} process=" in line


@pytest.mark.parametrize("form", ["text", "json"])
def test_what_an_exception_tells_is_not_logged(set_up: SetUp, form: str) -> None:
    lines = set_up("debug", form)
    try:
        raise ValueError(SECRET)
    except ValueError as wrong:
        log().exception("ours")
        log().error("ours", exc_info=wrong)
        logging.getLogger("uvicorn.error").exception("theirs", stack_info=True)
    assert len(lines()) == 3
    for line in lines():
        assert SECRET not in line
        assert "ValueError < test_logs.py:" in line


def test_what_asyncio_shows_of_a_task_is_not_logged(set_up: SetUp) -> None:
    lines = set_up("debug", "json")

    async def fail() -> None:
        raise ValueError(SECRET)

    async def leave_a_task_behind() -> None:
        task = asyncio.create_task(fail())
        await asyncio.wait([task])

    asyncio.run(leave_a_task_behind())
    (entry,) = map(json.loads, lines())
    assert entry["event"] == "Task exception was never retrieved"
    assert SECRET not in repr(entry)


def test_below_the_level_nothing_is_logged(set_up: SetUp) -> None:
    lines = set_up("warning")
    log().info("quiet")
    logging.getLogger("theirs").info("quiet")
    log().warning("loud")
    logging.getLogger("theirs").warning("loud")
    assert [line.split()[3] for line in lines()] == ["loud", "loud"]
    assert not log().is_enabled_for(logging.INFO)


def test_other_libraries_are_held_to_warnings_and_to_the_level(set_up: SetUp) -> None:
    lines = set_up("debug")
    logging.getLogger("uvicorn.access").info(SECRET)
    logging.getLogger("uvicorn.error").warning("Invalid HTTP request received.")
    set_up("error")
    logging.getLogger("asyncio").warning(SECRET)
    assert lines() == []


def test_what_happens_for_a_command_names_it(set_up: SetUp) -> None:
    lines = set_up("info", "json")
    for command in (Asked("c1", "r 1", "p1", 0.0), Asked("c2", "r2", None, 0.0)):
        token = asked.set(command)
        log().info("inside")
        asked.reset(token)
    log().info("outside")
    named = [(entry.get("connection"), entry.get("request"), entry.get("player")) for entry in map(json.loads, lines())]
    assert named == [("c1", "r 1", "p1"), ("c2", "r2", None), (None, None, None)]
