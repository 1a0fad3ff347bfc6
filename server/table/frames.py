"""The frames of one version of a table: for each audience what `server.table.views.view` would show it, encoded.

What everybody may know is encoded once, with holes for what a viewer alone may know. A frame is a copy of that with the
viewer's own values in the holes, so nothing that is said to one viewer can get into another's frame.
"""

from collections.abc import Callable
from dataclasses import fields
from functools import cache, cached_property
from operator import attrgetter
from typing import Any, Final

import msgspec

from protocol.values import By
from server.table import acts
from server.table.fold import Transition
from server.table.happened import happened
from server.table.state import Table
from server.table.views import Own, own, whole

_encode = msgspec.msgpack.Encoder().encode

_MARK: Final = b"\xc1" * 9
"""What a hole is marked with. No value looks like it: 0xC1 begins nothing in MessagePack, is no part of UTF-8, and a
number has at most eight bytes."""
_HOLE: Final[Any] = msgspec.Raw(_MARK)


class Frames:
    """The frames of a table as it is at one moment."""

    def __init__(
        self, table: Table, now: int, grace: int, by: By = "server", transitions: tuple[Transition, ...] = ()
    ) -> None:
        """See `server.table.views.view`; `by` caused `transitions`."""
        self._table = table
        self._now, self._grace = now, grace
        self._by: By = by
        self._transitions = transitions

    def to(self, viewer: int | None) -> bytes:
        """The frame for a seat, or with `None` for the public."""
        parts = self._parts.copy()
        # The holes in their order: the fields of the table, those of the game, and the events.
        parts[1::2] = [*map(_encode, self._own(viewer)), *map(_encode, self._own_game(viewer)), self._told(viewer)]
        return b"".join(parts)

    @cached_property
    def _parts(self) -> list[bytes]:
        """What all frames have in common; at odd places the holes."""
        shared = whole(self._table, Own(*[_HOLE] * len(Own._fields)), self._game_with_holes(), self._by, _HOLE)
        pieces = _encode(shared).split(_MARK)
        parts = [b""] * (2 * len(pieces) - 1)
        parts[::2] = pieces
        return parts

    @cached_property
    def _game(self) -> Any:
        """The game as the public sees it, once there is one."""
        return self._table.rules.observe(self._table.game, None) if self._table.begun else None

    def _game_with_holes(self) -> Any:
        if self._game is None:
            return None
        names, values = _fields(type(self._game))  # type: ignore[arg-type]  # mypy does not see that a type is hashable
        return {**dict(zip(names, values(self._game), strict=True)), **dict.fromkeys(self._table.rules.own, _HOLE)}

    @cached_property
    def _public(self) -> Own:
        return own(self._table, None, self._now, self._grace)

    def _own(self, viewer: int | None) -> Own:
        if viewer is None:
            return self._public
        if viewer in self._table.to_act:
            return own(self._table, viewer, self._now, self._grace)
        return self._public._replace(you=viewer, invite=self._table.invite)

    def _own_game(self, viewer: int | None) -> tuple[object, ...]:
        if self._game is None:
            return ()
        rules = self._table.rules
        if viewer is None:
            return tuple(getattr(self._game, name) for name in rules.own)
        return rules.observe_own(self._table.game, viewer, self._game)

    @cached_property
    def _told_to_all(self) -> bytes:
        return _encode(happened(self._transitions, None))

    def _told(self, viewer: int | None) -> bytes:
        """What happened; who moved is told more of it than the others."""
        if any(isinstance(act, acts.Moved) and act.seat == viewer for _, act, _ in self._transitions):
            return _encode(happened(self._transitions, viewer))
        return self._told_to_all


@cache
def _fields(view: type[Any]) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]:
    """The names of the fields of a game's view, and what reads them all."""
    names = tuple(field.name for field in fields(view))
    return names, attrgetter(*names)
