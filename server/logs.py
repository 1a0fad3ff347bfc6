"""Logging: everything goes to standard error, one line an event, with ids and never a secret.

An event has a name and fields. Those that happen while a command is carried out name its connection, its id and its
player. Messages of exceptions may hold anything, so only their kind and place are logged, whoever logs them.
"""

import json
import logging
import re
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from server.asked import asked
from server.faults import fault

QUIET = ("uvicorn", "asyncio")
"""Below warnings these log addresses with their queries, and frames with their tokens."""

_PLAIN = re.compile(r"[\w.:/@+-]+", re.ASCII)


def set_up_logging(level: str, form: str = "text") -> None:
    """Log from `level` on, whichever of the two libraries an event comes through.

    Args:
        level: `debug`, `info`, `warning` or `error`.
        form: `text`, or `json` with one object a line.
    """
    least = logging.getLevelNamesMapping()[level.upper()]
    always: list[Processor] = [
        _of_what_is_asked,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.CallsiteParameterAdder({structlog.processors.CallsiteParameter.PROCESS}),
        _without_messages,
    ]
    handler = logging.StreamHandler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[_first_line, *always],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                _in_order,
                structlog.processors.JSONRenderer() if form == "json" else _as_text,
            ],
        )
    )
    logging.basicConfig(level=least, handlers=[handler])
    for name in QUIET:
        logging.getLogger(name).setLevel(max(least, logging.WARNING))
    logging.getLogger("uvicorn.error").addFilter(_is_no_client_error)
    structlog.configure(
        processors=[*always, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(least),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )


def _of_what_is_asked(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    command = asked.get()
    if command is not None:
        event.setdefault("connection", command.connection)
        event.setdefault("request", command.request)
        if command.player is not None:
            event.setdefault("player", command.player)
    return event


def _without_messages(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """An exception's kind and place, in place of its traceback with all messages."""
    raised = event.pop("exc_info", None)
    if raised is True:
        raised = sys.exc_info()
    if isinstance(raised, tuple):
        raised = raised[1]
    if isinstance(raised, BaseException):
        event["fault"] = fault(raised)
    event.pop("stack_info", None)
    return event


def _first_line(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """What another library says; asyncio's further lines show tasks with the messages of their exceptions."""
    event["event"] = str(event["event"]).strip().partition("\n")[0]
    return event


def _in_order(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    first = {"timestamp": event["timestamp"], "level": event["level"], "logger": event["logger"]}
    return {**first, "event": event["event"], **event}


def _as_text(_logger: WrappedLogger, _method: str, event: MutableMapping[str, Any]) -> str:
    """Only what cannot be mistaken for something else stands without quotes, so nobody can forge a line or a field."""
    heading = [str(event.pop(name)) for name in ("timestamp", "level", "logger")]
    heading.append(_quoted(event.pop("event")))
    return " ".join([*heading, *(f"{name}={_quoted(value)}" for name, value in event.items())])


def _quoted(value: object) -> str:
    text = str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text)


def _is_no_client_error(record: logging.LogRecord) -> bool:
    """uvicorn logs a traceback for text that is not UTF-8 and a warning for bad HTTP, as often as a client likes."""
    return not str(record.msg).startswith(("Invalid UTF-8", "Invalid HTTP", "Unsupported upgrade", "No supported"))
