"""Records: a whole game as text, from which every state can be had again.

A record looks like this::

    [Game "scout"]
    [Players "3"]
    [Date "2024-05-01"]

    1. * deal A 7/2 3/4 … | 1/5 … | 6/8 … |
    2. B turn
    2. A keep ; moves of one log entry share its number
    3. ; a line without a move says something about the table
    ; and so may a line without a number
    4. C keep
    5. A show 3-5
    = 12 -3 9

First the header: ``Game``, ``Players``, ``Variant`` unless it is the usual one, then any other tags; a backslash makes
a quotation mark or a backslash part of a value. An empty line. Then one line for each move: the number of its entry in
the table's log, the actor (a seat's letter, or ``*`` for chance) and its notation. A semicolon at the start of a line
or after a space begins a comment, which the engine keeps and ignores. Last, once the game is over, the totals.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from engine import record_text
from engine.errors import EngineError, MoveError, RecordError
from engine.games import AnyGame, game
from engine.record_text import MAX_CHARACTERS, RecordLine

__all__ = ["MAX_CHARACTERS", "Record", "RecordLine"]

_USUAL: Final = ""


@dataclass(frozen=True, slots=True)
class Record:
    """One game, or the beginning of one.

    Attributes:
        game: the game's name.
        players: the number of seats.
        variant: the game's variant; empty for the usual one.
        tags: any further header entries, as (key, value) in order.
        moves: the lines after the header, those with nothing but a comment included.
        totals: the total of each seat, once the game is over.
    """

    game: str
    players: int
    variant: str = _USUAL
    tags: tuple[tuple[str, str], ...] = ()
    moves: tuple[RecordLine, ...] = ()
    totals: tuple[int, ...] | None = None

    @classmethod
    def parse(cls, text: str) -> "Record":
        """The record that `text` holds. Its moves are not replayed yet. Raises `RecordError`."""
        head, moves, totals = record_text.parse(text)
        entries = dict(head)
        for line, key in enumerate(("Game", "Players"), start=1):
            if len(head) < line or head[line - 1][0] != key:
                last = text.count("\n") + 1  # the line that is missing may lie behind the end
                raise RecordError(
                    min(line, last), f'a record begins with the lines [Game "…"] and [Players "…"]; {key} is missing'
                )
        players = entries["Players"]
        if players not in record_text.COUNTS:
            raise RecordError(2, f"{players[:20]!r} is no number of players")
        tags = tuple(entry for entry in head[2:] if entry[0] != "Variant")
        if "Variant" in entries and (head[2][0] != "Variant" or not entries["Variant"]):
            raise RecordError(3, "the variant comes third, and only if it is not the usual one")
        return cls(entries["Game"], int(players), entries.get("Variant", _USUAL), tags, moves, totals)

    @classmethod
    def of(
        cls,
        played: AnyGame,
        players: int,
        moves: Iterable[tuple[int, Any]],
        variant: str = _USUAL,
        tags: Iterable[tuple[str, str]] = (),
    ) -> "Record":
        """The record of a course of `played`, each move an entry of its own, with the totals if the game is over.

        Raises `engine.errors.IllegalMove` for a course that is not one, and `ValueError` for players or a variant that
        the game does not offer.
        """
        state = played.initial(players, variant)
        lines = []
        for number, (actor, action) in enumerate(moves, start=1):
            state = played.apply(state, actor, action)
            lines.append(RecordLine(number, actor, played.write(action)))
        outcome = played.outcome(state)
        totals = None if outcome is None else outcome.scores
        return cls(played.name, players, variant, tuple(tags), tuple(lines), totals)

    def __str__(self) -> str:
        """The record as text, which `parse` reads back. Raises `ValueError` for what cannot be part of one."""
        head = [("Game", self.game), ("Players", str(self.players))]
        if self.variant:
            head.append(("Variant", self.variant))
        return record_text.write([*head, *self.tags], self.moves, self.totals)

    def line(self, index: int) -> int:
        """The line of the text, from 1, that ``moves[index]`` is on; ``len(moves)`` gives the line of the totals."""
        return 2 + bool(self.variant) + len(self.tags) + 1 + index + 1

    def actions(self, played: AnyGame | None = None) -> Iterator[tuple[int, int, Any]]:
        """Each move as (line, actor, action), read but not checked. Raises `RecordError`.

        `played` is the game where it is not a registered one.
        """
        rules = self._rules(played)
        for index, line in enumerate(self.moves):
            if line.actor is not None:
                try:
                    yield self.line(index), line.actor, rules.read(line.move)
                except MoveError as error:
                    raise RecordError(self.line(index), error.message) from error

    def states(self, played: AnyGame | None = None) -> Iterator[Any]:
        """The state at the beginning and the one after each move, as they are asked for.

        Raises `RecordError` at the first wrong line: a move that cannot be read or is not allowed, or wrong totals.
        """
        rules = self._rules(played)
        try:
            state = rules.initial(self.players, self.variant)
        except ValueError as error:
            raise RecordError(2, str(error)) from error
        yield state
        for line, actor, action in self.actions(rules):
            try:
                state = rules.apply(state, actor, action)
            except MoveError as error:
                raise RecordError(line, error.message) from error
            yield state
        if self.totals is not None:
            outcome = rules.outcome(state)
            if outcome is None:
                raise RecordError(self.line(len(self.moves)), "there are totals, but the game is not over")
            if outcome.scores != self.totals:
                right = " ".join(map(str, outcome.scores))
                raise RecordError(self.line(len(self.moves)), f"the totals are wrong; they are {right}")

    def _rules(self, played: AnyGame | None) -> AnyGame:
        if played is not None:
            return played
        try:
            return game(self.game)
        except EngineError as error:
            raise RecordError(1, str(error)) from error
