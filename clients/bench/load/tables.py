"""Tables of four seats, each seat with a connection of its own, that play match after match.

Everything is driven by what the server sends; nothing waits. A move is complete when every seat has a view of its
version or a later one.
"""

import time
from typing import Any, Final

import msgspec

from clients.bench.load.errors import BenchError
from clients.bench.load.moves import choose, read_game
from clients.bench.load.tally import Load
from clients.bench.load.visitors import Message, Visitor
from protocol.commands import Create, Leave, Next, Play, Ready, Sit
from protocol.options import TableOptions

SEATS: Final = 4
MOVE_SECONDS: Final = 1800
"""Tables have a limit, as most do, but none that runs out while something else is measured."""
_OPTIONS: Final = TableOptions(seats=SEATS, move_seconds=MOVE_SECONDS)


class Table:
    """Four players who play one match after the other.

    Attributes:
        id: of the table they sit at.
        low: the version that all of them have seen.
    """

    def __init__(self, load: Load) -> None:
        self.id = ""
        self.low = 0
        self._load = load
        self._sent: dict[int, float] = {}
        self._reached: dict[int, float] = {}
        self.players = [Player(load, self, seat) for seat in range(SEATS)]
        self._seated = self._gone = 0

    def open(self) -> None:
        """Have the first player create a table, at which the others then sit down."""
        self._seated = self._gone = 0
        self.players[0].ask(Create(id=self._load.new_id(), options=_OPTIONS, seat=0))

    def seated(self, id: str) -> None:
        """One more sits; when all do, all are ready."""
        self.id = id
        self._seated += 1
        if self._seated < SEATS:
            self.players[self._seated].ask(Sit(id=self._load.new_id(), table=id, seat=self._seated))
            return
        self._load.playing += 1
        for player in self.players:
            player.ask(Ready(id=self._load.new_id(), table=id))

    def left(self) -> None:
        """One has seen the end; when all have, they begin anew."""
        self._gone += 1
        if self._gone == SEATS:
            self._load.tally.matches += 1
            self.low = 0
            self._reached.clear()
            for player in self.players:
                player.afresh()
            self.open()

    def shown(self) -> None:
        """A seat has seen a version; whether it was the last one to see it."""
        low = min(player.version for player in self.players)
        if low > self.low:
            now = time.perf_counter()
            for version in range(self.low + 1, low + 1):
                sent = self._sent.pop(version, None)
                if sent is None:
                    self._reached[version] = now
                else:
                    self._complete(now - sent)
            self.low = low

    def moved(self, version: int, sent: float) -> None:
        """A move that was sent at some time has made this version."""
        reached = self._reached.pop(version, None)
        if reached is not None:
            self._complete(reached - sent)
        else:
            self._sent[version] = sent

    def _complete(self, seconds: float) -> None:
        self._load.under_way -= 1
        self._load.tally.moves += 1
        self._load.tally.latencies.append(seconds)


class Player(Visitor):
    """A seat.

    Attributes:
        version: of the table, as far as it has been shown.
    """

    def __init__(self, load: Load, table: Table, seat: int) -> None:
        self.version = 0
        self._table = table
        self._seat = seat
        self._asked: dict[str, tuple[type[Any], float]] = {}
        self._decision = self._decided = self._round = 0
        self._left = False
        self._game = msgspec.Raw()
        super().__init__(load)

    def afresh(self) -> None:
        """The next table is another one."""
        self.version = self._decision = self._decided = self._round = 0
        self._left = False

    def ask(self, command: Create | Sit | Ready | Next | Leave | Play, at: float = 0.0) -> None:
        """Send a command, of which `done` hears; a move counts from `at`."""
        self._asked[command.id] = (type(command), at)
        self.say(command)

    def move(self, at: float) -> None:
        """Make the move that is waited for, which should have been made `at` some time of `time.perf_counter`."""
        load = self._load
        load.under_way += 1
        move = choose(read_game(self._game), load.random)
        self.ask(Play(id=load.new_id(), table=self._table.id, decision=self._decision, move=move), at)

    def viewed(self, message: Message, size: int) -> None:
        if message.table != self._table.id:
            raise BenchError("The server sent a view of another table.")
        tally = self._load.tally
        tally.views += 1
        tally.view_bytes += size
        ahead = message.version - self.version
        if ahead < 0:
            raise BenchError("The server sent an older view after a newer one.")
        if self.version and ahead > 1:
            tally.skipped += ahead - 1
        self.version = message.version
        if ahead:
            self._table.shown()
        if message.decision is not None:
            if message.decision != self._decided:
                self._decision = self._decided = message.decision
                self._game = message.game
                if self._load.flowing:
                    self.move(time.perf_counter())
                else:
                    self._load.waiting.append(self)
        elif message.status == "break":
            self._read_result(read_game(message.game).round)
        elif message.status == "over" and not self._left:
            self._left = True
            self.ask(Leave(id=self._load.new_id(), table=self._table.id))

    def done(self, message: Message) -> None:
        asked, sent = self._asked.pop(message.re or "")
        if asked is Play:
            self._table.moved(message.version, sent)
        elif asked is Create or asked is Sit:
            self._table.seated(message.table or "")
        elif asked is Leave:
            self._table.left()

    def _read_result(self, round: int) -> None:
        if round > self._round:
            self._round = round
            self.ask(Next(id=self._load.new_id(), table=self._table.id, round=round))
