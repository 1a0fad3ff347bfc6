"""Golden pictures, without colour; and that colour adds nothing but colour."""

import io
from textwrap import dedent

from msgspec.structs import replace
from rich.cells import cell_len
from rich.console import Console

from clients.play.words import HELP, hints
from clients.terminal.drawing import COLOURS, draw_cards, draw_hand, draw_scores, draw_set, draw_table, now, short_seats
from clients.terminal.legal import legal_lines
from clients.terminal.sentences import cast_of
from clients.terminal.telling import Teller
from protocol.pushes import Step, View
from protocol.scout import Dealt, RoundOver, Showed
from protocol.values import Card
from tests.clients.views import HAND, result, scout_seat, scout_view, seats, table_view

PLAYING = table_view(
    version=9,
    status="running",
    you=0,
    decision=4,
    to_act=(0,),
    deadline_ms=42_100,
    game=scout_view(
        viewer=0,
        round=2,
        hand=HAND,
        active=((5, 1), (6, 10)),
        owner=1,
        seats=(
            scout_seat(cards=4, captured=3, points=-2),
            scout_seat(cards=10, tokens=2, scout_show=False, points=17),
            scout_seat(points=4),
        ),
    ),
)


def picture(text: str) -> str:
    return dedent(text).strip("\n")


def test_cards() -> None:
    assert draw_cards(HAND, numbered=True).plain == picture("""
      ┌───┬───┬───┬───┐
      │ 7 │ 7 │ 1 │10 │
      │ 2 │ 4 │ 3 │ 6 │
      └───┴───┴───┴───┘
        1   2   3   4
    """).replace("\n", "\n  ").replace("┌", "  ┌", 1)


def test_a_long_hand_wraps_into_rows() -> None:
    text = draw_cards([(1, 2)] * 24, numbered=True, width=80).plain.splitlines()
    assert max(map(len, text)) <= 80
    assert len(text) == 10
    assert text[4].split() == [str(place) for place in range(1, 20)]
    assert text[9].split() == [str(place) for place in range(20, 25)]


def test_a_table_on_your_turn() -> None:
    assert draw_table(PLAYING).plain == (
        "  Round 2 of 3              cards captured tokens S&S points\n"
        "> Ada (you)                     4        3      0 yes     -2\n"
        "  Bo                           10        0      2   -     17\n"
        "  Cy                           12        0      0 yes      4\n"
        "  On the table: Bo's set\n"
        "  ┌───┬───┐\n"
        "  │ 5 │ 6 │\n"
        "  │ 1 │10 │\n"
        "  └───┴───┘\n"
        "  Your hand:\n"
        "  ┌───┬───┬───┬───┐\n"
        "  │ 7 │ 7 │ 1 │10 │\n"
        "  │ 2 │ 4 │ 3 │ 6 │\n"
        "  └───┴───┴───┴───┘\n"
        "    1   2   3   4\n"
        "  It is your turn. 43 s left."
    )


def test_a_table_before_the_start() -> None:
    known = seats(("Ada", "Bo", None, None))
    known = (replace(known[0], ready=True), replace(known[1], bot=True), replace(known[2], asked=""), known[3])
    assert draw_table(table_view(seats=known)).plain == (
        "  Table table0000000, for 4 players\n"
        "  1. Ada                       ready\n"
        "  2. Bo (bot)                  not ready yet\n"
        "  3. (waits for a bot)\n"
        "  4. (free)\n"
        "  The match begins when all seats are taken and ready."
    )


def test_five_seats_and_a_long_hand_fit_on_a_screen_of_80_by_24() -> None:
    names = ("A" * 24, "B" * 24, "C" * 24, "D" * 24, "道" * 24)
    game = scout_view(viewer=0, hand=((1, 2),) * 24, active=((9, 8),) * 9, owner=4, seats=(scout_seat(),) * 5)
    view = table_view(names=names, you=0, to_act=(1, 2), game=game, status="running")
    lines = draw_table(view, width=80).plain.splitlines()
    assert max(map(len, lines[:-1])) <= 80
    assert len(lines) <= 24


def test_marks_on_seats() -> None:
    known = seats()
    known = (replace(known[0], minded=True), replace(known[1], minded=True, left=True), replace(known[2], bot=True))
    text = draw_table(table_view(seats=known, game=scout_view(), status="running", to_act=(0, 2))).plain
    assert "> Ada (minded) " in text
    assert "  Bo (left) " in text
    assert "> Cy (bot) " in text
    assert text.endswith("Waiting for Ada and Cy.")


def test_who_is_away_and_how_many_watch() -> None:
    text = draw_table(PLAYING, away={1}, spectators=2).plain
    assert text.startswith("  Round 2 of 3, 2 watch     cards ")
    assert "  Bo (away) " in text
    waiting = draw_table(table_view(), away={0}, spectators=1).plain
    assert "for 3 players, 1 watches\n  1. Ada (away) " in waiting


def test_the_seats_in_short() -> None:
    line = "  Cards/captured/tokens/S&S: you 4/3/0/yes; Bo 10/0/2/-; Cy 12/0/0/yes"
    assert short_seats(PLAYING).plain == line
    assert short_seats(PLAYING, width=50).plain.splitlines()[1] == "    Bo 10/0/2/-; Cy 12/0/0/yes"
    assert short_seats(table_view()).plain == ""


def test_legal_moves() -> None:
    assert legal_lines(["keep", "turn"], HAND) == ["  keep  turn"]
    scouts = [f"scout left {place}" for place in (1, 2, 3)] + ["scout right turned 2"]
    moves = [*scouts, "scout left 1 show 1-2", "show 1-2", "show 4"]
    assert legal_lines(moves, HAND) == [
        "  show 1-2 (7-7)  show 4 (10)",
        "  scout left 1 to 3     scout right turned 2",
        "  scout left 1 show 1-2",
        "  Shows: 2; Scouts: 4; Scout & Shows: 1.",
    ]
    assert legal_lines([f"scout left 1 show {place}" for place in range(1, 20)], HAND) == [
        "  scout left 1 show 1, and the like: a Scout and a Show at once",
        "  Shows: 0; Scouts: 0; Scout & Shows: 19.",
    ]
    assert legal_lines(["scout left 1", "scout left 3"], HAND)[0] == "  scout left 1, 3"
    many = legal_lines([f"show {one}-{two}" for one in range(1, 14) for two in range(one + 1, 15)][:60], HAND)
    assert max(map(len, many)) <= 80
    assert len(many) <= 24


def test_the_help_is_narrow() -> None:
    assert max(map(len, HELP.splitlines())) <= 78


def test_an_empty_table_and_an_empty_hand() -> None:
    assert draw_set((), "Ada's").plain == "  No set lies on the table."
    assert draw_hand(scout_view(viewer=0, hand=())).plain == "  Your hand is empty."
    assert "  On the table: a set\n" in draw_table(table_view(game=scout_view(active=((1, 2),)))).plain


def test_what_a_table_waits_for() -> None:
    assert now(table_view(status="over")).plain == "  The match is over."
    assert now(table_view(status="closed")).plain == "  The table is closed."
    assert now(table_view(status="running")).plain == "  Waiting."
    assert now(table_view(status="open", you=0, to_act=(0,))).plain.startswith("  The match begins when")
    orient = scout_view(phase="orient")
    asked = now(table_view(status="running", you=0, to_act=(0,), game=orient)).plain
    assert asked == "  Which way up will you hold your hand?"


def test_scores() -> None:
    results = [result(), result(2, scores=(-3, 10, 1), waived=None)]
    assert draw_scores(cast_of(table_view()), results).plain == (
        "  Points                     R1   R2  total  captured+tokens-hand\n"
        "  Ada                         2   -3     -1  4 + 1 - 3\n"
        "  Bo                          7   10     17  7 + 0 - 2\n"
        "  Cy                         -3    1     -2  0 + 2 - 5"
    )
    five = draw_scores(cast_of(table_view()), [result(number) for number in range(1, 6)])
    assert max(map(len, five.plain.splitlines())) == 80
    wide = table_view(names=("道" * 24, "B" * 24, "Cy"))
    large = [result(number, scores=(-12, 100, 33), captured=(30, 30, 30)) for number in range(1, 6)]
    assert max(map(cell_len, draw_scores(cast_of(wide), large).plain.splitlines())) <= 80
    assert "7 + 0 - 0" in draw_scores(cast_of(table_view()), [result()]).plain


def test_each_value_has_one_colour_of_sixteen_and_colour_changes_no_letter() -> None:
    assert len(set(COLOURS)) == 10
    file = io.StringIO()
    Console(file=file, force_terminal=True, color_system="standard", width=80).print(draw_table(PLAYING))
    assert "\x1b[1;93m" in file.getvalue() or "\x1b[" in file.getvalue()
    plain = io.StringIO()
    Console(file=plain, width=80).print(draw_table(PLAYING))
    assert plain.getvalue() == draw_table(PLAYING).plain + "\n"


class TestTeller:
    def tell(self, *views: tuple[View, list[Step]], encoding: str | None = None) -> str:
        raw = io.BytesIO()
        file = io.TextIOWrapper(raw, encoding=encoding or "utf-8")
        teller = Teller(file)
        for view, steps in views:
            teller.tell(view, steps)
        file.flush()
        return raw.getvalue().decode(encoding or "utf-8")

    def step(self, version: int, *events: Showed | Dealt | RoundOver) -> Step:
        return Step(version=version, head="0" * 64, by="player", events=events)

    def test_the_table_first_then_sentences_and_what_changed(self) -> None:
        cards: tuple[Card, ...] = ((5, 1), (6, 10))
        shown = self.step(9, Showed(seat=1, cards=cards, captured=0, move=None))
        first = replace(PLAYING, version=8, to_act=(1,), decision=None)
        text = self.tell((first, []), (PLAYING, [shown]))
        assert text.startswith("  Round 2 of 3 ")
        after = text[text.index("Bo shows 5-6.") :]
        assert "On the table: Bo's set" in after
        assert "Your hand:" in after
        assert "Round 2 of 3" not in after
        assert after.endswith("It is your turn. 43 s left.\n")

    def test_a_minded_seat_is_not_asked_before_it_is_back(self) -> None:
        view = replace(PLAYING, to_act=(1,), decision=None)
        minded = replace(PLAYING, seats=(replace(PLAYING.seats[0], minded=True), *PLAYING.seats[1:]))
        text = self.tell((view, []), (minded, []))
        assert text.count("Your hand:") == 1
        assert now(minded).plain == "  The minder plays for you. Type anything to play yourself again."
        assert hints(minded) == []
        assert self.tell((view, []), (minded, []), (PLAYING, [])).count("Your hand:") == 2

    def test_others_turns_need_no_hand(self) -> None:
        shown = self.step(9, Showed(seat=1, cards=((5, 1),), captured=0, move=None))
        view = replace(PLAYING, to_act=(2,), decision=None)
        text = self.tell((view, []), (view, [shown]), (table_view(status="over"), [shown]))
        assert text.count("Your hand:") == 1

    def test_a_round_end_shows_the_scores_and_a_deal_the_table(self) -> None:
        game = scout_view(round=2, results=(result(),))
        view = table_view(game=game, status="running")
        text = self.tell((table_view(game=scout_view()), []), (view, [self.step(5, RoundOver(result=result()))]))
        assert "Round 1 is over: nobody beat Bo's set.\n  Points " in text
        text = self.tell((view, []), (view, [self.step(6, Dealt(round=2, start=1, cards=12))]))
        assert text.count("Round 2 of 3") == 2
        bare = self.tell((table_view(), []), (table_view(), [self.step(5, RoundOver(result=result()))]))
        assert "  Points " in bare

    def test_who_comes_after_the_end_is_told_who_won(self) -> None:
        game = scout_view(round=1, phase="over", results=(result(),), winners=(1,))
        text = self.tell((table_view(game=game, status="over"), []))
        assert "  Points " in text
        assert text.endswith("The match is over: Bo wins with 0 points.\n")

    def test_without_unicode_the_boxes_are_drawn_with_plain_signs(self) -> None:
        text = self.tell((PLAYING, []), encoding="ascii")
        assert "  +---+---+\n  | 5 | 6 |\n" in text
