"""Clients that do not take what they are sent, over real sockets."""

from dataclasses import replace

import pytest

from protocol.closing import (
    INTERNAL,
    TOO_SLOW,
)
from protocol.codec import MsgpackCodec
from protocol.commands import Ping
from protocol.pushes import Done, Pong, Presence, View
from server.web import protocols, run
from server.web.outbox import OutboxLimits
from server.web.socket import Patience
from tests.server.web.fakes import TABLE, view
from tests.server.web.serving import (
    OPTIONS,
    client,
    fill_buffers,
    happens,
    lazy_client,
    lost_connections,
    serving,
)


class TestSlowReaders:
    async def test_a_spectator_loses_views_but_not_the_newest(self) -> None:
        async with serving() as server, lazy_client(server) as eve:
            await fill_buffers(server)
            versions = [0]
            while versions[-1] < 100:
                await eve.read_frames(len(eve.frames) + 1)
                versions = [view.version for view in views(eve.frames)]
            assert versions == sorted(versions)
            assert len(versions) < 50
            await eve.send(MsgpackCodec().encode(Ping(id="p1")))
            await eve.read_frames(len(eve.frames) + 1)
            assert MsgpackCodec().decode_message(eve.frames[-1]) == Pong(re="p1")

    async def test_a_seat_is_disconnected(self) -> None:
        options = replace(OPTIONS, outbox=OutboxLimits(seat_seconds=0.05))
        async with serving(options) as server, lazy_client(server) as eve:
            await fill_buffers(server, seated=True)
            await happens(server.hub.left)
            assert await eve.read_all() == TOO_SLOW.code

    async def test_who_reads_nothing_at_all_is_cut_off(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(protocols, "CLOSE_SECONDS", 0.01)
        monkeypatch.setattr(protocols, "LINGER_SECONDS", 0.02)
        lost = lost_connections(monkeypatch, protocols.WebSocketProtocol)
        options = replace(OPTIONS, patience=Patience(write=0.05))
        async with serving(options) as server, lazy_client(server):
            await fill_buffers(server)
            await happens(server.hub.left)
            await happens(lost)

    async def test_who_answers_no_ping_is_cut_off(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(run, "PING_SECONDS", 0.05)
        monkeypatch.setattr(protocols, "LINGER_SECONDS", 0.02)
        lost = lost_connections(monkeypatch, protocols.WebSocketProtocol)
        async with serving() as server, lazy_client(server):
            await fill_buffers(server)
            await happens(server.hub.left)
            await happens(lost)

    async def test_too_many_replies_wait(self) -> None:
        options = replace(OPTIONS, outbox=OutboxLimits(frames=3))
        async with serving(options) as server, lazy_client(server) as eve:
            await fill_buffers(server)
            peer = server.hub.only_peer()
            for number in range(4):
                peer.send(Done(re=f"d{number}"))
            peer.send(Done(re="dropped"))
            peer.send_view(TABLE, 101, True, view(101))
            peer.send_latest("presence", Presence(table=TABLE, seats=(), spectators=0))
            peer.close(INTERNAL.code, "a second close changes nothing")
            assert await eve.read_all() == TOO_SLOW.code
            assert all(isinstance(message, View) for message in map(MsgpackCodec().decode_message, eve.frames[2:]))

    async def test_an_older_view_is_not_sent_after_a_newer_one(self) -> None:
        async with serving() as server, client(server) as ann:
            await ann.hello()
            peer = server.hub.only_peer()
            for version in (2, 1, 2):
                peer.send_view(TABLE, version, True, view(version))
            peer.send(Done(re="d1"))
            heard = [await ann.hear() for _ in range(3)]
            assert [message.version for message in heard if isinstance(message, View)] == [2, 2]

    async def test_a_close_that_is_not_taken(self) -> None:
        options = replace(OPTIONS, patience=Patience(close=0.05))
        async with serving(options) as server, lazy_client(server) as eve:
            await fill_buffers(server)
            server.hub.only_peer().close(INTERNAL.code, INTERNAL.name)
            await happens(server.hub.left)
            assert await eve.read_all() is None


def views(frames: list[bytes]) -> list[View]:
    messages = [MsgpackCodec().decode_message(frame) for frame in frames]
    return [message for message in messages if isinstance(message, View)]
