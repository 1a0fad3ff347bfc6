"""What all tests share."""

from collections.abc import Generator
from pathlib import Path

import pytest
from coverage import Coverage

HERE = Path(__file__).parent
REPEATING = tuple(HERE / part for part in ("engine", "protocol", "server/table", "server/hub"))
"""Where slow tests are further examples of what quick ones cover."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Measure no coverage during further examples: that would only make them take twice as long."""
    measuring = Coverage.current()
    further = "slow" in item.keywords and any(item.path.is_relative_to(part) for part in REPEATING)
    if measuring is None or not further:
        return (yield)
    measuring.stop()
    try:
        return (yield)
    finally:
        measuring.start()
