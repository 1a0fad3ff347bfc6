"""What only the store in Redis has: many processes, scripts, its time, and its secrets."""

import asyncio
import itertools
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
import uvloop
from structlog.typing import EventDict

from server.store import redis_servers
from server.store.base import PRESENCE_TTL_MS, PUBLIC, Head, Log, Player, StoreError
from server.store.redis import RedisStore
from server.store.redis_keys import BUCKETS, Keys, bucket_of
from server.store.redis_news import Ear
from tests.server.store.redis_server import DURABLE, RedisServer, shared_server
from tests.server.store.redis_steps import eventually, opened, until
from tests.server.store.steps import Told, Writer, always, step

_prefixes = itertools.count(1)


@pytest.fixture
def prefix() -> str:
    return f"two{next(_prefixes)}"


@pytest_asyncio.fixture
async def here(prefix: str) -> AsyncIterator[RedisStore]:
    async with opened(shared_server().url, prefix=prefix) as store:
        yield store


@pytest_asyncio.fixture
async def there(prefix: str) -> AsyncIterator[RedisStore]:
    async with opened(shared_server().url, prefix=prefix) as store:
        yield store


async def _race(store: RedisStore, name: str, count: int) -> list[Head]:
    """Commit until so many were stored, and tell which."""
    writer, stored = Writer(store, "07table"), list[Head]()
    while len(stored) < count:
        missed = await writer.move(name.encode())
        if missed is None:
            assert writer.head is not None
            stored.append(writer.head)
        else:
            assert len(missed.entries) == missed.head.version - (0 if writer.head is None else writer.head.version)
            writer.head = missed.head
    return stored


async def _equals(found: Awaitable[object], expected: object) -> bool:
    return await found == expected


async def test_of_two_processes_exactly_one_wins_each_version(here: RedisStore, there: RedisStore) -> None:
    told = Told()
    await there.follow("07table", told.on_entry)
    ours, theirs = await asyncio.gather(_race(here, "here", 1000), _race(there, "there", 1000))
    heads = sorted([*ours, *theirs])
    assert [head.version for head in heads] == list(range(1, 2001))
    log = await here.load("07table")
    assert log is not None
    assert log.head == heads[-1]
    winners = dict.fromkeys(ours, b"here") | dict.fromkeys(theirs, b"there")
    assert list(log.entries) == [winners[head] for head in heads]
    await until(lambda: len(told.news) == 2000)
    assert told.news == [("07table", head, winners[head]) for head in heads]


async def test_every_process_is_told(here: RedisStore, there: RedisStore) -> None:
    told = Told()
    await there.follow("07table", told.on_entry)
    await there.subscribe("07table", "anna", told.on_view)
    await there.subscribe("07table", PUBLIC, told.on_view)
    writer = Writer(here, "07table")
    await writer.move(b"entry", views=[("anna", always(b"a")), ("bert", always(b"b")), (PUBLIC, always(b""))])
    await until(lambda: len(told.news) == 3)
    assert told.news == [
        ("07table", writer.head, b"entry"),
        ("07table", "anna", 1, b"a"),
        ("07table", PUBLIC, 1, b""),
    ]


async def test_a_process_hears_only_what_it_asked_for(here: RedisStore, prefix: str) -> None:
    server, keys = shared_server(), Keys(prefix)
    channels = [keys.views("07table", "anna"), keys.views("07table", PUBLIC), keys.entries("07table")]

    def listeners() -> list[int]:
        return [int(count) for count in server.command("PUBSUB", "NUMSUB", *channels)[1::2]]

    await here.subscribe("07table", "anna", Told().on_view)
    assert listeners() == [1, 0, 0]
    await here.follow("07table", Told().on_entry)
    assert listeners() == [1, 0, 1]
    await here.unsubscribe("07table", "anna")
    await here.unfollow("07table")
    await until(lambda: listeners() == [0, 0, 0])


async def test_subscribing_anew_in_one_turn(here: RedisStore, there: RedisStore) -> None:
    told = Told()
    first = asyncio.create_task(here.follow("07table", Told().on_entry))
    await asyncio.sleep(0)  # It has asked.
    await here.unfollow("07table")
    await here.follow("07table", told.on_entry)
    await first
    writer = Writer(there, "07table")
    await writer.moves(b"1")
    await until(lambda: told.news == [("07table", writer.head, b"1")])


async def test_a_confirmation_counts_only_for_its_own_subscription() -> None:
    ear = Ear({})
    first = asyncio.create_task(ear.subscribe([b"channel"]))
    await asyncio.sleep(0)  # It has asked.
    ear.unsubscribe(b"channel")
    second = asyncio.create_task(ear.subscribe([b"channel"]))
    await first
    await asyncio.sleep(0)  # The second has asked, too.
    ear.received([b"subscribe", b"channel", 1])
    assert not ear.confirmed
    ear.received([b"unsubscribe", b"channel", 0])
    ear.received([b"subscribe", b"channel", 1])
    assert ear.confirmed == {b"channel"}
    await second


async def test_a_listener_that_fails_harms_nobody_else(here: RedisStore, logged: list[EventDict]) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a bug")

    told = Told()
    await here.follow("07table", broken)
    await here.follow("08table", told.on_entry)
    await Writer(here, "07table").moves(b"1")
    await Writer(here, "08table").moves(b"1")
    await until(lambda: len(told.news) == 1)
    assert [entry["event"] for entry in logged] == ["listener_failed"]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no uvloop")
def test_the_loop_of_the_server_serves_it(prefix: str) -> None:
    async def play() -> None:
        async with opened(shared_server().url, prefix=prefix) as store:
            told = Told()
            await store.follow("07table", told.on_entry)
            await asyncio.gather(*(Writer(store, f"{number:02d}table").moves(b"1", b"2") for number in range(64)))
            await until(lambda: len(told.news) == 2)
            await store.check()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(play())


async def test_a_deadline_of_another_process_is_seen_soon(here: RedisStore, there: RedisStore) -> None:
    assert await there.due(9) == []
    writer = Writer(here, "07table")
    await writer.move(deadline=here.now() - 1)
    assert await here.due(9) == ["07table"], "one's own at once"
    await eventually(lambda: _equals(there.due(9), ["07table"]))
    later = here.now() + 60_000
    await writer.move(deadline=later)
    await eventually(lambda: _equals(there.next_due(), later))
    assert await there.due(9) == []


async def test_more_deadlines_than_are_read_at_once(here: RedisStore, there: RedisStore) -> None:
    now = here.now()
    commits = [step(f"07table{number}", None, deadline=now - number) for number in range(200)]
    await asyncio.gather(*map(here.commit, commits))
    found = await here.due(200)
    assert found == [f"07table{number}" for number in reversed(range(200))]
    assert await there.due(200) == found


async def test_processes_whose_clocks_differ_by_minutes_agree(prefix: str) -> None:
    url = shared_server().url
    clocks = (lambda: time.time() * 1000 + 5 * 60_000, lambda: time.time() * 1000 - 7 * 60_000)
    async with (
        opened(url, prefix=prefix, own_clock=clocks[0]) as fast,
        opened(url, prefix=prefix, own_clock=clocks[1]) as slow,
    ):
        assert abs(fast.now() - slow.now()) < 100
        assert abs(fast.now() - time.time() * 1000) < 100
        await Writer(fast, "07table").move(deadline=fast.now() - 100)
        assert await slow.due(9) == ["07table"]
        await fast.beat("07table", "connection", "anna")
        assert (await slow.present("07table")).here == {"anna"}


async def test_a_clock_that_is_set_is_noticed(prefix: str) -> None:
    error = 0.0
    async with opened(shared_server().url, prefix=prefix, own_clock=lambda: time.time() * 1000 + error) as store:
        error = 10 * 60_000
        await until(lambda: abs(store.now() - time.time() * 1000) < 100)


async def test_scripts_that_redis_forgot_are_sent_again(here: RedisStore) -> None:
    shared_server().command("SCRIPT", "FLUSH")
    writers = [Writer(here, f"{number:02d}table") for number in range(70)]
    assert await asyncio.gather(*(writer.move() for writer in writers)) == [None] * 70
    shared_server().command("SCRIPT", "FLUSH")
    assert await here.heads(["07table"]) == {"07table": writers[7].head}
    await here.delete("07table")
    assert await here.load("07table") is None


async def test_the_calls_of_one_turn_share_a_packet(here: RedisStore) -> None:
    links = [node.link for node in here._ready().nodes]
    commits = [step(f"{number:02d}table", None) for number in range(50)]
    tasks = [asyncio.ensure_future(here.commit(commit)) for commit in commits]
    await asyncio.sleep(0)  # All have handed in their commits.
    waiting = [len(link._out) for link in links if link is not None]
    assert sum(waiting) >= 50
    assert min(waiting) > 0, "several connections share them"
    assert await asyncio.gather(*tasks) == [None] * 50


async def test_connections_that_died_do_not_pile_up(here: RedisStore, prefix: str) -> None:
    key, dead = Keys(prefix).connections("07table"), (here.now() - PRESENCE_TTL_MS - 1)
    server = shared_server()
    for number in range(63):
        server.command("HSET", key, f"dead{number}", f"{dead} anna")
    for number in range(9):
        await here.beat("07table", f"new{number}", "bert")
    assert server.command("HLEN", key) == 9
    assert 0 < server.command("PTTL", key) <= PRESENCE_TTL_MS


async def test_nothing_of_a_deleted_table_stays(here: RedisStore, prefix: str) -> None:
    await here.add_seat("anna", "07table")
    await here.beat("07table", "connection", "anna")
    await Writer(here, "07table").move(deadline=1, listing=b"l", wants=b"w")
    await Writer(here, "08table").move(finished=True)
    await here.delete("07table")
    await here.delete("08table")
    assert shared_server().command("KEYS", f"{prefix}:*") == [f"{prefix}:pulse".encode()]


async def test_all_that_a_commit_touches_lies_in_one_slot() -> None:
    keys = Keys("bigtop")
    assert [bucket_of(f"{number:02d}abc") for number in range(BUCKETS)] == list(range(BUCKETS))
    touched, entries = keys.committed("07abc")
    for name in (*touched, entries, keys.views("07abc", "anna"), keys.seen("07abc"), keys.connections("07abc")):
        assert name.startswith(b"bigtop:{07}:")


async def test_a_player_without_a_token_of_theirs_is_nobody(here: RedisStore, prefix: str) -> None:
    await here.add_player(Player("p1", "Anna", bot=False), b"hash")
    shared_server().command("DEL", Keys(prefix).player("p1"))
    assert await here.player_by_token(b"hash") is None


async def test_a_key_of_another_kind_is_a_store_error(here: RedisStore, prefix: str) -> None:
    shared_server().command("SET", Keys(prefix).log("07table"), "not a log")
    with pytest.raises(StoreError, match="WRONGTYPE"):
        await Writer(here, "07table").move()
    with pytest.raises(StoreError, match="WRONGTYPE"):
        await here.load("07table")
    await Writer(here, "08table").moves(b"others go on")


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path, *DURABLE, password="sesame/öffne dich").start()
    yield server
    server.stop()


async def test_a_password_opens_and_is_never_shown(
    guarded: RedisServer, logged: list[EventDict], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_servers, "OPEN_SECONDS", 0.5)
    good = f"redis://:sesame%2F%C3%B6ffne%20dich@127.0.0.1:{guarded.port}/3"
    async with opened(good) as store:
        assert await Writer(store).move() is None
        told = Told()
        await store.follow("table", told.on_entry)
        assert "sesame" not in repr(store._place)
    for bad in (f"redis://:wrong-secret@127.0.0.1:{guarded.port}", f"redis://127.0.0.1:{guarded.port}"):
        with pytest.raises(StoreError) as caught:
            await RedisStore(bad).open()
        assert "secret" not in str(caught.value)
        assert "WRONGPASS" in str(caught.value) or "NOAUTH" in str(caught.value)
    assert "sesame" not in repr(logged)
    assert "secret" not in repr(logged)


async def test_a_user_of_an_access_list(guarded: RedisServer) -> None:
    guarded.command("ACL", "SETUSER", "bigtop", "on", ">key", "~*", "&*", "+@all", "-config")
    async with opened(f"redis://bigtop:key@127.0.0.1:{guarded.port}") as store:
        assert await Writer(store).move() is None
        assert await store.load("table") == Log((await store.heads(["table"]))["table"], (b"entry",))
        with pytest.raises(StoreError, match="does not show its settings"):
            await store.check()
