"""What figures have to be like."""

from collections.abc import Iterator, Mapping

from protocol.closing import GOING_AWAY
from protocol.errors import GOING_AWAY as GOING_AWAY_ERROR
from protocol.errors import NO_REVEAL_DUE, STALE_DECISION, STORE_DOWN, WRONG_NONCE
from tests.end_to_end.noting import OVERTAKEN
from tests.faults.figures import QUIET, Figures

LONGEST_PAUSE: Mapping[str, float] = {
    QUIET: 2.0,
    "worker_killed": 2.0,
    "workers_terminated": 2.0,
    "workers_exchanged": 2.0,
    "news_cut": 5.0,
}
"""For how many seconds anybody may have to wait for something else than other players, by kind of fault."""
LONGEST_RECOVERY = 5.0
"""How many seconds after Redis has come back everybody plays again."""
LONGEST_AWAY = 2.0
"""For how many seconds a player whose server died or stopped may be without one."""
HESITATION = 0.2
"""Within how many seconds a client tries again."""
BUSY_SECONDS = 0.3
"""By how much a try may come later in a process that hundreds of players share."""
SERVER_STOPS = ("worker_killed", "workers_terminated", "workers_exchanged")
IN_ORDER = frozenset({str(GOING_AWAY.code)})
"""Close codes of a server that stops in order."""
CLEAR = OVERTAKEN | {code.code for code in (STORE_DOWN, GOING_AWAY_ERROR, STALE_DECISION, NO_REVEAL_DUE, WRONG_NONCE)}
"""Errors that a client may be told while no table is closed: each says what is the matter."""


def complaints(found: Figures, wanted: Mapping[str, int], *, forgetful: bool = False) -> Iterator[str]:
    """What is wrong with the figures of a site, in sentences; nothing if all is well.

    Args:
        wanted: how many faults of each kind there have to be.
        forgetful: its store lost stored moves, so that tables are closed and players forgotten.
    """
    for kind, count in wanted.items():
        if found.faults.get(kind, 0) < count:
            yield f"{found.faults.get(kind, 0)} faults of the kind {kind} instead of {count}"
    for name in ("lost", "doubled", "forked", "unfinished", "untimely"):
        if sentences := getattr(found, name):
            yield f"{name} ({len(sentences)}): {'; '.join(sentences[:3])}"
    if forgetful:
        return
    if found.closed:
        yield f"tables were closed: {found.closed}"
    if unclear := found.refusals.keys() - CLEAR:
        yield f"errors that nobody should see: {sorted(unclear)}"
    yield from _slow(found)
    for kind in SERVER_STOPS[1:]:
        if strange := found.close_codes.get(kind, {}).keys() - IN_ORDER:
            yield f"connections ended with {sorted(strange)} when servers stopped in order ({kind})"


def _slow(found: Figures) -> Iterator[str]:
    for kind, longest in LONGEST_PAUSE.items():
        if found.longest_pause.get(kind, 0.0) > longest:
            yield f"{kind}: somebody waited {found.longest_pause[kind]} s, more than {longest} s"
    for kind, seconds in found.longest_recovery.items():
        if seconds > LONGEST_RECOVERY:
            yield f"{kind}: somebody waited {seconds} s more than Redis was away"
    for kind in SERVER_STOPS:
        if found.longest_away.get(kind, 0.0) > LONGEST_AWAY:
            yield f"{kind}: somebody was without a server for {found.longest_away[kind]} s"
    if found.hesitation > HESITATION:
        yield f"half of the clients tried again only after {found.hesitation} s"
    if (longest := max(found.longest_hesitation.values(), default=0.0)) > HESITATION + BUSY_SECONDS:
        yield f"a client tried again only after {longest} s"
