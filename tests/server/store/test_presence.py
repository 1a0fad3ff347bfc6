"""Signs of life."""

from server.store.base import PRESENCE_TTL_MS, Present, Store
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
