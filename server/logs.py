"""Logging: everything goes to standard error, one line an event, with ids and never a secret."""

import logging

import structlog

QUIET = ("uvicorn", "asyncio")
"""Below warnings these log addresses with their queries, and frames with their tokens."""


def set_up_logging(level: str) -> None:
    """Log from `level` on, whichever of the two libraries an event comes through."""
    logging.basicConfig(level=level.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").addFilter(_is_no_client_error)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.processors.format_exc_info,
            structlog.processors.KeyValueRenderer(key_order=["event"]),
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )


def _is_no_client_error(record: logging.LogRecord) -> bool:
    """uvicorn logs a traceback for text that is not UTF-8 and a warning for bad HTTP, as often as a client likes."""
    return not str(record.msg).startswith(("Invalid UTF-8", "Invalid HTTP", "Unsupported upgrade", "No supported"))
