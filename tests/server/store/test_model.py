"""Every store against a model that anybody can check by reading it."""

import asyncio
import tempfile
from collections.abc import Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from server.store.base import BEGINNING, GRACE_MS, PUBLIC, Commit, Head, Log, Store
from tests.server.store.backends import BACKENDS, Backend
from tests.server.store.steps import always, step

T = TypeVar("T")

TABLES = st.sampled_from(["t1", "t2", "t3"])
PLAYERS = st.sampled_from(["p1", "p2"])
BYTES = st.binary(max_size=3)


@dataclass
class Table:
    log: list[tuple[Head, bytes]] = field(default_factory=list)
    last: Commit | None = None
    finished: int | None = None


class Model(RuleBasedStateMachine):
    """What a store should do, in lists and dicts, next to what it does."""

    backend_type: type[Backend]

    @initialize()
    def start(self) -> None:
        self.runner = asyncio.Runner()
        self.folder = tempfile.TemporaryDirectory()
        self.backend = self.backend_type(Path(self.folder.name))
        self.tables: dict[str, Table] = {}
        self.seats: dict[str, list[str]] = {"p1": [], "p2": []}
        self.intents: dict[tuple[str, str], bytes] = {}
        self.lost_heads: list[Head] = []
        self.grace = 0
        self.open()

    def teardown(self) -> None:
        if hasattr(self, "runner"):
            self.run(self.store.close())
            self.runner.close()
            self.folder.cleanup()

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(coroutine)

    def open(self) -> None:
        self.store: Store = self.backend.store()
        self.news: list[tuple[object, ...]] = []
        self.run(self.store.open())
        for table in ("t1", "t2"):
            self.run(self.store.subscribe(table, PUBLIC, lambda *news: self.news.append(news)))
            self.run(self.store.follow(table, lambda *news: self.news.append(news)))

    @rule()
    def restart(self) -> None:
        self.run(self.store.close())
        self.open()
        if self.backend.outage_on_restart:
            self.grace = self.backend.now + GRACE_MS

    @rule(ms=st.integers(1, 2 * GRACE_MS))
    def wait(self, ms: int) -> None:
        self.backend.now += ms

    @rule(data=st.data(), count=st.integers(1, 5))
    def commit_at_once(self, data: st.DataObject, count: int) -> None:
        commits = [self.draw_commit(data) for _ in range(count)]
        expected_news: list[tuple[object, ...]] = []
        stored = [self.apply(commit, expected_news) for commit in commits]
        self.news.clear()

        async def all_of_them() -> list[Log | None]:
            return await asyncio.gather(*map(self.store.commit, commits))

        results = self.run(all_of_them())
        self.run(self.backend.delivered(self.store))
        # Only of one table the order is promised.
        assert sorted(self.news, key=_table) == sorted(expected_news, key=_table)
        for commit, result, was_stored in zip(commits, results, stored, strict=True):
            if was_stored:
                assert result is None
            elif count == 1:
                assert result == self.missed(commit)
            else:
                # A later commit of the same batch may or may not be in it already.
                assert result is not None
                log = self.missed(commit).entries
                assert result.entries == log[: len(result.entries)]

    @rule(table=TABLES)
    def delete(self, table: str) -> None:
        self.run(self.store.delete(table))
        self.lost_heads += [head for head, _ in self.tables.pop(table, Table()).log]
        for tables in self.seats.values():
            if table in tables:
                tables.remove(table)

    @rule(player=PLAYERS, table=TABLES)
    def add_seat(self, player: str, table: str) -> None:
        self.run(self.store.add_seat(player, table))
        if table not in self.seats[player]:
            self.seats[player].append(table)

    @rule(player=PLAYERS, table=TABLES)
    def drop_seat(self, player: str, table: str) -> None:
        self.run(self.store.drop_seat(player, table))
        if table in self.seats[player]:
            self.seats[player].remove(table)

    @rule(player=PLAYERS, command=PLAYERS, intent=BYTES)
    def intend(self, player: str, command: str, intent: bytes) -> None:
        kept = self.intents.setdefault((player, command), intent)
        assert self.run(self.store.intend(player, command, intent)) == kept

    @rule(player=PLAYERS, command=PLAYERS)
    def intent(self, player: str, command: str) -> None:
        assert self.run(self.store.intent(player, command)) == self.intents.get((player, command))

    @rule(player=PLAYERS, command=PLAYERS, old=BYTES, new=BYTES)
    def replace_intent(self, player: str, command: str, old: bytes, new: bytes) -> None:
        if self.intents.get((player, command), old) == old:
            self.intents[player, command] = new
        kept = self.intents[player, command]
        assert self.run(self.store.replace_intent(player, command, old, new)) == kept

    @invariant()
    def logs_are_equal(self) -> None:
        for name in ("t1", "t2", "t3"):
            table = self.tables.get(name)
            since = table.log[0][0] if table else BEGINNING
            loaded = self.run(self.store.load(name, since))
            if table:
                assert loaded == Log(table.log[-1][0], tuple(entry for _, entry in table.log[1:]))
            else:
                assert loaded is None

    @invariant()
    def heads_are_equal(self) -> None:
        heads = {name: table.log[-1][0] for name, table in self.tables.items()}
        assert self.run(self.store.heads(["t1", "t2", "t3", "t4"])) == heads

    @invariant()
    def all_else_is_equal(self) -> None:
        now = self.backend.now
        last = {name: table.last for name, table in self.tables.items() if table.last is not None}
        due = sorted((c.deadline, name) for name, c in last.items() if c.deadline is not None)
        run, store = self.run, self.store
        assert run(store.next_due()) == (max(due[0][0], self.grace) if due else None)
        passed = [name for at, name in due if at <= now] if now >= self.grace else []
        assert run(store.due(9)) == passed
        assert run(store.due(1)) == passed[:1]
        assert dict(run(store.listed())) == {name: c.listing for name, c in last.items() if c.listing is not None}
        assert dict(run(store.wanting())) == {name: c.wants for name, c in last.items() if c.wants is not None}
        ended = {name: table.finished for name, table in self.tables.items() if table.finished is not None}
        assert set(run(store.unfinished())) == self.tables.keys() - ended.keys()
        before = run(store.finished_before(now, 9))
        assert set(before) == {name for name, at in ended.items() if at < now}
        assert [ended[name] for name in before] == sorted(ended[name] for name in before)
        for player, tables in self.seats.items():
            assert run(store.seats_of(player)) == tables

    def draw_commit(self, data: st.DataObject) -> Commit:
        name = data.draw(TABLES)
        heads = [head for head, _ in self.tables.get(name, Table()).log]
        # Most often the true head.
        believed: list[Head | None] = [heads[-1] if heads else None] * 3 + [None, *heads[-3:], *self.lost_heads[-2:]]
        deadline = data.draw(st.none() | st.integers(-5, GRACE_MS))
        return step(
            name,
            data.draw(st.sampled_from(believed)),
            data.draw(BYTES),
            views=[(PUBLIC, always(b"view")), ("nobody", always(b"secret"))],
            deadline=None if deadline is None else self.backend.now + deadline,
            listing=data.draw(st.none() | BYTES),
            wants=data.draw(st.none() | BYTES),
            finished=data.draw(st.sampled_from([False, False, False, True])),
        )

    def apply(self, commit: Commit, news: list[tuple[object, ...]]) -> bool:
        table = self.tables.get(commit.table, Table())
        if commit.expected != (table.log[-1][0] if table.log else None):
            return False
        table.log.append((commit.head, commit.entry))
        table.last = commit
        if commit.finished and table.finished is None:
            table.finished = self.backend.now
        self.tables[commit.table] = table
        if commit.table != "t3":
            news.append((commit.table, commit.head, commit.entry))
            news.append((commit.table, PUBLIC, commit.head.version, b"view"))
        return True

    def missed(self, commit: Commit) -> Log:
        log = self.tables.get(commit.table, Table()).log
        if not log:
            return Log(Head(0, b""), ())
        known = [head for head, _ in log]
        since = known.index(commit.expected) + 1 if commit.expected in known else 0
        return Log(known[-1], tuple(entry for _, entry in log[since:]))


def _table(news: tuple[object, ...]) -> str:
    return str(news[0])


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(BACKENDS))
def test_the_store_equals_the_model(name: str) -> None:
    machine = type(f"{name.title()}Model", (Model,), {"backend_type": BACKENDS[name]})
    limits = settings(max_examples=40, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck))
    run_state_machine_as_test(machine, settings=limits)
