"""Telling a table's course in a terminal: a sentence for each event, and a picture where it helps."""

import sys
from collections.abc import Sequence
from typing import IO

from rich.console import Console
from rich.text import Text

from clients.terminal.drawing import draw_hand, draw_scores, draw_set, draw_table, now
from clients.terminal.sentences import Cast, cast_of, closed, tell
from protocol.pushes import Step, View
from protocol.scout import Dealt, RoundOver, Scouted, ScoutShowed, Showed
from protocol.table_events import Started

_ASCII = str.maketrans("┌┬┐└┴┘─│", "++++++-|")


class Teller:
    """Prints what happens. Without a terminal, or with NO_COLOR, it prints plain lines."""

    def __init__(self, file: IO[str] | None = None) -> None:
        self._console = Console(file=file, highlight=False, markup=False, emoji=False)
        self._boxes = (getattr(file or sys.stdout, "encoding", None) or "utf-8").lower().startswith("utf")
        self._cast: Cast | None = None

    def say(self, text: Text | str) -> None:
        """Print some lines."""
        text = Text(text) if isinstance(text, str) else text
        if not self._boxes:
            text.plain = text.plain.translate(_ASCII).encode("ascii", "replace").decode()
        self._console.print(text, soft_wrap=True)

    def tell(self, view: View, steps: Sequence[Step]) -> None:
        """Tell the steps that led to a view; the first time, draw the table as it is."""
        cast = self._cast
        drawn = cast is None
        results = {} if view.game is None else {result.round: result for result in view.game.results}
        for step in steps:
            sentences, cast = tell(cast or cast_of(view), step)
            for sentence, event in zip(sentences, step.events, strict=True):
                self.say(sentence)
                if isinstance(event, RoundOver):
                    until = [results[number] for number in sorted(results) if number <= event.result.round]
                    self.say(draw_scores(cast, until or [event.result]))
        happened = [event for step in steps for event in step.events]
        if drawn or any(isinstance(event, Dealt | Started) for event in happened):
            self.draw(view)
        elif any(isinstance(event, Showed | Scouted | ScoutShowed) for event in happened):
            self._draw_move(view)
        self._cast = cast_of(view)

    def draw(self, view: View) -> None:
        """Draw the whole table."""
        self.say(draw_table(view, width=self._console.width))

    def closed(self, reason: str) -> None:
        """Say why there is no more."""
        self.say(closed(reason))

    def _draw_move(self, view: View) -> None:
        """What a move changed, and the own hand when it is asked for."""
        if view.game is None or view.status != "running":
            return
        self.say(draw_set(view, width=self._console.width))
        if view.you is not None and view.you in view.to_act:
            self.say(draw_hand(view.game, width=self._console.width))
            self.say(now(view))
