"""Views for tests."""

from typing import Any

from msgspec.structs import replace

from protocol.options import TableOptions
from protocol.pushes import TableSeat, View
from protocol.scout import RoundResult, ScoutSeat, ScoutView
from protocol.values import Card
from tests.clients.fake import EMPTY
from tests.clients.script import HEAD, TABLE

NAMES = ("Ada", "Bo", "Cy")


def seats(names: tuple[str | None, ...] = NAMES, **fields: Any) -> tuple[TableSeat, ...]:
    return tuple(replace(EMPTY, name=name, player=name and "0" * 16, **fields) for name in names)


def table_view(
    *, version: int = 1, commitments: tuple[str | None, ...] = (), names: tuple[str | None, ...] = NAMES, **fields: Any
) -> View:
    known = seats(names)
    for seat, commitment in enumerate(commitments):
        known = (*known[:seat], replace(known[seat], commitment=commitment), *known[seat + 1 :])
    view = View(
        table=TABLE,
        version=version,
        head=HEAD,
        status="open",
        options=TableOptions(seats=len(names)),
        quick=False,
        commitment=HEAD,
        seed=None,
        invite=None,
        seats=known,
        you=None,
        decision=None,
        to_act=(),
        deadline_ms=None,
        bots_offered=False,
        rematch=None,
        closed=None,
        game=None,
        by="player",
        events=(),
    )
    return replace(view, **fields)


def scout_seat(**fields: Any) -> ScoutSeat:
    seat = ScoutSeat(cards=12, captured=0, tokens=0, scout_show=True, chosen=True, held=(), points=0)
    return replace(seat, **fields)


def scout_view(**fields: Any) -> ScoutView:
    view = ScoutView(
        viewer=None,
        round=1,
        rounds=3,
        phase="play",
        start=0,
        turn=0,
        hand=None,
        turned=None,
        active=(),
        owner=None,
        scouts=0,
        gone=(),
        seats=tuple(scout_seat() for _ in NAMES),
        results=(),
        winners=None,
    )
    return replace(view, **fields)


def result(round: int = 1, **fields: Any) -> RoundResult:
    known = RoundResult(
        round=round,
        reason="unbeaten",
        ender=1,
        captured=(4, 7, 0),
        tokens=(1, 0, 2),
        hand=(3, 2, 5),
        waived=1,
        scores=(2, 7, -3),
    )
    return replace(known, **fields)


HAND: tuple[Card, ...] = ((7, 2), (7, 4), (1, 3), (10, 6))
