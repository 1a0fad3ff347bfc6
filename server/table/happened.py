"""What one viewer is told of a step, event by event."""

from collections.abc import Callable
from typing import Any, cast, get_args

import msgspec

from engine.game import CHANCE
from protocol import table_events
from protocol.pushes import AnyEvent
from protocol.scout import AnyScoutEvent
from server.table import acts
from server.table.fold import Transition

_IN_GAME = (acts.Moved, acts.Chance)


def happened(transitions: tuple[Transition, ...], viewer: int | None) -> tuple[AnyEvent, ...]:
    """The events of a step, as `viewer` (a seat, or `None` for the public) may know them, in order.

    Of all viewers only who moved is told more than the public (`engine.game.Game.describe`).
    """
    return tuple(map(_message, told(transitions, viewer)))


def told(transitions: tuple[Transition, ...], viewer: int | None) -> list[Any]:
    """The same with the game's events as its engine describes them; encoded they are alike."""
    events: list[Any] = []
    for before, act, after in transitions:
        if isinstance(act, _IN_GAME):
            assert before is not None
            actor = act.seat if isinstance(act, acts.Moved) else CHANCE
            rules = after.rules
            events += rules.describe(before.game, actor, rules.read(act.move), after.game, viewer)
        else:
            events.append(_TOLD[type(act)](act))
    return events


def _message(event: Any) -> AnyEvent:
    """An event of a game as the protocol has it; the others are of the protocol."""
    if isinstance(event, table_events.TableEvent):
        return cast(AnyEvent, event)
    return msgspec.convert(event, _GAME_EVENTS[event.kind], from_attributes=True)


# Converting to their union would put it together anew each time, at ten times the cost.
_GAME_EVENTS: dict[str, type[AnyScoutEvent]] = {
    str(kind.__struct_config__.tag): kind for kind in get_args(AnyScoutEvent)
}
_TOLD: dict[type[Any], Callable[[Any], AnyEvent]] = {
    acts.Created: lambda act: table_events.Created(),
    acts.Sat: lambda act: table_events.Sat(seat=act.seat, name=act.name, bot=act.bot),
    acts.Stood: lambda act: table_events.Stood(seat=act.seat, reason=act.reason),
    acts.BotAsked: lambda act: table_events.BotAsked(seat=act.seat, level=act.level),
    acts.BotsOffered: lambda act: table_events.BotsOffered(),
    acts.Readied: lambda act: table_events.Readied(
        seat=act.seat, commitment=act.commitment.hex() if act.commitment is not None else None
    ),
    acts.RevealAsked: lambda act: table_events.RevealAsked(),
    acts.Revealed: lambda act: table_events.Revealed(seat=act.seat),
    acts.Started: lambda act: table_events.Started(seats=act.seats),
    acts.Minded: lambda act: table_events.Minded(seat=act.seat, reason=act.reason),
    acts.Back: lambda act: table_events.Back(seat=act.seat),
    acts.SaidNext: lambda act: table_events.SaidNext(seat=act.seat),
    acts.Voted: lambda act: table_events.Voted(seat=act.seat, against=act.against),
    acts.Rematched: lambda act: table_events.RematchMade(seat=act.seat, table=act.table),
    acts.Closed: lambda act: table_events.TableClosed(reason=act.reason),
}
