"""What connections leave in the metrics and in the log."""

from dataclasses import replace

import pytest
from structlog.typing import EventDict

from protocol.closing import FLOODING, FULL, NO_SUBPROTOCOL, TOO_SLOW
from protocol.codec import MsgpackCodec
from protocol.commands import Ping
from protocol.pushes import Error
from server.web.outbox import Outbox, OutboxLimits
from tests.server.metered import counting, value
from tests.server.web.serving import OPTIONS, client, fill_buffers, happens, lazy_client, serving


def course(logged: list[EventDict]) -> list[tuple[str, int | None]]:
    """What was told of connections, and with which code."""
    events = [entry for entry in logged if entry["event"].startswith("connection_")]
    return [(entry["event"], entry.get("code")) for entry in events]


async def test_a_connection_comes_and_goes(logged: list[EventDict]) -> None:
    since = counting()
    async with serving() as server:
        async with client(server) as ann:
            await ann.hello()
            assert value("bigtop_connections") == 1
            assert since("bigtop_connections_opened_total") == 1
        await happens(server.hub.left)
    assert value("bigtop_connections") == 0
    assert since("bigtop_connections_closed_total", code="1000") == 1
    assert course(logged) == [("connection_opened", None), ("connection_closed", 1000)]
    opened, closed = [entry for entry in logged if entry["event"].startswith("connection_")]
    assert opened["connection"] == closed["connection"]


async def test_a_connection_that_is_lost() -> None:
    since = counting()
    async with serving() as server:
        async with client(server) as ann:
            await ann.hello()
            ann.connection.transport.abort()
        await happens(server.hub.left)
    assert since("bigtop_connections_closed_total", code="1006") == 1


async def test_a_code_that_a_peer_made_up() -> None:
    since = counting()
    async with serving() as server:
        async with client(server) as ann:
            await ann.hello()
            await ann.connection.close(4242, "made up")
        await happens(server.hub.left)
    assert since("bigtop_connections_closed_total", code="other") == 1


async def test_who_is_turned_away(logged: list[EventDict]) -> None:
    since = counting()
    options = replace(OPTIONS, connections=1)
    async with serving(options) as server, client(server) as ann, client(server) as ben, client(server, None) as cat:
        await ben.assert_closed(FULL)
        await cat.assert_closed(NO_SUBPROTOCOL)
        assert value("bigtop_connections") == 1
        await ann.hello()
    assert since("bigtop_connections_opened_total") == 3
    assert since("bigtop_connections_closed_total", code=str(FULL.code)) == 1
    assert ("connection_turned_away", FULL.code) in course(logged)
    assert ("connection_turned_away", NO_SUBPROTOCOL.code) in course(logged)


async def test_what_the_limiter_refuses() -> None:
    since = counting()
    async with serving(replace(OPTIONS, commands_per_second=1, burst=5)) as server, lazy_client(server) as eve:
        for number in range(80):
            await eve.send(MsgpackCodec().encode(Ping(id=f"p{number}")))
        assert await eve.read_all() == FLOODING.code
        errors = [frame for frame in eve.frames if isinstance(MsgpackCodec().decode_message(frame), Error)]
    assert since("bigtop_messages_refused_total", code="too_fast") == len(errors) == 50
    assert since("bigtop_connections_closed_total", code=str(FLOODING.code)) == 1


async def test_what_is_no_command() -> None:
    since = counting()
    async with serving() as server, client(server) as ann:
        await ann.hello()
        await ann.connection.send(b"\x82\xa4kind\xa3fly\xa2id\xa2x1")
        await ann.hear()
    assert since("bigtop_messages_refused_total", code="unknown_kind") == 1


async def test_a_seat_that_does_not_read() -> None:
    since = counting()
    options = replace(OPTIONS, outbox=OutboxLimits(seat_seconds=0.05))
    async with serving(options) as server, lazy_client(server) as eve:
        await fill_buffers(server, seated=True)
        await happens(server.hub.left)
        assert await eve.read_all() == TOO_SLOW.code
    assert since("bigtop_connections_closed_total", code=str(TOO_SLOW.code)) == 1


@pytest.mark.parametrize(
    ("versions", "replaced"), [([1], 0), ([1, 2], 1), ([1, 1], 0), ([2, 1], 0), ([1, 2, 3, 3, 2], 2)]
)
def test_a_view_that_gives_way_to_a_newer_one(versions: list[int], replaced: int) -> None:
    since = counting()
    outbox = Outbox(OutboxLimits())
    for version in versions:
        outbox.put_view("t", version, False, b"", 0)
    assert since("bigtop_views_replaced_total") == replaced
    outbox.take()
    outbox.put_view("t", 9, False, b"", 0)
    assert since("bigtop_views_replaced_total") == replaced, "nothing was waiting"
