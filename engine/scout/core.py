"""The fast core: one round of SCOUT over plain integers, for bots and playouts.

A `Position` is changed in place. It knows the rules but trusts its caller: `apply` takes legal moves only. A property
test shows that it equals the public rules; `engine.scout.bridge` converts to and from them.

A move is one integer::

    KEEP, TURN                                            orientation
    first << 4 | count                                    Show
    scout << 10                                           Scout
    scout << 10 | first << 4 | count                      Scout & Show
    scout = 256 | right << 7 | turn << 6 | gap

Orientation choices are secret, so that their order does not matter: the core takes them in the order of the seats.
"""

from functools import lru_cache
from typing import Final

from engine.scout.sets import MAX_HAND, set_strength, shows

KEEP: Final = 1 << 19
"""Keep the dealt hand."""
TURN: Final = KEEP | 1
"""Turn the dealt hand as a whole."""

PLAYING: Final = 0
"""The round goes on."""
EMPTIED: Final = 1
"""The round is over by scout.md, A round, 3 (i)."""
UNBEATEN: Final = 2
"""The round is over by scout.md, A round, 3 (ii), or its variant for two players."""

BITS: Final = tuple(tuple(1 << (11 * min(up, down) + max(up, down)) for down in range(11)) for up in range(11))
"""``BITS[up][down]`` stands for a card in a set of cards, whichever way it lies."""

_APART: Final = 99
"""The value of a card that is not there, far from every other."""

_LEFT: Final = tuple(
    tuple((256 | turn << 6 | gap) << 10 for turn in (0, 1) for gap in range(size + 1)) for size in range(MAX_HAND + 1)
)
_BOTH: Final = tuple((*left, *(scout | 1 << 17 for scout in left)) for left in _LEFT)


class Position:
    """One round at one moment.

    Attributes:
        players: the number of seats.
        turn: the seat that acts next: in the orientation phase the first that has not chosen.
        start: the seat that begins.
        waiting: how many seats have yet to choose an orientation.
        choices: each seat's orientation choice, `None` until chosen.
        up: each hand's values from left to right.
        down: each hand's other halves.
        table_up: the active set's values from left to right.
        table_down: the active set's other halves.
        floor: the strength of the active set (`engine.scout.sets`), 0 for none.
        owner: whose set it is; -1 when nothing was shown yet.
        scouts: plain Scouts since the last Show.
        captured: captured cards of each seat.
        tokens: scout tokens of each seat.
        rights: whether each seat still has its Scout & Show.
        seen: the cards of this shuffle that everybody has seen, as a sum of `BITS`.
        over: `PLAYING`, `EMPTIED` or `UNBEATEN`.
        ender: the seat that ended the round, or whose set was not beaten; -1 while it goes on.
    """

    __slots__ = (
        "captured",
        "choices",
        "down",
        "ender",
        "floor",
        "over",
        "owner",
        "players",
        "rights",
        "scouts",
        "seen",
        "start",
        "table_down",
        "table_up",
        "tokens",
        "turn",
        "up",
        "waiting",
    )

    players: int
    turn: int
    start: int
    waiting: int
    choices: list[bool | None]
    up: list[list[int]]
    down: list[list[int]]
    table_up: list[int]
    table_down: list[int]
    floor: int
    owner: int
    scouts: int
    captured: list[int]
    tokens: list[int]
    rights: list[bool]
    seen: int
    over: int
    ender: int

    def copy(self) -> "Position":
        """An independent copy."""
        twin = Position.__new__(Position)
        twin.players = self.players
        twin.turn = self.turn
        twin.start = self.start
        twin.waiting = self.waiting
        twin.choices = self.choices[:]
        twin.up = [hand[:] for hand in self.up]
        twin.down = [hand[:] for hand in self.down]
        twin.table_up = self.table_up[:]
        twin.table_down = self.table_down[:]
        twin.floor = self.floor
        twin.owner = self.owner
        twin.scouts = self.scouts
        twin.captured = self.captured[:]
        twin.tokens = self.tokens[:]
        twin.rights = self.rights[:]
        twin.seen = self.seen
        twin.over = self.over
        twin.ender = self.ender
        return twin


def moves(position: Position) -> list[int]:
    """All legal moves of the seat on turn, each once; none when the round is over."""
    if position.over:
        return []
    if position.waiting:
        return [KEEP, TURN]
    seat = position.turn
    hand, table = position.up[seat], position.table_up
    if not table:
        return shows(hand, 0)
    found = shows(hand, position.floor)
    if position.players > 2 or position.tokens[seat]:
        found += (_BOTH if len(table) > 1 else _LEFT)[len(hand)]
        if position.rights[seat]:
            _scout_shows(position, hand, found)
    return found


def apply(position: Position, move: int) -> None:
    """Do a legal `move`."""
    if move >= KEEP:
        _orient(position, move == TURN)
        return
    seat = position.turn
    if move >= 1024:
        _scout(position, seat, move >> 10)
        move &= 1023
        if not move:
            _after_scout(position, seat)
            return
        position.rights[seat] = False
    up, down = position.up[seat], position.down[seat]
    first = move >> 4
    position.captured[seat] += len(position.table_up)
    if move & 15 == 1:  # a single is the most frequent Show, and worth a shorter way
        a, b = up.pop(first), down.pop(first)
        position.table_up, position.table_down = [a], [b]
        position.floor = 1 << 5 | 16 | a
        position.seen |= BITS[a][b]
    else:
        end = first + (move & 15)
        shown_up, shown_down = up[first:end], down[first:end]
        del up[first:end]
        del down[first:end]
        position.table_up, position.table_down = shown_up, shown_down
        position.floor = set_strength(shown_up)
        for a, b in zip(shown_up, shown_down, strict=True):
            position.seen |= BITS[a][b]
    position.owner = seat
    position.scouts = 0
    if not up:
        position.over, position.ender = EMPTIED, seat
        return
    seat += 1
    position.turn = seat if seat < position.players else 0
    if position.players == 2:
        _end_if_stuck(position)


def scores(position: Position) -> list[int]:
    """The points of each seat if the round ended as it lies (scout.md, A round, 4)."""
    points = [
        won + paid - len(hand) for won, paid, hand in zip(position.captured, position.tokens, position.up, strict=True)
    ]
    if position.over == UNBEATEN:
        points[position.ender] += len(position.up[position.ender])
    return points


def _orient(position: Position, turn: bool) -> None:
    seat = position.turn
    if turn:
        position.up[seat], position.down[seat] = position.down[seat], position.up[seat]
    position.choices[seat] = turn
    position.waiting -= 1
    position.turn = position.choices.index(None) if position.waiting else position.start


def _scout(position: Position, seat: int, scout: int) -> None:
    """The Scout itself, without what follows from it."""
    table = position.table_up
    end = -1 if scout & 128 else 0
    up, down = table.pop(end), position.table_down.pop(end)
    if scout & 64:
        up, down = down, up
    gap = scout & 63
    position.up[seat].insert(gap, up)
    position.down[seat].insert(gap, down)
    position.floor = set_strength(table)
    if position.players == 2:
        position.tokens[seat] -= 1
    else:
        position.tokens[position.owner] += 1


def _after_scout(position: Position, seat: int) -> None:
    position.scouts += 1
    if position.players == 2:
        _end_if_stuck(position)
    elif position.scouts == position.players - 1:
        position.over, position.ender = UNBEATEN, position.owner
    else:
        seat += 1
        position.turn = seat if seat < position.players else 0


def _end_if_stuck(position: Position) -> None:
    seat = position.turn
    if not (position.tokens[seat] and position.table_up) and not shows(position.up[seat], position.floor):
        position.over, position.ender = UNBEATEN, position.owner


def _scout_shows(position: Position, hand: list[int], found: list[int]) -> None:
    """Append every Scout & Show.

    Sets without the scouted card are the sets of the hand that do not lie across the gap; they are the same for both
    sides of the card. Only the sets with it are looked for gap by gap.
    """
    table, table_down = position.table_up, position.table_down
    size = len(hand)
    steps = [0, *(hand[place] - hand[place - 1] for place in range(1, size)), 0]
    for right in (0, 1) if len(table) > 1 else (0,):
        if right:
            floor, up, down = set_strength(table[:-1]), table[-1], table_down[-1]
        else:
            floor, up, down = set_strength(table[1:]), table[0], table_down[0]
        old = shows(hand, floor)
        for turn, value in ((0, up), (1, down)):
            base = (256 | right << 7 | turn << 6) << 10
            for code in old:
                found += _around(size, code, base)
            if 1 << 5 | 16 | value > floor:
                found += range(base | 1, (base | size << 10 | size << 4 | 1) + 1, 1 << 10 | 1 << 4)
            last = _APART
            for gap, near in enumerate(hand):
                left, right_ = value - last, near - value
                last = near
                if -1 <= left <= 1:
                    _with_card(hand, steps, gap, value, left, floor, base, found)
                    if left == right_:
                        continue
                if -1 <= right_ <= 1:
                    _with_card(hand, steps, gap, value, right_, floor, base, found)
            if -1 <= value - last <= 1:
                _with_card(hand, steps, size, value, value - last, floor, base, found)


@lru_cache(maxsize=1 << 14)
def _around(size: int, code: int, base: int) -> tuple[int, ...]:
    """The Scout & Shows of one set of a hand of `size` cards with each gap that does not part it."""
    first, end = code >> 4, (code >> 4) + (code & 15)
    return tuple(
        base | gap << 10 | (code if gap >= end else code + 16) for gap in range(size + 1) if gap <= first or gap >= end
    )


def _with_card(
    hand: list[int], steps: list[int], gap: int, value: int, step: int, floor: int, base: int, found: list[int]
) -> None:
    """Append the sets of two or more cards with a `step` that contain a `value` put in at `gap`."""
    size = len(hand)
    left = right = gap
    if left and value - hand[left - 1] == step:
        left -= 1
        while left and steps[left] == step:
            left -= 1
    if right < size and hand[right] - value == step:
        right += 1
        while right < size and steps[right] == step:
            right += 1
    most = right - left + 1
    least = floor >> 5
    if most < least:
        return
    base |= gap << 10
    if most == 2 and least < 2:
        found.append(base | left << 4 | 2)
        return
    match = 0 if step else 16
    for first in range(left, gap + 1):
        low = value + (first - gap) * step
        for count in range(max(2, gap - first + 1, least), right - first + 2):
            small = low if step >= 0 else low - count + 1
            if (count << 5 | match | small) > floor:
                found.append(base | first << 4 | count)
