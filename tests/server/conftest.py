"""What all tests of the server have in common."""

from collections.abc import Iterator

import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict


@pytest.fixture(autouse=True)
def logged() -> Iterator[list[EventDict]]:
    """Everything that is logged, instead of printing it."""
    with capture_logs() as entries:
        yield entries
