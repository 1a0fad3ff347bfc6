"""Pictures of cards, tables and scores, as styled text for a terminal of 80 columns, with or without colour."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from clients.terminal.sentences import COME_BACK, Cast, cast_of, listed
from protocol.pushes import View
from protocol.scout import RoundResult, ScoutSeat, ScoutView

Cards = Sequence[tuple[int, int]]
WIDTH: Final = 80
NAME_CELLS: Final = 24
COLOURS: Final = (
    "bright_cyan",
    "cyan",
    "bright_blue",
    "bright_green",
    "green",
    "bright_yellow",
    "yellow",
    "bright_magenta",
    "magenta",
    "bright_red",
)
"""Each value's colour, the same everywhere; the value itself is always written, too."""
NOW: Final = "bold yellow"
FRAME: Final = "dim"


STATUS: Final = {
    "open": "The match begins when all seats are taken and ready.",
    "revealing": "The cards are being shuffled.",
    "break": "The round is over.",
    "over": "The match is over.",
    "closed": "The table is closed.",
}


def draw_cards(cards: Cards, *, numbered: bool = False, width: int = WIDTH, indent: int = 2) -> Text:
    """Cards side by side: the upper value large above, the other half below; in rows as wide as there is room.

    With `numbered`, each card's place in the hand stands beneath it, from 1.
    """
    room = max(1, (width - indent - 1) // 4)
    rows = [
        _row(cards[at : at + room], at + 1 if numbered else None, " " * indent) for at in range(0, len(cards), room)
    ]
    return Text("\n").join(rows)


def _row(cards: Cards, first: int | None, indent: str) -> Text:
    row = Text(indent + "┌" + "┬".join(["───"] * len(cards)) + "┐\n", FRAME, no_wrap=True)
    for style, half in (("bold {}", 0), ("dim {}", 1)):
        row.append(indent)
        for card in cards:
            row.append("│", FRAME).append(f"{card[half]:^3}", style.format(COLOURS[card[half] - 1]))
        row.append("│\n", FRAME)
    row.append(indent + "└" + "┴".join(["───"] * len(cards)) + "┘", FRAME)
    if first is not None:
        row.append("\n" + (indent + " " + "".join(f"{first + at:^4}" for at in range(len(cards)))).rstrip(), "default")
    return row


def draw_table(view: View, *, width: int = WIDTH, away: Collection[int] = frozenset(), spectators: int = 0) -> Text:
    """The whole table: its seats in the order of play, the active set, and the viewer's own hand."""
    parts = [_seats(view, away, spectators)]
    if view.game is not None:
        owner = view.game.owner
        parts.append(draw_set(view.game.active, "a" if owner is None else cast_of(view).their(owner), width=width))
        if view.game.hand is not None:
            parts.append(draw_hand(view.game, width=width))
    parts.append(now(view))
    return Text("\n").join(parts)


def draw_set(cards: Cards, whose: str, *, width: int = WIDTH) -> Text:
    """The active set and `whose` it is, for example ``Ada's``."""
    if not cards:
        return Text("  No set lies on the table.")
    return Text(f"  On the table: {whose} set\n") + draw_cards(cards, width=width)


def draw_hand(game: ScoutView, *, width: int = WIDTH) -> Text:
    """The viewer's own hand, each card with its place."""
    if not game.hand:
        return Text("  Your hand is empty.")
    return Text("  Your hand:\n") + draw_cards(game.hand, numbered=True, width=width)


def short_seats(view: View, *, width: int = WIDTH) -> Text:
    """What a player needs to know of each seat before a move, in a line or two."""
    if view.game is None:
        return Text()
    cast = cast_of(view)
    lines = ["  Cards/captured/tokens/S&S:"]
    for seat, known in enumerate(view.game.seats):
        numbers = f"{known.cards}/{known.captured}/{known.tokens}/{'yes' if known.scout_show else '-'}"
        entry = f" {cast.them(seat)} {numbers}{'' if seat == len(view.game.seats) - 1 else ';'}"
        if cell_len(lines[-1] + entry) > width:
            lines.append("   ")
        lines[-1] += entry
    return Text("\n".join(lines))


def _seats(view: View, away: Collection[int], spectators: int) -> Text:
    cast = cast_of(view)
    game = view.game
    watching = f", {spectators} watch" if spectators > 1 else ", 1 watches" if spectators else ""
    if game is None:
        title = f"  Table {view.table}, for {len(view.seats)} players{watching}"
        return Text("\n").join([Text(title, "bold"), *_waiting_seats(view, cast, away)])
    head = f"  {f'Round {game.round} of {game.rounds}{watching}':<{NAME_CELLS}}  cards captured tokens S&S points"
    lines = [Text(head, "bold")]
    for seat, known in enumerate(game.seats):
        acts = seat in view.to_act
        line = Text(f"{'>' if acts else ' '} {_who(view, cast, seat, away)}  {_numbers(known)}", NOW if acts else "")
        lines.append(line)
    return Text("\n").join(lines)


def _numbers(seat: ScoutSeat) -> str:
    right = "yes" if seat.scout_show else "-"
    return f"{seat.cards:>5} {seat.captured:>8} {seat.tokens:>6} {right:>3} {seat.points:>6}"


def _who(view: View, cast: Cast, seat: int, away: Collection[int]) -> str:
    known = view.seats[seat]
    marks = [
        word
        for word, holds in (
            ("you", seat == view.you),
            ("left", known.left),
            ("minded", known.minded and not known.left),
            ("away", seat in away),
            ("bot", known.bot and seat != view.you),
        )
        if holds
    ]
    mark = f" ({marks[0]})" if marks else ""
    return set_cell_size(set_cell_size(cast.name(seat), NAME_CELLS - len(mark)).rstrip() + mark, NAME_CELLS)


def _waiting_seats(view: View, cast: Cast, away: Collection[int]) -> Iterator[Text]:
    for seat, known in enumerate(view.seats):
        if known.name is not None:
            state = "ready" if known.ready else "not ready yet"
            yield Text(f"  {seat + 1}. {_who(view, cast, seat, away)}  {state}")
        elif known.asked is not None:
            yield Text(f"  {seat + 1}. (waits for a bot)")
        else:
            yield Text(f"  {seat + 1}. (free)")


def now(view: View) -> Text:
    """What the table waits for, in words."""
    cast = cast_of(view)
    if view.status != "running":
        return Text(f"  {STATUS[view.status]}")
    limit = "" if view.deadline_ms is None else f" {-(-view.deadline_ms // 1000)} s left."
    if view.you is not None and view.you in view.to_act:
        if view.seats[view.you].minded:
            return Text(f"  The minder plays for you. {COME_BACK}", NOW)
        orient = view.game is not None and view.game.phase == "orient"
        return Text(f"  {'Which way up will you hold your hand?' if orient else 'It is your turn.'}{limit}", NOW)
    if not view.to_act:
        return Text("  Waiting.")
    return Text(f"  Waiting for {listed(cast.them(seat) for seat in view.to_act)}.{limit}")


def draw_scores(cast: Cast, results: Sequence[RoundResult]) -> Text:
    """The points of each round and their sum, one line a player; then how the last round's points came about."""
    last = results[-1]
    totals = [sum(result.scores[seat] for result in results) for seat in range(len(last.scores))]
    rounds = "".join(f"{f'R{result.round}':>5}" for result in results)
    lines = [Text(f"  {'Points':<{NAME_CELLS}}{rounds}  total  captured+tokens-hand", "bold")]
    for seat, total in enumerate(totals):
        scores = "".join(f"{result.scores[seat]:>5}" for result in results)
        hand = 0 if last.waived == seat else last.hand[seat]
        sums = f"{last.captured[seat]} + {last.tokens[seat]} - {hand}"
        best = total == max(totals)
        name = set_cell_size(cast.name(seat), NAME_CELLS)
        lines.append(Text(f"  {name}{scores}  {total:>5}  {sums}", "bold" if best else ""))
    return Text("\n").join(lines)
