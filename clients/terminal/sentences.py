"""What happened at a table, as English sentences. All of their words are in this module."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from protocol.pushes import AnyEvent, Step, View
from protocol.scout import (
    Chose,
    Dealt,
    GameOver,
    RoundOver,
    Scouted,
    ScoutShowed,
    Showed,
)
from protocol.table_events import (
    Back,
    BotAsked,
    BotsOffered,
    Created,
    Minded,
    Readied,
    RematchMade,
    RevealAsked,
    Revealed,
    SaidNext,
    Sat,
    Started,
    Stood,
    TableClosed,
    Voted,
)

STOOD: Final = {
    "stood": "{They} {stand} up.",
    "cleared": "Seat {seat} is free again.",
    "unready": "{They} {were} not ready in time and {lose} the seat.",
    "unrevealed": "{They} did not answer in time and {lose} the seat.",
}
MINDED: Final = {
    "time": "{Their} time has run out; from now on the minder plays.",
    "left": "{They} {have} left for good; from now on the minder plays.",
    "voted": "{They} {have} been away for long; from now on the minder plays.",
}
COME_BACK: Final = "Type anything to play yourself again."
CLOSED: Final = {
    "empty": "The table is closed: nobody is left.",
    "abandoned": "The table is closed: nobody has played for long.",
    "operator": "The operator closed the table.",
    "store": "The table is closed: the server lost part of it.",
    "no_such_table": "The table is gone.",
    "left": "You have left the table.",
}
_SECOND: Final = {"stands": "stand", "was": "were", "loses": "lose", "has": "have", "is": "are"}


@dataclass(frozen=True, slots=True)
class Cast:
    """Who sits where, for the sentences: the names as people may see them, and the reader's own seat."""

    names: tuple[str | None, ...]
    you: int | None = None

    def name(self, seat: int) -> str:
        """The seat's player, in the third person."""
        return self.names[seat] or f"Seat {seat + 1}"

    def they(self, seat: int) -> str:
        """The seat's player at the beginning of a sentence."""
        return "You" if seat == self.you else self.name(seat)

    def them(self, seat: int) -> str:
        """The seat's player within a sentence."""
        return "you" if seat == self.you else self.name(seat)

    def their(self, seat: int) -> str:
        """Of the seat's player, within a sentence."""
        return "your" if seat == self.you else f"{self.name(seat)}'s"

    def does(self, seat: int, verb: str) -> str:
        """The seat's player with a `verb` that is given in the third person, at the beginning of a sentence."""
        return f"{self.they(seat)} {self.verb(seat, verb)}"

    def verb(self, seat: int, verb: str) -> str:
        """The form of a verb that fits."""
        return _SECOND.get(verb, verb.removesuffix("s")) if seat == self.you else verb


def cast_of(view: View) -> Cast:
    """Who sits at the table of a view."""
    return Cast(tuple(None if seat.name is None else clean(seat.name) for seat in view.seats), view.you)


def clean(name: str) -> str:
    """A name without characters that a terminal might obey."""
    return "".join(character if character.isprintable() else "?" for character in name)


def tell(cast: Cast, step: Step) -> tuple[list[str], Cast]:
    """A sentence for each event of a step, and who sits where after it."""
    sentences = []
    for event in step.events:
        cast = _seated(cast, event)
        sentences.append(sentence(cast, event) + _aside(event, step))
    return sentences, cast


def sentence(cast: Cast, event: AnyEvent) -> str:
    """One event as a sentence."""
    match event:
        case Chose() | Showed() | Scouted() | ScoutShowed():
            return _move(cast, event)
        case Dealt():
            return f"Round {event.round} is dealt, {event.cards} cards each. {cast.does(event.start, 'begins')}."
        case RoundOver(result=result):
            if result.reason == "emptied":
                return f"Round {result.round} is over: {cast.them(result.ender)} played the last card."
            return f"Round {result.round} is over: nobody beat {cast.their(result.ender)} set."
        case GameOver():
            return _won(cast, event)
        case _:
            return _around_the_table(cast, event)


def listed(words: Iterable[str]) -> str:
    """`A, B and C`."""
    *before, last = words
    return f"{', '.join(before)} and {last}" if before else last


def counted(count: int, word: str) -> str:
    """`1 card`, `2 cards`."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _move(cast: Cast, event: Chose | Showed | Scouted | ScoutShowed) -> str:
    if isinstance(event, Chose):
        if event.move is None:
            return f"{cast.does(event.seat, 'has')} chosen which way up to hold the cards."
        return f"{cast.does(event.seat, 'turns' if event.move == 'turn' else 'keeps')} the hand."
    if isinstance(event, Showed):
        return f"{cast.does(event.seat, 'shows')} {_shown(event)}."
    end = "right" if event.right else "left"
    up, down = event.card
    token = f"{cast.them(event.owner)} {cast.verb(event.owner, 'gets')} a token"
    sentence = f"{cast.does(event.seat, 'scouts')} the {up}/{down} from the {end} of {cast.their(event.owner)} set"
    if isinstance(event, ScoutShowed):
        return f"{sentence} and at once {cast.verb(event.seat, 'shows')} {_shown(event)}; {token}."
    if event.token:
        return f"{sentence}; {token}."
    return f"{sentence}."


def _shown(event: Showed | ScoutShowed) -> str:
    cards = "-".join(str(up) for up, _ in event.cards)
    return f"{cards}, capturing {counted(event.captured, 'card')}" if event.captured else cards


def _won(cast: Cast, event: GameOver) -> str:
    if not event.winners:
        return "The match is over."
    points = counted(event.points[event.winners[0]], "point")
    if len(event.winners) == 1:
        return f"The match is over: {cast.them(event.winners[0])} {cast.verb(event.winners[0], 'wins')} with {points}."
    return f"The match is over: {listed(map(cast.them, event.winners))} share the win with {points}."


def _around_the_table(cast: Cast, event: AnyEvent) -> str:
    match event:
        case Created():
            return "The table is open."
        case Sat():
            kind = ", a bot," if event.bot and event.seat != cast.you else ""
            return f"{cast.they(event.seat)}{kind} {cast.verb(event.seat, 'sits')} down on seat {event.seat + 1}."
        case Stood():
            return _filled(cast, event.seat, STOOD[event.reason])
        case BotAsked():
            kind = f"a {clean(event.level)} bot" if event.level else "a bot"
            return f"Seat {event.seat + 1} waits for {kind}."
        case BotsOffered():
            return "Nobody else has come yet: you may ask for bots."
        case Readied():
            return f"{cast.does(event.seat, 'is')} ready."
        case RevealAsked():
            return "All are ready; the cards are being shuffled together."
        case Revealed():
            return f"{cast.does(event.seat, 'has')} shuffled."
        case Started():
            return f"The match begins. In the order of play: {listed(map(cast.them, range(len(event.seats))))}."
        case Minded():
            how = f" {COME_BACK}" if event.seat == cast.you and event.reason != "left" else ""
            return _filled(cast, event.seat, MINDED[event.reason]) + how
        case Back():
            return f"{cast.does(event.seat, 'is')} back."
        case SaidNext():
            return f"{cast.does(event.seat, 'is')} ready for the next round."
        case Voted():
            return f"{cast.does(event.seat, 'votes')} that the minder plays for {cast.them(event.against)}."
        case RematchMade():
            return f"{cast.does(event.seat, 'asks')} for a rematch, at table {event.table}."
        case TableClosed():
            return closed(event.reason)
        case _:
            return "Something happened that this program does not know."


def closed(reason: str) -> str:
    """Why there is no more of a table."""
    return CLOSED.get(reason, f"The table is closed ({clean(reason)}).")


def _seated(cast: Cast, event: AnyEvent) -> Cast:
    """Who sits where, as an event's own sentence needs it."""
    match event:
        case Sat():
            return _put(cast, event.seat, clean(event.name))
        case Started(seats=seats):
            you = seats.index(cast.you) if cast.you in seats else None
            return Cast(tuple(cast.names[seat] for seat in seats), you)
        case _:
            return cast


def _put(cast: Cast, seat: int, name: str) -> Cast:
    names = [*cast.names, *([None] * (seat + 1 - len(cast.names)))]
    names[seat] = name
    return replace(cast, names=tuple(names))


def _aside(event: AnyEvent, step: Step) -> str:
    moved = isinstance(event, Chose | Showed | Scouted | ScoutShowed)
    return " (The minder played.)" if moved and step.by == "minder" else ""


def _filled(cast: Cast, seat: int, pattern: str) -> str:
    forms = {verb: cast.verb(seat, third) for verb, third in _VERBS.items()}
    their = cast.their(seat)
    return pattern.format(They=cast.they(seat), Their=their[0].upper() + their[1:], seat=seat + 1, **forms)


_VERBS: Final = {"stand": "stands", "were": "was", "lose": "loses", "have": "has"}
