"""Players, where they sit, and what their commands intend."""

from server.store.base import Player, Store
from tests.server.store.backends import Backend

ANNA = Player("p1", "Anna", bot=False)
ROBOT = Player("p2", "Robot", bot=True)


async def test_a_player_is_known_by_the_token(store: Store) -> None:
    await store.add_player(ANNA, b"hash of anna")
    await store.add_player(ROBOT, b"hash of robot")
    assert await store.player_by_token(b"hash of anna") == ANNA
    assert await store.player_by_token(b"hash of robot") == ROBOT
    assert await store.player_by_token(b"p1") is None


async def test_a_player_can_be_renamed(store: Store) -> None:
    await store.add_player(ANNA, b"hash")
    renamed = Player("p1", "Änna 🎪", bot=True)
    await store.update_player(renamed)
    assert await store.player_by_token(b"hash") == renamed


async def test_renaming_nobody_makes_nobody(store: Store) -> None:
    await store.update_player(ANNA)
    await store.add_player(ROBOT, b"hash")
    assert await store.player_by_token(b"hash") == ROBOT


async def test_seats_are_kept_in_the_order_in_which_they_were_noted(store: Store) -> None:
    for table in ("c", "a", "b", "c"):
        await store.add_seat("p1", table)
    await store.add_seat("p2", "d")
    assert await store.seats_of("p1") == ["c", "a", "b"]
    await store.drop_seat("p1", "c")
    await store.drop_seat("p1", "never")
    await store.drop_seat("nobody", "a")
    assert await store.seats_of("p1") == ["a", "b"]
    await store.add_seat("p1", "c")
    assert await store.seats_of("p1") == ["a", "b", "c"]
    assert await store.seats_of("p2") == ["d"]
    assert await store.seats_of("nobody") == []


async def test_the_first_intent_stays(store: Store) -> None:
    assert await store.intend("p1", "command", b"first") == b"first"
    assert await store.intend("p1", "command", b"second") == b"first"
    assert await store.intend("p2", "command", b"another's") == b"another's"
    assert await store.intend("p1", "other", b"another") == b"another"


async def test_an_intent_is_told_once_it_is_kept(store: Store) -> None:
    assert await store.intent("p1", "command") is None
    await store.intend("p1", "command", b"first")
    assert await store.intent("p1", "command") == b"first"
    assert await store.intent("p1", "other command") is None
    assert await store.intent("p2", "command") is None
    await store.replace_intent("p1", "command", b"first", b"second")
    assert await store.intent("p1", "command") == b"second"


async def test_an_intent_is_replaced_only_by_who_knows_it(store: Store) -> None:
    await store.intend("p1", "command", b"first")
    assert await store.replace_intent("p1", "command", b"first", b"second") == b"second"
    assert await store.replace_intent("p1", "command", b"first", b"third") == b"second"
    assert await store.intend("p1", "command", b"fourth") == b"second"


async def test_replacing_a_forgotten_intent_keeps_the_new_one(store: Store) -> None:
    assert await store.replace_intent("p1", "command", b"old", b"new") == b"new"
    assert await store.intend("p1", "command", b"other") == b"new"


async def test_players_seats_and_intents_are_there_after_a_restart(store: Store, backend: Backend) -> None:
    await store.add_player(ANNA, b"hash")
    await store.add_seat("p1", "table")
    await store.intend("p1", "command", b"intent")
    await store.close()
    again = backend.store()
    await again.open()
    try:
        assert await again.player_by_token(b"hash") == ANNA
        assert await again.seats_of("p1") == ["table"]
        assert await again.intend("p1", "command", b"other") == b"intent"
    finally:
        await again.close()
