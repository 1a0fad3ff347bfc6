"""What one viewer is told of a step, event by event."""

from collections.abc import Callable
from typing import Any, get_args

import msgspec

from engine.game import CHANCE
from protocol import table_events as told
from protocol.pushes import AnyEvent
from protocol.scout import AnyScoutEvent
from server.table import acts
from server.table.fold import Transition


def happened(transitions: tuple[Transition, ...], viewer: int | None) -> tuple[AnyEvent, ...]:
    """The events of a step, as `viewer` (a seat, or `None` for the public) may know them, in order."""
    events: list[AnyEvent] = []
    for before, act, after in transitions:
        if isinstance(act, acts.Moved | acts.Chance):
            assert before is not None
            actor = act.seat if isinstance(act, acts.Moved) else CHANCE
            rules = after.rules
            described = rules.describe(before.game, actor, rules.read(act.move), after.game, viewer)
            events += [msgspec.convert(event, _GAME_EVENTS[event.kind], from_attributes=True) for event in described]
        else:
            events.append(_TOLD[type(act)](act))
    return tuple(events)


# Converting to their union would put it together anew each time, at ten times the cost.
_GAME_EVENTS: dict[str, type[AnyScoutEvent]] = {
    str(kind.__struct_config__.tag): kind for kind in get_args(AnyScoutEvent)
}
_TOLD: dict[type[Any], Callable[[Any], AnyEvent]] = {
    acts.Created: lambda act: told.Created(),
    acts.Sat: lambda act: told.Sat(seat=act.seat, name=act.name, bot=act.bot),
    acts.Stood: lambda act: told.Stood(seat=act.seat, reason=act.reason),
    acts.BotAsked: lambda act: told.BotAsked(seat=act.seat, level=act.level),
    acts.BotsOffered: lambda act: told.BotsOffered(),
    acts.Readied: lambda act: told.Readied(
        seat=act.seat, commitment=act.commitment.hex() if act.commitment is not None else None
    ),
    acts.RevealAsked: lambda act: told.RevealAsked(),
    acts.Revealed: lambda act: told.Revealed(seat=act.seat),
    acts.Started: lambda act: told.Started(seats=act.seats),
    acts.Minded: lambda act: told.Minded(seat=act.seat, reason=act.reason),
    acts.Back: lambda act: told.Back(seat=act.seat),
    acts.SaidNext: lambda act: told.SaidNext(seat=act.seat),
    acts.Voted: lambda act: told.Voted(seat=act.seat, against=act.against),
    acts.Rematched: lambda act: told.RematchMade(seat=act.seat, table=act.table),
    acts.Closed: lambda act: told.TableClosed(reason=act.reason),
}
