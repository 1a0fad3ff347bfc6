"""What the hub counts, measures and tells of its tables' course."""

from structlog.typing import EventDict

from protocol import commands as said
from server.table.acts import SCHEMA, Entry, encode_entry
from tests.server.hub.house import House, in_play, is_over
from tests.server.hub.peers import new_id
from tests.server.hub.test_deadlines import damage
from tests.server.hub.test_lost_steps import a_match
from tests.server.hub.test_two_processes import Deaf
from tests.server.hub.virtual import calm, pass_time, virtual
from tests.server.metered import counting, value
from tests.server.test_metrics import assert_closed_labels


@virtual
async def test_commands_are_counted_with_their_results() -> None:
    async with House() as house:
        since = counting()
        ann = await house.guest("Ann")
        await ann.ask(said.Ping(id=new_id()))
        await ann.refused(said.Watch(id=new_id(), table="0" * 12))
        assert since("bigtop_commands_total", kind="hello", code="ok") == 1
        assert since("bigtop_commands_total", kind="ping", code="ok") == 1
        assert since("bigtop_commands_total", kind="watch", code="no_such_table") == 1


@virtual
async def test_a_move_is_one_commit_and_its_views_are_timed_once() -> None:
    async with House() as house:
        ann, bob, eve = [await house.guest(name) for name in ("Ann", "Bob", "Eve")]
        table = await house.started(ann, bob)
        await eve.do(said.Watch(id=new_id(), table=table))
        await house.play(table, ann, bob, until=in_play)
        since = counting()
        seat, play = house.next_play(table)
        await (ann, bob)[seat].do(play)
        assert since("bigtop_commits_total", result="stored") == 1
        assert since("bigtop_commit_seconds_count") == 1
        assert since("bigtop_view_seconds_count", made="here") == 1
        assert since("bigtop_view_seconds_count", made="elsewhere") == 0


@virtual
async def test_views_of_a_move_are_timed_in_every_process_that_shows_them() -> None:
    async with House(2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob", house.hubs[1])
        table = await house.started(ann, bob)
        await house.play(table, ann, bob, until=in_play)
        await calm()
        since = counting()
        seat, play = house.next_play(table)
        await (ann, bob)[seat].do(play)
        await calm()
        assert since("bigtop_view_seconds_count", made="here") == 1
        assert since("bigtop_view_seconds_count", made="elsewhere") == 1


@virtual
async def test_who_loses_the_race_for_a_commit_counts_a_conflict() -> None:
    async with Deaf() as house:
        ann, bob = await house.pair()
        table = await house.started(ann, bob)
        since, before = counting(), len(house.entries(table))
        for _ in range(2):  # both choose an orientation, and the second one's hub does not know of the first choice
            seat, play = house.next_play(table)
            await (ann, bob)[seat].do(play)
        assert since("bigtop_commits_total", result="stored") == len(house.entries(table)) - before
        assert since("bigtop_commits_total", result="conflict") == 1


@virtual
async def test_a_deadline_counts_once_whichever_process_was_first() -> None:
    async with House(2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob", house.hubs[1])
        table = await house.started(ann, bob)
        since = counting()
        before = len(house.entries(table))
        await pass_time(200)
        made = [entry for entry in house.entries(table)[before:] if entry.cause is None]
        assert len(made) > 2
        assert since("bigtop_deadlines_total") == len(made)


@virtual
async def test_a_view_that_did_not_come_is_a_gap() -> None:
    async with House(2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob", house.hubs[1])
        table = await house.started(ann, bob)
        await calm()
        since = counting()
        deliver, house.core.deliver = house.core.deliver, lambda delivery: None
        await ann.do(said.Leave(id=new_id(), table=table))
        assert since("bigtop_gaps_repaired_total", what="view") == 0
        await pass_time(6)
        house.core.deliver = deliver
        assert bob.views[table].version == house.table(table).version
        assert since("bigtop_gaps_repaired_total", what="view") >= 1


@virtual
async def test_entries_that_did_not_come_are_a_gap() -> None:
    async with House(2) as house:
        ann, bob, eve = await house.guest("Ann"), await house.guest("Bob"), await house.guest("Eve", house.hubs[1])
        table = await house.started(ann, bob)
        await eve.do(said.Watch(id=new_id(), table=table))
        await house.play(table, ann, bob, until=in_play)
        await calm()
        deliver, house.core.deliver = house.core.deliver, lambda delivery: None
        since = counting()
        for _ in range(2):
            seat, play = house.next_play(table)
            await (ann, bob)[seat].do(play)
            house.core.deliver = deliver
        await calm()
        assert since("bigtop_gaps_repaired_total", what="entries") == 0
        await pass_time(6)
        assert since("bigtop_gaps_repaired_total", what="entries") == 1


@virtual
async def test_failures_of_the_store_are_counted() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.started(ann, bob)
        since = counting()
        house.core.failure = "away"
        seat, play = house.next_play(table)
        assert (await (ann, bob)[seat].refused(play)).code == "store_down"
        assert since("bigtop_store_errors_total", hit="command") == 1
        assert since("bigtop_commands_total", kind="play", code="store_down") == 1
        assert since("bigtop_commits_total", result="failed") == 1
        await pass_time(6)
        assert since("bigtop_store_errors_total", hit="background") > 0


@virtual
async def test_an_entry_of_a_newer_version_is_counted() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.started(ann, bob)
        since = counting()
        damage(house, table, encode_entry(Entry(at=0, by="server", acts=(), schema=SCHEMA + 1)))
        await ann.refused(said.Legal(id=new_id(), table=table))
        assert since("bigtop_entries_too_new_total") >= 1


@virtual
async def test_where_nothing_gets_lost_there_are_no_gaps() -> None:
    async with House() as house:
        since = counting()
        ann, bob, eve = [await house.guest(name) for name in ("Ann", "Bob", "Eve")]
        table = await house.seated(ann, bob)
        await eve.do(said.Watch(id=new_id(), table=table))
        for _ in range(3):
            await bob.do(said.Stand(id=new_id(), table=table))
            await eve.do(said.Sit(id=new_id(), table=table))
            await pass_time(6)
            await eve.do(said.Stand(id=new_id(), table=table))
            await bob.do(said.Sit(id=new_id(), table=table))
            await pass_time(6)
        await house.over(ann, bob)
        assert since("bigtop_gaps_repaired_total", what="view") == 0
        assert since("bigtop_gaps_repaired_total", what="entries") == 0


@virtual
async def test_tables_are_counted_by_what_they_wait_for() -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        await house.started(ann, bob)
        await house.seated(ann)
        await pass_time(6)
        counts = {status: value("bigtop_tables", status=status) for status in ("open", "running", "over")}
        assert counts == {"open": 1, "running": 1, "over": 0}


@virtual
async def test_a_tables_course_is_told_once(logged: list[EventDict]) -> None:
    async with House(2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob", house.hubs[1])
        over = await house.over(ann, bob)
        empty = await house.seated(ann)
        await ann.do(said.Leave(id=new_id(), table=empty))
        await pass_time(2_000)
        course = [(entry["event"], entry["table"]) for entry in logged if entry["log_level"] == "info"]
        assert [event for event, table in course if table == over] == ["table_made", "table_started", "table_over"]
        assert [event for event, table in course if table == empty] == ["table_made", "table_closed"]


@virtual
async def test_commands_are_told_at_the_lowest_level(logged: list[EventDict]) -> None:
    async with House() as house:
        ann = await house.guest("Ann")
        await ann.refused(said.Watch(id=new_id(), table="0" * 12))
        told = [entry for entry in logged if entry["event"] == "command"]
        assert [(entry["kind"], entry["code"], entry["table"]) for entry in told] == [
            ("hello", "ok", None),
            ("watch", "no_such_table", "0" * 12),
        ]
        assert {entry["log_level"] for entry in told} == {"debug"}


@virtual
async def test_after_whole_matches_no_label_is_made_up() -> None:
    async with House(2) as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob", house.hubs[1])
        assert is_over(house.table(await house.over(ann, bob)))
        assert_closed_labels()


@virtual
async def test_a_table_of_which_the_store_lost_steps_is_counted() -> None:
    async with a_match() as (house, table, _ann, _bob):
        since = counting()
        del house.core.logs[table][-1]
        await pass_time(6)
        assert since("bigtop_tables_lost_total") == 2, "both processes knew better"


@virtual
async def test_a_table_that_the_store_lost_is_counted() -> None:
    async with a_match() as (house, _table, _ann, _bob):
        since = counting()
        house.core.logs.clear()
        await pass_time(6)
        assert since("bigtop_tables_lost_total") == 2
