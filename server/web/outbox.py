"""What a connection has yet to be sent. Pure: the time is passed in, and nothing is written here.

Replies and pushes keep their order. Of a table's views only the newest is kept, and so is only the newest push of a
key. What replaces an unsent frame takes its place in the queue, so that a busy table neither falls behind the others
nor grows the queue: it is sent no later than in a plain queue. A view that is sent *again* (the same version) goes to
the end instead, since whoever asked for it expects it after the reply.

The outbox is over its limits when too many replies wait, or when a seat's view has waited for too long. A spectator's
view may wait for ever; it only is replaced.
"""

from collections import OrderedDict
from dataclasses import dataclass

from server import metrics

REMEMBERED_TABLES = 4096
"""For how many tables the outbox knows which version was sent last."""


@dataclass(frozen=True, slots=True)
class OutboxLimits:
    """What may wait.

    Attributes:
        frames: how many replies and pushes.
        frame_bytes: how large these may be together.
        seat_seconds: for how long a seat may leave a view unread.
    """

    frames: int = 1024
    frame_bytes: int = 4 * 1024 * 1024
    seat_seconds: float = 10.0


@dataclass(slots=True)
class _Slot:
    frame: bytes
    fixed: bool
    seated_since: float | None = None


class Outbox:
    """A bounded queue of encoded frames."""

    def __init__(self, limits: OutboxLimits) -> None:
        self._limits = limits
        self._slots: OrderedDict[object, _Slot] = OrderedDict()
        self._serial = 0
        self._fixed = 0
        self._fixed_bytes = 0
        self._newest: OrderedDict[str, int] = OrderedDict()

    def __len__(self) -> int:
        return len(self._slots)

    def put(self, frame: bytes) -> bool:
        """Queue a reply or a push. Returns whether there was room."""
        if self._fixed >= self._limits.frames or self._fixed_bytes + len(frame) > self._limits.frame_bytes:
            return False
        self._serial += 1
        self._slots[self._serial] = _Slot(frame, fixed=True)
        self._fixed += 1
        self._fixed_bytes += len(frame)
        return True

    def put_latest(self, key: str, frame: bytes) -> None:
        """Queue a push of which only the newest with this key matters."""
        slot = self._slots.get(("latest", key))
        if slot is None:
            self._slots["latest", key] = _Slot(frame, fixed=False)
        else:
            slot.frame = frame

    def pass_view(self, table: str, version: int) -> bool:
        """Whether a view may be written while nothing waits: not if a newer one of its table went before."""
        if version < self._newest.get(table, -1):
            return False
        self._note(table, version)
        return True

    def put_view(self, table: str, version: int, seated: bool, frame: bytes, now: float) -> None:
        """Queue a view, unless a newer one of its table was queued before."""
        newest = self._newest.get(table, -1)
        if version < newest:
            return
        self._note(table, version)
        key = ("view", table)
        slot = self._slots.get(key)
        if slot is None:
            slot = self._slots[key] = _Slot(frame, fixed=False)
        elif version == newest:
            self._slots.move_to_end(key)
        else:
            metrics.view_replaced()
        slot.frame = frame
        if not seated:
            slot.seated_since = None
        elif slot.seated_since is None:
            slot.seated_since = now

    def take(self) -> bytes | None:
        """The next frame to write; `None` if nothing waits."""
        if not self._slots:
            return None
        _, slot = self._slots.popitem(last=False)
        if slot.fixed:
            self._fixed -= 1
            self._fixed_bytes -= len(slot.frame)
        return slot.frame

    def overdue(self, now: float) -> bool:
        """Whether a seat's view has waited for too long."""
        latest = now - self._limits.seat_seconds
        return any(slot.seated_since is not None and slot.seated_since < latest for slot in self._slots.values())

    def clear(self) -> None:
        """Drop everything that waits."""
        self._slots.clear()
        self._fixed = self._fixed_bytes = 0

    def _note(self, table: str, version: int) -> None:
        """Note what was sent, and forget the table that was longest without a view, unless one waits."""
        self._newest[table] = version
        self._newest.move_to_end(table)
        if len(self._newest) > REMEMBERED_TABLES:
            table = next(iter(self._newest))
            if ("view", table) not in self._slots:
                del self._newest[table]
