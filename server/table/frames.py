"""The frames of one version of a table: for each audience what `server.table.views.view` would show it, encoded.

What everybody may know is encoded once, with holes for what a viewer alone may know. A frame is a copy of that with the
viewer's own values in the holes, so nothing that is said to one viewer can get into another's frame.
"""

from typing import Any, Final

import msgspec

from protocol.values import By
from server.table import acts
from server.table.fold import Transition
from server.table.happened import told
from server.table.state import Table
from server.table.views import Own, own, whole

_encode = msgspec.msgpack.Encoder().encode

_MARK: Final = b"\xc1" * 9
"""What a hole is marked with. No value looks like it: 0xC1 begins nothing in MessagePack, is no part of UTF-8, and a
number has at most eight bytes."""
_HOLE: Final[Any] = msgspec.Raw(_MARK)
_INVITE, _YOU, _DECISION, _DEADLINE = range(1, 2 * len(Own._fields), 2)
_GAME = 2 * len(Own._fields) + 1
"""Where among the parts the game's holes begin."""
_EVENTS = -2


class Frames:
    """The frames of a table as it is at one moment."""

    __slots__ = ("_asked", "_by", "_game", "_grace", "_moved", "_now", "_parts", "_table", "_transitions")

    def __init__(
        self, table: Table, now: int, grace: int, by: By = "server", transitions: tuple[Transition, ...] = ()
    ) -> None:
        """See `server.table.views.view`; `by` caused `transitions`. Nothing is made before the first frame is."""
        self._table = table
        self._now, self._grace = now, grace
        self._by: By = by
        self._transitions = transitions
        self._parts: list[bytes] = []

    def to(self, viewer: int | None) -> bytes:
        """The frame for a seat, or with `None` for the public."""
        if not self._parts:
            self._parts = self._public_parts()
        return b"".join(self._parts if viewer is None else self._parts_of(viewer))

    def _public_parts(self) -> list[bytes]:
        """The public's frame, cut at the holes: every second part is what lies in one."""
        table = self._table
        self._asked = table.to_act if table.status == "running" else ()
        self._moved = {act.seat for _, act, _ in self._transitions if isinstance(act, acts.Moved)}
        self._game = table.rules.observe_public(table.game) if table.begun else None
        game: Any = None
        seen: list[object] = []
        if self._game is not None:
            seen = [self._game[name] for name in table.rules.own]
            game = {**self._game, **dict.fromkeys(table.rules.own, _HOLE)}
        around = _encode(whole(table, Own(_HOLE, _HOLE, _HOLE, _HOLE), game, self._by, _HOLE)).split(_MARK)
        parts = [b""] * (2 * len(around) - 1)
        parts[::2] = around
        public = own(table, None, self._now, self._grace)
        parts[1::2] = map(_encode, (*public, *seen, told(self._transitions, None)))
        return parts

    def _parts_of(self, seat: int) -> list[bytes]:
        """The same with what a seat alone may know. Who is not asked for anything is told as much as the public."""
        table, parts = self._table, self._parts.copy()
        parts[_INVITE], parts[_YOU] = _encode(table.invite), _encode(seat)
        if seat in self._asked:
            mine = own(table, seat, self._now, self._grace)
            parts[_DECISION], parts[_DEADLINE] = _encode(mine.decision), _encode(mine.deadline_ms)
        if self._game is not None:
            parts[_GAME:_EVENTS:2] = map(_encode, table.rules.observe_own(table.game, seat, self._game))
        if seat in self._moved:
            parts[_EVENTS] = _encode(told(self._transitions, seat))
        return parts
