"""Telling a table's course in a terminal: a sentence for each event, and a picture where it helps."""

import sys
from collections.abc import Sequence
from typing import IO

from rich.console import Console
from rich.text import Text

from clients.terminal.drawing import Cards, draw_hand, draw_scores, draw_set, draw_table, now, short_seats
from clients.terminal.sentences import Cast, cast_of, closed, sentence, tell
from protocol.pushes import AnyEvent, Presence, Step, View
from protocol.scout import Dealt, GameOver, RoundOver, RoundResult, Scouted, ScoutShowed, Showed
from protocol.table_events import Started

_ASCII = str.maketrans("┌┬┐└┴┘─│", "++++++-|")


class Teller:
    """Prints what happens. Without a terminal, or with NO_COLOR, it prints plain lines."""

    def __init__(self, file: IO[str] | None = None) -> None:
        self._console = Console(file=file, highlight=False, markup=False, emoji=False)
        self._boxes = (getattr(file or sys.stdout, "encoding", None) or "utf-8").lower().startswith("utf")
        self._cast: Cast | None = None
        self._set: Cards = ()
        self._asked: int | None = None
        self._new = True
        self._here: dict[str, bool] = {}
        self._spectators = 0

    @property
    def terminal(self) -> bool:
        """Whether a person looks on."""
        return self._console.is_terminal

    def say(self, text: Text | str) -> None:
        """Print some lines."""
        text = Text(text) if isinstance(text, str) else text
        if not self._boxes:
            text.plain = text.plain.translate(_ASCII).encode("ascii", "replace").decode()
        self._console.print(text, soft_wrap=not self.terminal)  # a pipe gets whole lines

    def begin(self) -> None:
        """Turn to another table."""
        self._cast, self._set, self._asked, self._new = None, (), None, True
        self._here, self._spectators = {}, 0

    def tell(self, view: View, steps: Sequence[Step]) -> None:
        """Tell the steps that led to a view, then what the view asks of the reader."""
        for step in steps:
            self.step(view, step)
        self.arrive(view)

    def step(self, view: View, step: Step) -> None:
        """Tell one of the steps that led to a view."""
        sentences, cast = tell(self._cast or cast_of(view), step)
        self._cast = cast
        for told, event in zip(sentences, step.events, strict=True):
            self.say(told)
            self._picture(view, cast, event)

    def arrive(self, view: View) -> None:
        """After the steps: the whole table at first and after a deal, the own hand when a move is due."""
        minded = view.you is not None and view.seats[view.you].minded
        if self._new:
            self.draw(view)
            self._end(view)
        elif view.game is not None and view.decision not in (None, self._asked) and not minded:
            if view.game.phase == "play":
                self.say(short_seats(view, width=self._console.width))
            self.say(draw_hand(view.game, width=self._console.width))
            self.say(now(view))
        self._new = False
        self._asked = None if minded else view.decision
        self._cast = cast_of(view)
        self._set = () if view.game is None else view.game.active

    def draw(self, view: View) -> None:
        """Draw the whole table."""
        away = frozenset(seat for seat, known in enumerate(view.seats) if not self._here.get(known.player or "", True))
        self.say(draw_table(view, width=self._console.width, away=away, spectators=self._spectators))

    def presence(self, view: View, presence: Presence) -> None:
        """Tell who has gone away or come back since the last time; players are known by their ids."""
        self._spectators = presence.spectators
        cast = cast_of(view)
        for seat, (known, here) in enumerate(zip(view.seats, presence.seats, strict=False)):
            if known.player is None:
                continue
            before, self._here[known.player] = self._here.get(known.player, True), here
            awaited = not known.left and not (known.bot and view.status == "over")
            if here != before and seat != view.you and awaited:
                self.say(f"{cast.name(seat)} is {'here again' if here else 'away'}.")

    def closed(self, reason: str) -> None:
        """Say why there is no more."""
        self.say(closed(reason))

    def _picture(self, view: View, cast: Cast, event: AnyEvent) -> None:
        """What an event changed on the table, followed from event to event, since views can leave some out."""
        match event:
            case Showed(cards=cards, seat=owner) | ScoutShowed(cards=cards, seat=owner):
                self._put(cast, cards, owner)
            case Scouted(right=right, owner=owner):
                self._put(cast, self._set[:-1] if right else self._set[1:], owner)
            case RoundOver(result=result):
                self.say(draw_scores(cast, _results(view, result)))
            case Dealt() | Started():
                self._set, self._new = (), True

    def _end(self, view: View) -> None:
        """Tell who won, to somebody who comes after the end."""
        if view.game is not None and view.game.winners is not None:
            cast = cast_of(view)
            points = tuple(seat.points for seat in view.game.seats)
            self.say(draw_scores(cast, view.game.results))
            self.say(sentence(cast, GameOver(points=points, winners=view.game.winners)))

    def _put(self, cast: Cast, cards: Cards, owner: int) -> None:
        self._set = cards
        self.say(draw_set(cards, cast.their(owner), width=self._console.width))


def _results(view: View, last: RoundResult) -> list[RoundResult]:
    """The rounds up to `last`."""
    before = () if view.game is None else view.game.results
    return [*(result for result in before if result.round < last.round), last]
