"""What the hub keeps of one connection."""

from server.hub.peer import Peer
from server.store.base import Player


class Connection:
    """One connection that has said hello.

    Attributes:
        peer: how to reach it.
        player: whose it is.
        house: it belongs to one of the server's own bots.
        tables: the tables whose views it gets.
        lobby: it follows the lobby.
        levels: the kinds of bot it serves; empty for everybody who serves none.
        passed: how many seats it was offered and let pass.
    """

    __slots__ = ("house", "levels", "lobby", "passed", "peer", "player", "tables")

    def __init__(self, peer: Peer, player: Player, house: bool) -> None:
        self.peer = peer
        self.player = player
        self.house = house
        self.tables: set[str] = set()
        self.lobby = False
        self.levels: tuple[str, ...] = ()
        self.passed = 0
