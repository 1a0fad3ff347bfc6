"""A table's state, as its log tells it."""

from functools import cache
from typing import Any, NamedTuple

from msgspec import Struct

from engine.game import CHANCE, Game
from engine.games import game
from protocol.options import TableOptions
from protocol.values import CORRESPONDENCE_SECONDS, Status


class Keep(NamedTuple):
    """For whom a seat is kept."""

    player: str
    name: str


class Seat(Struct, frozen=True):
    """One seat.

    Attributes:
        player: who sits there.
        name: as shown at this table.
        bot: whether it is a program.
        asked: the kind of bot asked for, while the seat is free.
        kept: for whom the seat is kept, while it is free.
        ready: whether it is ready to start.
        commitment: what it committed to with that.
        nonce: what it told.
        minded: whether the minder plays it.
        resumed: whether its player took it back from the minder while its current decision waited.
        left: whether its player left for good.
        next: whether it has read the round's result.
        votes: the seats that want it minded.
        decision: the number of its current or next decision.
        since: since when its current decision waits, in the store's time.
    """

    player: str | None = None
    name: str = ""
    bot: bool = False
    asked: str | None = None
    kept: Keep | None = None
    ready: bool = False
    commitment: bytes | None = None
    nonce: bytes | None = None
    minded: bool = False
    resumed: bool = False
    left: bool = False
    next: bool = False
    votes: tuple[int, ...] = ()
    decision: int = 1
    since: int = 0

    @property
    def free(self) -> bool:
        """Whether nobody sits there."""
        return self.player is None


@cache  # there are few such sets, and this is asked many times for each move
def _in_order(actors: frozenset[int]) -> tuple[int, ...]:
    return tuple(sorted(actors - {CHANCE}))


class Table(Struct, frozen=True):
    """A table after some entry of its log.

    Attributes:
        id: its public id.
        version: how many entries its log has.
        head: the head of the chain.
        status: what it waits for.
        options: what it was created with.
        variant: of the game.
        quick: whether quick match made it.
        seed: secret until the end.
        commitment: to the seed.
        invite: the code of a private table.
        share: the code that opens the record of a private table.
        creator: the player who made it.
        created: when, in the store's time.
        changed: when the last entry was made.
        seats: its seats.
        waiting: since when somebody waits for others here; `None` while nobody does.
        full: since when all seats have been taken; `None` while they are not.
        since: since when the current status lasts.
        bots_offered: whether bots were offered.
        chances: how many chance actions there were.
        game: the game's state; `None` before the start.
        rematch: the table of the rematch.
        closed: why it was closed.
    """

    id: str
    version: int
    head: bytes
    status: Status
    options: TableOptions
    variant: str
    quick: bool
    seed: bytes
    commitment: bytes
    invite: str | None
    creator: str
    created: int
    changed: int
    seats: tuple[Seat, ...]
    share: str | None = None
    waiting: int | None = None
    full: int | None = None
    since: int = 0
    bots_offered: bool = False
    chances: int = 0
    game: Any = None
    rematch: str | None = None
    closed: str | None = None

    @property
    def rules(self) -> Game[Any, Any, Any, Any]:
        """The game that is played here."""
        return game(self.options.game)

    @property
    def begun(self) -> bool:
        """Whether the match has started."""
        return self.game is not None

    @property
    def ended(self) -> bool:
        """Whether nothing more can be played."""
        return self.status in ("over", "closed")

    @property
    def correspondence(self) -> bool:
        """Whether players are not expected to stay connected."""
        return self.options.move_seconds is None or self.options.move_seconds >= CORRESPONDENCE_SECONDS

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats the table waits for."""
        if self.status == "running":
            return _in_order(self.game.actors)
        if self.status == "open":
            return tuple(i for i, seat in enumerate(self.seats) if not seat.free and not seat.ready)
        if self.status == "revealing":
            return tuple(i for i, seat in enumerate(self.seats) if seat.commitment and seat.nonce is None)
        if self.status == "break":
            return tuple(i for i, seat in enumerate(self.seats) if not seat.next and not seat.minded)
        return ()

    def seat_of(self, player: str | None) -> int | None:
        """Where a player sits."""
        if player is None:
            return None
        for index, seat in enumerate(self.seats):
            if seat.player == player:
                return index
        return None
