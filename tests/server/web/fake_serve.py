"""`bigtop serve` with a hub that answers without tables: `python -m tests.server.web.fake_serve [OPTIONS]`."""

import os
import sys
from pathlib import Path

from server import wiring
from server.commands import serve
from server.hub.peer import Hub
from server.settings import Settings
from tests.server.web.fakes import FakeHub


def build_hub(settings: Settings, house_key: str) -> Hub:
    """A hub whose store is in trouble if its file says so; with `HANG_ON_DRAIN` set, it never finishes to drain."""
    del house_key
    hub = FakeHub()
    hub.hang_on_drain = "HANG_ON_DRAIN" in os.environ
    file = Path(settings.store)
    if not settings.memory and file.exists():
        hub.start_trouble = file.read_text()
    return hub


if __name__ == "__main__":
    wiring.build_hub = build_hub
    sys.exit(serve.main(sys.argv[1:]))
