"""Signs of life."""

import sys
from types import FrameType
from typing import Any

from server.store.base import PRESENCE_TTL_MS, Present, Store
from server.store.ephemeral import Presence
from tests.server.store.backends import Backend


async def test_nobody_is_anywhere_at_first(store: Store) -> None:
    assert await store.present("table") == Present({}, frozenset(), 0, None)


async def test_players_and_spectators(store: Store, backend: Backend) -> None:
    start = backend.now
    await store.beat("table", "c1", "anna")
    backend.now += 1
    await store.beat("table", "c2", "bert")
    await store.beat("table", "c3", None)
    await store.beat("other", "c4", None)
    await store.beat("other", "c5", None)
    assert await store.present("table") == Present(
        {"anna": start, "bert": start + 1}, frozenset({"anna", "bert"}), 1, start + 1
    )
    assert (await store.present("other")).spectators == 2


async def test_a_sign_of_life_counts_for_a_while(store: Store, backend: Backend) -> None:
    start = backend.now
    await store.beat("table", "c1", "anna")
    await store.beat("table", "c2", None)
    backend.now += PRESENCE_TTL_MS - 1
    here = await store.present("table")
    assert (here.here, here.spectators) == (frozenset({"anna"}), 1)
    backend.now += 1
    assert await store.present("table") == Present({"anna": start}, frozenset(), 0, start)


async def test_beats_keep_a_connection_alive(store: Store, backend: Backend) -> None:
    for _ in range(4):
        await store.beat("table", "c1", "anna")
        backend.now += PRESENCE_TTL_MS - 1
    assert (await store.present("table")).here == {"anna"}


async def test_who_leaves_is_gone_at_once(store: Store, backend: Backend) -> None:
    start = backend.now
    await store.beat("table", "c1", "anna")
    await store.beat("table", "c2", None)
    backend.now += 5
    await store.leave("table", "c1")
    await store.leave("table", "c2")
    await store.leave("table", "c2")
    await store.leave("nowhere", "c1")
    assert await store.present("table") == Present({"anna": start}, frozenset(), 0, start)


async def test_a_player_with_two_connections_is_here_until_both_are_gone(store: Store) -> None:
    await store.beat("table", "c1", "anna")
    await store.beat("table", "c2", "anna")
    await store.leave("table", "c1")
    assert (await store.present("table")).here == {"anna"}
    await store.leave("table", "c2")
    assert (await store.present("table")).here == frozenset()


async def test_a_connection_may_change_between_seat_and_spectator(store: Store) -> None:
    await store.beat("table", "c1", "anna")
    await store.beat("table", "c1", None)
    present = await store.present("table")
    assert (present.here, present.spectators) == (frozenset(), 1)
    await store.beat("table", "c1", "anna")
    present = await store.present("table")
    assert (present.here, present.spectators) == (frozenset({"anna"}), 0)


async def test_what_was_told_does_not_change(store: Store, backend: Backend) -> None:
    start = backend.now
    await store.beat("table", "c1", "anna")
    told = await store.present("table")
    backend.now += 1
    await store.beat("table", "c1", "anna")
    await store.beat("table", "c2", "bert")
    assert told == Present({"anna": start}, frozenset({"anna"}), 0, start)
    after = Present({"anna": start + 1, "bert": start + 1}, frozenset({"anna", "bert"}), 0, start + 1)
    assert await store.present("table") == after


async def test_only_those_without_a_beat_are_gone(store: Store, backend: Backend) -> None:
    for name in ("c1", "c2", "c3"):
        await store.beat("table", name, None)
        backend.now += 1
    backend.now += PRESENCE_TTL_MS - 5
    await store.beat("table", "c1", None)
    backend.now += 4
    assert (await store.present("table")).spectators == 1
    backend.now += PRESENCE_TTL_MS - 4
    assert (await store.present("table")).spectators == 0


def work(spectators: int) -> int:
    """How many instructions it takes to keep so many connections present, and to say so after each beat."""
    now = 0
    presence = Presence(lambda: now)
    instructions = 0

    def count(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal instructions
        frame.f_trace_opcodes = True
        instructions += event == "opcode"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        for _ in range(8):
            now += PRESENCE_TTL_MS // 2
            presence.beat("table", "player", "anna")
            for number in range(spectators):
                presence.beat("table", f"c{number}", None)
                presence.present("table")
        now += PRESENCE_TTL_MS
        assert presence.present("table").spectators == 0
    finally:
        sys.settrace(before)
    return instructions


def test_the_work_grows_with_the_connections_and_no_faster() -> None:
    few, many = work(20), work(200)
    assert few > 0
    assert many < 12 * few
