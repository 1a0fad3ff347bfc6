"""Examples of views, all of one private match of three: Ada in seat 0, Ben in seat 1 and a bot in seat 2.

The cards are those of a match that was played; `protocol.examples` tells the rest of its story.
"""

from hashlib import sha256

from protocol.options import TableOptions
from protocol.pushes import TableSeat, View
from protocol.scout import Dealt, GameOver, RoundOver, RoundResult, Scouted, ScoutSeat, ScoutShowed, ScoutView, Showed
from protocol.table_events import Revealed, Sat, Started
from protocol.values import Hex32


def _hash(text: str) -> Hex32:
    return sha256(text.encode()).hexdigest()


def _commitment(secret: Hex32) -> Hex32:
    return sha256(bytes.fromhex(secret)).hexdigest()


def head(version: int) -> Hex32:
    """The head of the chain of the example's table at a version."""
    return _hash(f"head {version}")


TABLE = "7kq2m0x9v4ad"
INVITE = "amber-otter-42"
OPTIONS = TableOptions(game="scout", seats=3, private=True, move_seconds=60)
SEED = _hash("seed")
COMMITMENT = _commitment(SEED)
NONCE_ADA = _hash("nonce of Ada")
NONCE_BEN = _hash("nonce of Ben")
COMMITMENT_ADA = _commitment(NONCE_ADA)
COMMITMENT_BEN = _commitment(NONCE_BEN)
ADA = "ada0000000000001"
BEN = "ben0000000000002"
CLOWN = "bot0000000000003"


def _seat(name: str, player: str, commitment: Hex32 | None, nonce: Hex32 | None, *, ready: bool) -> TableSeat:
    return TableSeat(
        name=name,
        player=player,
        bot=player == CLOWN,
        asked=None,
        ready=ready,
        commitment=commitment,
        nonce=nonce,
        minded=False,
        left=False,
        next=False,
        votes=0,
        reserved=None,
    )


SEATS_OPEN = (
    _seat("Ada", ADA, None, None, ready=False),
    _seat("Ben", BEN, None, None, ready=False),
    _seat("Clown", CLOWN, None, None, ready=False),
)
SEATS = (
    _seat("Ada", ADA, COMMITMENT_ADA, NONCE_ADA, ready=True),
    _seat("Ben", BEN, COMMITMENT_BEN, NONCE_BEN, ready=True),
    _seat("Clown", CLOWN, None, None, ready=True),
)
ROUND_1 = RoundResult(
    round=1,
    reason="unbeaten",
    ender=2,
    captured=(1, 2, 2),
    tokens=(1, 1, 3),
    hand=(11, 11, 8),
    waived=2,
    scores=(-9, -8, 5),
)
ROUND_2 = RoundResult(
    round=2,
    reason="unbeaten",
    ender=2,
    captured=(0, 1, 2),
    tokens=(1, 1, 2),
    hand=(11, 11, 9),
    waived=2,
    scores=(-10, -9, 4),
)
ROUND_3 = RoundResult(
    round=3,
    reason="unbeaten",
    ender=1,
    captured=(2, 2, 1),
    tokens=(1, 3, 1),
    hand=(11, 8, 11),
    waived=1,
    scores=(-8, 5, -9),
)
_DEALT = ScoutSeat(cards=12, captured=0, tokens=0, scout_show=True, chosen=False, held=(), points=0)

OPEN = View(
    table=TABLE,
    version=3,
    head=head(3),
    status="open",
    options=OPTIONS,
    quick=False,
    commitment=COMMITMENT,
    seed=None,
    invite=INVITE,
    seats=SEATS_OPEN,
    you=0,
    decision=None,
    to_act=(0, 1, 2),
    deadline_ms=None,
    bots_offered=False,
    rematch=None,
    closed=None,
    game=None,
    by="player",
    events=(Sat(seat=1, name="Ben", bot=False),),
)
"""Version 3, as Ada sees it: Ben has just sat down."""
ORIENT = View(
    table=TABLE,
    version=8,
    head=head(8),
    status="running",
    options=OPTIONS,
    quick=False,
    commitment=COMMITMENT,
    seed=None,
    invite=INVITE,
    seats=SEATS,
    you=0,
    decision=1,
    to_act=(0, 1, 2),
    deadline_ms=60000,
    bots_offered=False,
    rematch=None,
    closed=None,
    game=ScoutView(
        viewer=0,
        round=1,
        rounds=3,
        phase="orient",
        start=2,
        turn=None,
        hand=((9, 1), (5, 1), (2, 5), (5, 8), (7, 4), (2, 8), (6, 3), (9, 8), (9, 4), (3, 8), (6, 9), (7, 1)),
        turned=None,
        active=(),
        owner=None,
        scouts=0,
        gone=(),
        seats=(_DEALT, _DEALT, _DEALT),
        results=(),
        winners=None,
    ),
    by="player",
    events=(Revealed(seat=1), Started(seats=(0, 1, 2)), Dealt(round=1, start=2, cards=12)),
)
"""Version 8, as Ada sees it: all are ready, the nonces are told, the first round is dealt."""
TURN = View(
    table=TABLE,
    version=12,
    head=head(12),
    status="running",
    options=OPTIONS,
    quick=False,
    commitment=COMMITMENT,
    seed=None,
    invite=INVITE,
    seats=SEATS,
    you=0,
    decision=2,
    to_act=(0,),
    deadline_ms=60000,
    bots_offered=False,
    rematch=None,
    closed=None,
    game=ScoutView(
        viewer=0,
        round=1,
        rounds=3,
        phase="play",
        start=2,
        turn=0,
        hand=((1, 9), (1, 5), (5, 2), (8, 5), (4, 7), (8, 2), (3, 6), (8, 9), (4, 9), (8, 3), (9, 6), (1, 7)),
        turned=True,
        active=((4, 3), (4, 1)),
        owner=2,
        scouts=0,
        gone=(),
        seats=(
            ScoutSeat(cards=12, captured=0, tokens=0, scout_show=True, chosen=True, held=(), points=0),
            ScoutSeat(cards=12, captured=0, tokens=0, scout_show=True, chosen=True, held=(), points=0),
            ScoutSeat(cards=10, captured=0, tokens=0, scout_show=True, chosen=True, held=(), points=0),
        ),
        results=(),
        winners=None,
    ),
    by="player",
    events=(Showed(seat=2, cards=((4, 3), (4, 1)), captured=0, move=None),),
)
"""Version 12, as Ada sees it: the bot has shown two 4s, and it is her turn."""
WATCHED = View(
    table=TABLE,
    version=13,
    head=head(13),
    status="running",
    options=OPTIONS,
    quick=False,
    commitment=COMMITMENT,
    seed=None,
    invite=None,
    seats=SEATS,
    you=None,
    decision=None,
    to_act=(1,),
    deadline_ms=59950,
    bots_offered=False,
    rematch=None,
    closed=None,
    game=ScoutView(
        viewer=None,
        round=1,
        rounds=3,
        phase="play",
        start=2,
        turn=1,
        hand=None,
        turned=None,
        active=((1, 9), (1, 4), (1, 5)),
        owner=0,
        scouts=0,
        gone=((3, 4),),
        seats=(
            ScoutSeat(cards=10, captured=1, tokens=0, scout_show=False, chosen=True, held=(), points=0),
            ScoutSeat(cards=12, captured=0, tokens=0, scout_show=True, chosen=True, held=(), points=0),
            ScoutSeat(cards=10, captured=0, tokens=1, scout_show=True, chosen=True, held=(), points=0),
        ),
        results=(),
        winners=None,
    ),
    by="player",
    events=(
        ScoutShowed(seat=0, card=(4, 1), right=True, owner=2, cards=((1, 9), (1, 4), (1, 5)), captured=1, move=None),
    ),
)
"""Version 13, as a spectator sees it: Ada has scouted a 4, turned it to a 1, and shown three 1s."""
BREAK = View(
    table=TABLE,
    version=17,
    head=head(17),
    status="break",
    options=OPTIONS,
    quick=False,
    commitment=COMMITMENT,
    seed=None,
    invite=INVITE,
    seats=SEATS,
    you=0,
    decision=None,
    to_act=(),
    deadline_ms=20000,
    bots_offered=False,
    rematch=None,
    closed=None,
    game=ScoutView(
        viewer=0,
        round=1,
        rounds=3,
        phase="deal",
        start=2,
        turn=None,
        hand=((5, 2), (8, 5), (4, 7), (3, 7), (8, 2), (3, 6), (8, 9), (4, 9), (8, 3), (9, 6), (1, 7)),
        turned=True,
        active=((7, 5),),
        owner=2,
        scouts=2,
        gone=((1, 4), (1, 5), (1, 9), (3, 4), (4, 6)),
        seats=(
            ScoutSeat(cards=11, captured=1, tokens=1, scout_show=False, chosen=True, held=((3, 7),), points=-9),
            ScoutSeat(cards=11, captured=2, tokens=1, scout_show=False, chosen=True, held=((7, 8),), points=-8),
            ScoutSeat(cards=8, captured=2, tokens=3, scout_show=False, chosen=True, held=(), points=5),
        ),
        results=(ROUND_1,),
        winners=None,
    ),
    by="player",
    events=(Scouted(seat=1, card=(7, 8), right=True, owner=2, token=True, move=None), RoundOver(result=ROUND_1)),
)
"""Version 17, as Ada sees it: the first round is over."""
OVER = View(
    table=TABLE,
    version=38,
    head=head(38),
    status="over",
    options=OPTIONS,
    quick=False,
    commitment=COMMITMENT,
    seed=SEED,
    invite=INVITE,
    seats=SEATS,
    you=0,
    decision=None,
    to_act=(),
    deadline_ms=None,
    bots_offered=False,
    rematch=None,
    closed=None,
    game=ScoutView(
        viewer=0,
        round=3,
        rounds=3,
        phase="over",
        start=1,
        turn=None,
        hand=((5, 9), (1, 9), (6, 4), (2, 5), (8, 9), (9, 6), (7, 1), (7, 2), (3, 1), (8, 7), (7, 6)),
        turned=False,
        active=((8, 5),),
        owner=1,
        scouts=2,
        gone=((2, 4), (2, 6), (3, 5), (3, 7), (5, 7)),
        seats=(
            ScoutSeat(cards=11, captured=2, tokens=1, scout_show=False, chosen=True, held=((7, 8),), points=-27),
            ScoutSeat(cards=8, captured=2, tokens=3, scout_show=False, chosen=True, held=(), points=-12),
            ScoutSeat(cards=11, captured=1, tokens=1, scout_show=False, chosen=True, held=((3, 8),), points=0),
        ),
        results=(ROUND_1, ROUND_2, ROUND_3),
        winners=(2,),
    ),
    by="player",
    events=(
        Scouted(seat=0, card=(8, 7), right=True, owner=1, token=True, move="scout right 10"),
        RoundOver(result=ROUND_3),
        GameOver(points=(-27, -12, 0), winners=(2,)),
    ),
)
"""Version 38, as Ada sees it: the match is over, and the seed is shown."""
