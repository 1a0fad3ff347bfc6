"""How a server stops."""

import asyncio
import os
import signal
import socket
from types import FrameType

import pytest
from structlog.typing import EventDict
from websockets.exceptions import ConnectionClosed

from protocol.closing import GOING_AWAY
from protocol.pushes import GoingAway
from server.web import run as module
from server.web.run import Server, listen
from tests.server.web.fakes import FakeHub
from tests.server.web.serving import client, fill_buffers, happens, lazy_client, serving


async def test_clients_are_told_and_then_closed() -> None:
    async with serving() as server, client(server) as ann, client(server) as greeting:
        await ann.hello()
        server.signal()
        told = await ann.hear()
        assert isinstance(told, GoingAway)
        assert told.after_ms == module.RECONNECT_MS
        await ann.assert_closed(GOING_AWAY)
        await greeting.assert_closed(GOING_AWAY)
        await server.ended
        assert server.hub.calls == ["start", "drain", "gone", "stop"]


async def test_an_interrupt_stops_it_too() -> None:
    async with serving() as server:
        server.signal(signal.SIGINT)
        await server.ended
        assert server.hub.calls == ["start", "drain", "stop"]


async def test_who_does_not_read_does_not_hold_it_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CLOSE_SECONDS", 0.05)
    async with serving() as server, lazy_client(server):
        await fill_buffers(server)
        async with asyncio.timeout(2):
            await server.stop()
        assert server.hub.calls == ["start", "drain", "gone", "stop"]


async def test_a_hub_that_hangs_does_not_hold_it_up(monkeypatch: pytest.MonkeyPatch, logged: list[EventDict]) -> None:
    monkeypatch.setattr(module, "DRAIN_SECONDS", 0.05)
    hub = FakeHub()
    hub.hang_on_drain = True
    async with serving(hub=hub) as server, client(server) as ann:
        await ann.hello()
        await server.stop()
        await ann.assert_closed(GOING_AWAY)
    assert {"event": "stop_takes_too_long", "log_level": "error", "task": "tell its peers", "seconds": 0.05} in logged


async def test_a_hub_that_fails_does_not_hold_it_up(monkeypatch: pytest.MonkeyPatch, logged: list[EventDict]) -> None:
    async def stop() -> None:
        raise RuntimeError("a bug in the hub")

    hub = FakeHub()
    monkeypatch.setattr(hub, "stop", stop)
    async with serving(hub=hub):
        pass
    assert [entry["task"] for entry in logged if entry["event"] == "stop_failed"] == ["close its store"]
    assert "a bug in the hub" not in repr(logged)


async def test_a_command_that_hangs_does_not_hold_it_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CLOSE_SECONDS", 0.05)
    monkeypatch.setattr(module, "HTTP_SECONDS", 0.05)
    async with serving() as server, client(server) as ann:
        await ann.hello()
        server.hub.hold = asyncio.Event()
        await ann.connection.send(b"\x82\xa4kind\xa4ping\xa2id\xa2p1")
        await happens(server.hub.held)
        async with asyncio.timeout(2):
            await server.stop()
        assert "stop" in server.hub.calls


async def test_while_it_stops_it_takes_no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even on a TCP connection that was made before."""
    monkeypatch.setattr(module, "DRAIN_SECONDS", 1.0)
    hub = FakeHub()
    hub.hang_on_drain = True
    loop = asyncio.get_running_loop()
    with socket.socket() as early:
        early.setblocking(False)
        async with serving(hub=hub) as server:
            await loop.sock_connect(early, ("127.0.0.1", server.port))
            await loop.sock_sendall(early, b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert (await loop.sock_recv(early, 4096)).endswith(b"ok\n")
            server.signal()
            await happens(hub.draining)
            async with client(server, sock=early) as late:
                with pytest.raises(ConnectionClosed):  # without a welcome
                    await late.hear()
                await late.assert_closed(GOING_AWAY)


def test_a_second_signal_ends_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    codes: list[int] = []
    monkeypatch.setattr(os, "_exit", codes.append)
    frame: FrameType | None = None
    server = Server.__new__(Server)
    server.should_exit = False
    server.handle_exit(signal.SIGTERM, frame)
    assert server.should_exit
    assert codes == []
    server.handle_exit(signal.SIGINT, frame)
    assert codes == [128 + signal.SIGINT]


def test_a_port_in_use() -> None:
    with listen("127.0.0.1", 0) as taken, pytest.raises(OSError, match="in use"):
        listen("127.0.0.1", taken.getsockname()[1])


def test_ipv6() -> None:
    with listen("::1", 0) as listener:
        assert listener.getsockname()[0] == "::1"
