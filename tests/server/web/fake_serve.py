"""`bigtop serve` with a hub that answers without tables: `python -m tests.server.web.fake_serve [OPTIONS]`."""

import os
import sys

from server import wiring
from server.commands import serve
from server.hub.peer import Hub
from server.settings import Settings
from tests.server.web.fakes import FakeHub


def build_hub(settings: Settings, house_key: str) -> Hub:
    """With `HANG_ON_DRAIN` set, the hub never finishes to drain."""
    del settings, house_key
    hub = FakeHub()
    hub.hang_on_drain = "HANG_ON_DRAIN" in os.environ
    return hub


if __name__ == "__main__":
    wiring.build_hub = build_hub
    sys.exit(serve.main(sys.argv[1:]))
