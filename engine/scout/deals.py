"""Deals: how chance makes them, which are right, and what they set up (scout.md, Cards and deals)."""

from collections.abc import Sequence
from itertools import chain

from engine.game import Pick
from engine.scout.cards import Card
from engine.scout.codes import illegal
from engine.scout.decks import DECKS, HANDS, shuffled
from engine.scout.moves import Action, Deal
from engine.scout.state import State, fresh_tokens


def draw(state: State, pick: Pick) -> Deal:
    """The deal that is due in `state`.

    The draws are those of `engine.scout.decks.shuffled` over `engine.scout.decks.DECKS`, and then, in round 1 only,
    ``pick(players)`` for the starting seat. Seat A gets the first cards, seat B the next, and so on; with two players
    the rest is kept back. The second round of two players needs no draw.
    """
    players = state.players
    if _second_half(state):
        return _kept_deal(state)
    cards = shuffled(DECKS[players], pick)
    start = pick(players) if state.start is None else (state.start + 1) % players
    size = HANDS[players]
    return Deal(start, _cut(cards, players), tuple(cards[players * size :]))


def check_deal(state: State, deal: Action) -> None:
    """Raise `IllegalMove` unless `deal` can be the next one."""
    if not isinstance(deal, Deal):
        raise illegal("wrong_phase")
    players = state.players
    if state.start is None:
        if deal.start not in range(players):
            raise illegal("wrong_start")
    elif deal.start != (state.start + 1) % players:
        raise illegal("wrong_start")
    if _second_half(state):
        right = deal == _kept_deal(state)
    else:
        sizes = [len(hand) for hand in deal.hands]
        cards = [card.flat() for card in chain(*deal.hands, deal.kept)]
        right = sizes == [HANDS[players]] * players and sorted(cards) == list(DECKS[players])
    if not right:
        raise illegal("wrong_cards")


def deal_round(state: State, deal: Deal) -> State:
    """The state after a legal `deal`: everybody chooses an orientation."""
    players = state.players
    seen: frozenset[Card] = frozenset()
    own: tuple[frozenset[Card], ...] = (frozenset(),) * players
    if _second_half(state):
        seen = state.seen
        own = tuple(frozenset(map(Card.flat, hand)) - seen for hand in state.hands)
    return State(
        players=players,
        round=state.round + 1,
        phase="orient",
        start=deal.start,
        turn=None,
        hands=deal.hands,
        turned=(None,) * players,
        kept=deal.kept,
        active=(),
        owner=None,
        scouts=0,
        captured=(0,) * players,
        tokens=fresh_tokens(players),
        scout_show=(players > 2,) * players,
        seen=seen,
        own=own,
        results=state.results,
    )


def _second_half(state: State) -> bool:
    """Whether the cards kept back are due (scout.md, Two players: exactly the 22 cards kept back)."""
    return state.players == 2 and state.round == 1


def _kept_deal(state: State) -> Deal:
    """The one deal of the second round of two players."""
    assert state.start is not None
    return Deal((state.start + 1) % 2, _cut(state.kept, 2))


def _cut(cards: Sequence[Card], players: int) -> tuple[tuple[Card, ...], ...]:
    size = HANDS[players]
    return tuple(tuple(cards[seat * size : (seat + 1) * size]) for seat in range(players))
