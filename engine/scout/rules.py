"""What the seats may do, and what it does (scout.md, A round; Two players)."""

from collections.abc import Iterator
from functools import cache
from typing import TypeVar

from engine.scout.cards import FLAT, Card
from engine.scout.codes import illegal
from engine.scout.deals import check_deal, deal_round
from engine.scout.moves import Action, Deal, Move, Orient, Scout, ScoutShow, Show
from engine.scout.scoring import finish_round
from engine.scout.sets import set_strength, shows, strength
from engine.scout.state import State, changed

T = TypeVar("T")


def ups(cards: tuple[Card, ...]) -> list[int]:
    """The values that count."""
    return [card.up for card in cards]


def actions(state: State, seat: int) -> Iterator[Move]:
    """Every legal move of a `seat` whose turn it is, each once."""
    if state.phase == "orient":
        yield Orient(False)
        yield Orient(True)
        return
    hand, table = ups(state.hands[seat]), ups(state.active)
    for code in shows(hand, set_strength(table)):
        yield _show(code)
    if not table or not _may_pay(state, seat):
        return
    scouts = _scouts(len(hand), len(table) > 1)
    yield from scouts
    if not state.scout_show[seat]:
        return
    for scout in scouts:
        card = state.active[-1 if scout.right else 0]
        scout_shows = _scout_shows(scout)
        longer = hand.copy()
        longer.insert(scout.gap, card.down if scout.turn else card.up)
        for code in shows(longer, set_strength(table[:-1] if scout.right else table[1:])):
            yield scout_shows[code]


def check(state: State, seat: int, action: Action) -> None:
    """Raise `IllegalMove` unless a `seat` (or chance) whose turn it is may do `action`. Never lists the legal moves."""
    if state.phase == "deal":
        check_deal(state, action)
    elif state.phase == "orient":
        if not isinstance(action, Orient):
            raise illegal("wrong_phase")
    elif isinstance(action, Show):
        _check_show(state.hands[seat], state.active, action)
    elif isinstance(action, Scout):
        _check_scout(state, seat, action)
    elif isinstance(action, ScoutShow):
        if state.players == 2:
            raise illegal("no_scout_show")
        if not state.scout_show[seat]:
            raise illegal("scout_show_used")
        _check_scout(state, seat, action.scout)
        hand, left = _taken(state, seat, action.scout)
        _check_show(hand, left, action.show)
    else:
        raise illegal("wrong_phase")


def apply(state: State, seat: int, action: Action) -> State:
    """The state after a legal `action`."""
    if isinstance(action, Deal):
        return deal_round(state, action)
    if isinstance(action, Orient):
        return _orient(state, seat, action)
    if isinstance(action, Show):
        return _show_set(state, seat, action)
    if isinstance(action, Scout):
        return _after_scout(_scout_card(state, seat, action), seat)
    scouted = _scout_card(state, seat, action.scout)
    return _show_set(changed(scouted, scout_show=_put(state.scout_show, seat, False)), seat, action.show)


def _check_show(hand: tuple[Card, ...], table: tuple[Card, ...], show: Show) -> None:
    if show.first < 0 or show.count < 1 or show.first + show.count > len(hand):
        raise illegal("no_such_cards")
    offered = strength(ups(hand[show.first : show.first + show.count]))
    if not offered:
        raise illegal("not_a_set")
    if offered <= set_strength(ups(table)):
        raise illegal("not_stronger")


def _check_scout(state: State, seat: int, scout: Scout) -> None:
    if not state.active:
        raise illegal("nothing_to_scout")
    if not _may_pay(state, seat):
        raise illegal("no_tokens")
    if scout.right and len(state.active) == 1:
        raise illegal("one_card_set")
    if not 0 <= scout.gap <= len(state.hands[seat]):
        raise illegal("no_such_gap")


def _may_pay(state: State, seat: int) -> bool:
    """With two players a Scout costs the scouting seat a token (scout.md, Two players)."""
    return state.players > 2 or state.tokens[seat] > 0


def _taken(state: State, seat: int, scout: Scout) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The hand of `seat` and the active set after a Scout."""
    table = state.active
    card, left = (table[-1], table[:-1]) if scout.right else (table[0], table[1:])
    hand = state.hands[seat]
    return (*hand[: scout.gap], card.turned() if scout.turn else card, *hand[scout.gap :]), left


def _orient(state: State, seat: int, choice: Orient) -> State:
    hand = state.hands[seat]
    turned = _put(state.turned, seat, choice.turn)
    done = None not in turned
    return changed(
        state,
        hands=_put(state.hands, seat, tuple(card.turned() for card in hand) if choice.turn else hand),
        turned=turned,
        phase="play" if done else "orient",
        turn=state.start if done else None,
    )


def _show_set(state: State, seat: int, show: Show) -> State:
    hand, end = state.hands[seat], show.first + show.count
    shown = hand[show.first : end]
    after = changed(
        state,
        hands=_put(state.hands, seat, hand[: show.first] + hand[end:]),
        captured=_put(state.captured, seat, state.captured[seat] + len(state.active)),
        active=shown,
        owner=seat,
        scouts=0,
        turn=(seat + 1) % state.players,
        seen=state.seen.union([FLAT[card] for card in shown]),
    )
    if not after.hands[seat]:
        return finish_round(after, "emptied", seat)  # scout.md, A round, 3 (i)
    return _unless_stuck(after)


def _scout_card(state: State, seat: int, scout: Scout) -> State:
    """The Scout itself, without what follows from it."""
    assert state.owner is not None
    hand, left = _taken(state, seat, scout)
    payer, change = (seat, -1) if state.players == 2 else (state.owner, 1)
    return changed(
        state,
        hands=_put(state.hands, seat, hand),
        active=left,
        tokens=_put(state.tokens, payer, state.tokens[payer] + change),
        scouts=state.scouts + 1,
    )


def _after_scout(state: State, seat: int) -> State:
    """Who is on turn after a plain Scout, or the end of the round."""
    if state.players == 2:
        return _unless_stuck(state)  # the same player stays on turn
    if state.scouts == state.players - 1:
        assert state.owner is not None
        return finish_round(state, "unbeaten", state.owner)  # scout.md, A round, 3 (ii)
    return changed(state, turn=(seat + 1) % state.players)


def _unless_stuck(state: State) -> State:
    """With two players the round ends when the player on turn can neither Show nor Scout (scout.md, Two players)."""
    if state.players > 2:
        return state
    seat = state.turn
    assert seat is not None
    assert state.owner is not None
    if state.tokens[seat] and state.active:
        return state
    if shows(ups(state.hands[seat]), set_strength(ups(state.active))):
        return state
    return finish_round(state, "unbeaten", state.owner)


@cache
def _show(code: int) -> Show:
    return Show(code >> 4, code & 15)


class _ScoutShows(dict[int, ScoutShow]):
    """The Scout & Shows that begin with one Scout; each is made once, because lists of them are long."""

    def __init__(self, scout: Scout) -> None:
        super().__init__()
        self.scout = scout

    def __missing__(self, code: int) -> ScoutShow:
        self[code] = made = ScoutShow(self.scout, _show(code))
        return made


@cache
def _scout_shows(scout: Scout) -> _ScoutShows:
    return _ScoutShows(scout)


@cache
def _scouts(size: int, both_ends: bool) -> tuple[Scout, ...]:
    """All Scouts into a hand of `size` cards; the two ends of a one-card set count once."""
    return tuple(
        Scout(right, turn, gap)
        for right in ((False, True) if both_ends else (False,))
        for turn in (False, True)
        for gap in range(size + 1)
    )


def _put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*values[:index], value, *values[index + 1 :])
