"""The load on the bare fan-out server: in each group of four one frame is under way, as at a table one move is."""

import time

from clients.bench.load.fanout import REPLY, SUBPROTOCOL
from clients.bench.load.tally import Load
from clients.bench.load.wire import Link

MEMBERS = 4


class Member(Link):
    """One of four. The frames have no contents, so each knows by counting whose turn it is."""

    def __init__(self, load: Load, group: int, place: int, inbound: int, outbound: int) -> None:
        self._load = load
        self._place = place
        self._frame = bytes(inbound)
        self._seen = 0
        super().__init__(load.wire, load.port, f"/ws/{group}/{outbound}", SUBPROTOCOL)
        if not place:
            load.waiting.append(self)

    def receive(self, frame: bytes) -> None:
        if len(frame) == len(REPLY):
            self._load.under_way -= 1
            self._load.tally.moves += 1
            return
        self._load.tally.views += 1
        self._seen += 1
        if self._seen % MEMBERS == self._place:
            if self._load.flowing:
                self.move(time.perf_counter())
            else:
                self._load.waiting.append(self)

    def move(self, at: float) -> None:
        """Send a frame."""
        self._load.under_way += 1
        self.send(self._frame)


def connect(load: Load, groups: int, inbound: int, outbound: int) -> None:
    """Connect four members for each group, whose frames have these sizes."""
    for group in range(groups):
        for place in range(MEMBERS):
            Member(load, group, place, inbound, max(outbound, len(REPLY) + 1))
