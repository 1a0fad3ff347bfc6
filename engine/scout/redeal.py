"""Other courses of a game that one viewer cannot tell from the real one, for the leak tests.

What a viewer sees fixes which cards are shown and scouted when, and by whom. It does not fix where in a hand they lay,
how a scouted card was put in, what was chosen as orientation, or who was left with the cards that nobody saw. A new
course is found backwards: the hands at the end of a round are drawn anew, and then every move is taken back, each Show
at a random place, until the new deal is reached.
"""

from dataclasses import dataclass
from itertools import chain
from typing import Final

from engine.errors import IllegalMove
from engine.game import CHANCE, Pick, Viewer
from engine.scout import rules
from engine.scout.cards import Card
from engine.scout.decks import shuffled
from engine.scout.moves import Action, Deal, Orient, Scout, ScoutShow, Show
from engine.scout.observe import describe, observe
from engine.scout.state import State, initial

Course = tuple[tuple[int, Action], ...]
"""The moves of a game from its beginning, as (actor, action)."""

ATTEMPTS: Final = 100
"""After so many courses that the viewer would have seen otherwise, the given one is kept."""

FREE: Final = 20
"""After so many of them, the hands of players who could do nothing more are sometimes left alone."""


@dataclass(frozen=True, slots=True)
class _Round:
    """The part of a course from one deal, at index `begin`, up to `end`, and the seats whose cards may change."""

    begin: int
    end: int
    hidden: tuple[int, ...]


def redeal(moves: Course, players: int, variant: str, viewer: Viewer, pick: Pick) -> Course:
    """Another course of the game that `viewer` sees identically at every step.

    Only with two players can an attempt fail, because there it is seen whether a player without tokens can show. After
    `ATTEMPTS` failures, which is next to impossible, the result is `moves`. Raises `IllegalMove` where `moves` is no
    course of a game.
    """
    states = _replay(moves, initial(players, variant))
    if not moves:
        return moves
    begins = [index for index, (_, action) in enumerate(moves) if isinstance(action, Deal)]
    hidden = tuple(seat for seat in range(players) if seat != viewer)
    rounds = [_Round(begin, end, hidden) for begin, end in zip(begins, [*begins[1:], len(moves)], strict=True)]
    # Two players are dealt both rounds from one shuffle.
    groups = [rounds] if players == 2 else [[part] for part in rounds]
    for attempt in range(ATTEMPTS):
        changed = list(moves)
        for group in groups:
            _redeal_group(changed, states, group, attempt >= FREE, pick)
        if _same(moves, states, changed, viewer):
            return tuple(changed)
    return moves


def _replay(moves: Course, state: State) -> list[State]:
    """The states before and after each move."""
    states = [state]
    for actor, action in moves:
        if actor not in state.actors:
            raise IllegalMove("not_your_turn", "This is no course of a game.")
        rules.check(state, actor, action)
        state = rules.apply(state, actor, action)
        states.append(state)
    return states


def _same(moves: Course, states: list[State], changed: list[tuple[int, Action]], viewer: Viewer) -> bool:
    """Whether `viewer` sees `changed` like `moves`; as long as that is so, the moves of `changed` are legal."""
    state = states[0]
    for index, (actor, action) in enumerate(changed):
        rules.check(state, actor, action)
        before, state = state, rules.apply(state, actor, action)
        wanted = observe(states[index + 1], viewer)
        told = describe(states[index], actor, moves[index][1], states[index + 1], viewer)
        if observe(state, viewer) != wanted or describe(before, actor, action, state, viewer) != told:
            return False
    return True


def _redeal_group(
    moves: list[tuple[int, Action]], states: list[State], group: list[_Round], careful: bool, pick: Pick
) -> None:
    """Change the rounds of one shuffle in place."""
    unseen: list[list[Card]] = []
    fixed: list[tuple[list[Card], bool]] = []
    for part in group:
        last = states[part.end]
        for seat in part.hidden:
            hand = last.hands[seat]
            # The player who may be stuck is the one whose turn it is when somebody else's set lies there.
            if careful and last.owner == 1 - seat and pick(2):
                unseen.append([])
                fixed.append((list(hand), True))
            else:
                unseen.append([card for card in hand if card.flat() not in last.seen])
                fixed.append(([card for card in hand if card.flat() in last.seen], False))
    kept = states[group[-1].end].kept
    pool = shuffled([*chain.from_iterable(unseen), *kept], pick)
    later: tuple[Card, ...] = tuple(pool[len(pool) - len(kept) :])
    places = iter(pool)
    finals = [
        known if left_alone else shuffled([*(next(places) for _ in cards), *known], pick)
        for cards, (known, left_alone) in zip(unseen, fixed, strict=True)
    ]
    for part in reversed(group):
        deal = moves[part.begin][1]
        assert isinstance(deal, Deal)
        hands = list(deal.hands)
        for seat in reversed(part.hidden):
            hands[seat] = _take_back(moves, states, part, seat, finals.pop(), pick)
        moves[part.begin] = (CHANCE, Deal(deal.start, tuple(hands), later))
        later = tuple(chain.from_iterable(hands))


def _take_back(
    moves: list[tuple[int, Action]], states: list[State], part: _Round, seat: int, hand: list[Card], pick: Pick
) -> tuple[Card, ...]:
    """The dealt hand from which `seat` gets to `hand` at the end of the round, with its moves changed to fit."""
    for index in range(part.end - 1, part.begin, -1):
        actor, action = moves[index]
        if actor != seat:
            continue
        before, after = states[index], states[index + 1]
        if isinstance(action, Orient):
            action = Orient(bool(pick(2)))
            hand = [card.turned() for card in hand] if action.turn else hand
        elif isinstance(action, Show):
            action = _unshow(hand, after.active, pick)
        elif isinstance(action, Scout):
            action = _unscout(hand, before, action)
        else:
            assert isinstance(action, ScoutShow)
            show = _unshow(hand, after.active, pick)
            action = ScoutShow(_unscout(hand, before, action.scout), show)
        moves[index] = (seat, action)
    return tuple(hand)


def _unshow(hand: list[Card], shown: tuple[Card, ...], pick: Pick) -> Show:
    """Put `shown` back at a random place."""
    first = pick(len(hand) + 1)
    hand[first:first] = shown
    return Show(first, len(shown))


def _unscout(hand: list[Card], before: State, scout: Scout) -> Scout:
    """Take the scouted card out of the hand again, wherever it has come to lie."""
    card = before.active[-1 if scout.right else 0]
    gap = hand.index(card) if card in hand else hand.index(card.turned())
    return Scout(scout.right, hand.pop(gap) != card, gap)
