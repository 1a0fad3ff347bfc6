"""What a table is created with."""

from typing import Annotated

from msgspec import Meta, Struct

from protocol.values import DEFAULT_MOVE_SECONDS, MAX_SEATS, GameName


class TableOptions(Struct, frozen=True, kw_only=True):
    """What a table is created with.

    Attributes:
        game: the game.
        seats: how many seats the table has.
        private: only whoever has the invite code finds, joins or watches it, and its record stays with its seats.
        move_seconds: the limit for each move and each orientation choice, 5 seconds to 30 days; null for none. From an
            hour on, and without a limit, the table is played by correspondence.
    """

    game: GameName = "scout"
    seats: Annotated[int, Meta(ge=2, le=MAX_SEATS)] = 4
    private: bool = False
    move_seconds: Annotated[int, Meta(ge=5, le=30 * 86400)] | None = DEFAULT_MOVE_SECONDS
