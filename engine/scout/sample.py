"""States that fit what one viewer knows, for bots that think in samples."""

from collections.abc import Iterable

from engine.game import Pick
from engine.scout.cards import Card
from engine.scout.decks import DECKS, shuffled
from engine.scout.state import State, initial
from engine.scout.view import ScoutView


def sample(view: ScoutView, pick: Pick) -> State:
    """A state for which `observe` gives `view` again to the same viewer.

    The cards that the viewer has not seen are spread uniformly over the places where they can be, every hand but the
    viewer's is in random order and orientation, and every choice of orientation but the viewer's is random.
    """
    players, viewer = len(view.seats), view.viewer
    if not view.round:
        return initial(players)
    held = [seat.held for seat in view.seats]
    own = () if view.hand is None else view.hand
    known = {card.flat() for card in (*own, *view.active, *view.gone)}.union(*held)
    unknown = iter(shuffled((card for card in DECKS[players] if card not in known), pick))
    hands = tuple(
        view.hand
        if view.hand is not None and seat == viewer
        else _mixed(held[seat], unknown, view.seats[seat].cards, pick)
        for seat in range(players)
    )
    rest = tuple(unknown)
    first = players == 2 and view.round == 1
    return State(
        players=players,
        round=view.round,
        phase=view.phase,
        start=view.start,
        turn=view.turn,
        hands=hands,
        turned=tuple(_choice(view, seat, pick) for seat in range(players)),
        kept=rest if first else (),
        active=view.active,
        owner=view.owner,
        scouts=view.scouts,
        captured=tuple(seat.captured for seat in view.seats),
        tokens=tuple(seat.tokens for seat in view.seats),
        scout_show=tuple(seat.scout_show for seat in view.seats),
        seen=frozenset(view.gone).union(map(Card.flat, view.active), *held),
        own=_left_over(view, () if first else rest),
        results=view.results,
    )


def _mixed(held: tuple[Card, ...], unknown: Iterable[Card], size: int, pick: Pick) -> tuple[Card, ...]:
    """A hand of `size` cards: `held` and the next ones of the `unknown`."""
    source = iter(unknown)
    return tuple(shuffled([*held, *(next(source) for _ in range(size - len(held)))], pick))


def _choice(view: ScoutView, seat: int, pick: Pick) -> bool | None:
    if seat == view.viewer:
        return view.turned
    return bool(pick(2)) if view.seats[seat].chosen else None


def _left_over(view: ScoutView, rest: tuple[Card, ...]) -> tuple[frozenset[Card], ...]:
    """Who was left with the `rest`, the cards of the first of two players' rounds that the viewer never saw.

    The viewer's own ones are among `view.gone` already. A spectator cannot know how they were divided.
    """
    own: list[frozenset[Card]] = [frozenset()] * len(view.seats)
    if not rest:
        return tuple(own)
    cards = [card.flat() for card in rest]
    if view.viewer is not None:
        own[1 - view.viewer] = frozenset(cards)
        return tuple(own)
    # The first seat can have been left with at most as many cards as it held when the round ended.
    most = view.results[0].hand[0]
    own[0], own[1] = frozenset(cards[:most]), frozenset(cards[most:])
    return tuple(own)
