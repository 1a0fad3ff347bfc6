"""A client that knows several servers goes on at the next one, whatever becomes of one of them."""

import asyncio
from itertools import cycle

import pytest

from clients.client import Client, connect
from clients.dialogue import Who
from clients.errors import BadAddress, Unreachable
from clients.transport import Transport
from protocol import errors
from protocol.commands import Hello, Play
from protocol.pushes import Error, GoingAway
from tests.clients.script import TABLE, WELCOME, Peer, Script, ScriptedServer

URLS = ("ws://one/ws", "ws://two/ws", "ws://three/ws")


class Servers(ScriptedServer):
    """Notes where each connection was tried; the scripts come in the order of the tries."""

    def __init__(self, *scripts: Script | None) -> None:
        super().__init__(*scripts)
        self.tried: list[str] = []

    async def dial(self, url: str) -> Peer:
        self.tried.append(url)
        return await super().dial(url)

    def client_of(self, *urls: str, first: float = 0.0, patient: bool = False) -> Client:
        """A client that begins with the server at this part of the list."""
        chances = cycle([0.5])
        drawn = iter([first])
        return Client(
            urls,
            Who(name="Ada"),
            dial=self.dial,
            sleep=self.sleep,
            chance=lambda: next(drawn, next(chances)),
            patient=patient,
        )


async def greet(peer: Peer) -> None:
    await peer.greet()


async def test_it_begins_with_any_of_them() -> None:
    for first, url in ((0.0, URLS[0]), (0.5, URLS[1]), (0.999, URLS[2])):
        server = Servers(greet)
        async with server.client_of(*URLS, first=first) as client:
            assert client.url == url
            assert client.link(TABLE) == f"http://{url[5:-3]}/t/{TABLE}"
        assert server.tried == [url]


async def test_a_move_whose_server_died_is_sent_to_the_next_one() -> None:
    plays = []

    async def dies(peer: Peer) -> None:
        await peer.greet()
        plays.append(await peer.expect(Play))
        peer.lose()

    async def lives(peer: Peer) -> None:
        await peer.greet(token=None)
        plays.append(await peer.done(Play))

    server = Servers(dies, None, lives)
    async with server.client_of(*URLS) as client:
        await client.play(TABLE, 1, "keep")
    assert plays[0] == plays[1]
    assert server.tried == [*URLS]
    assert max(server.slept) <= 0.2
    await server.assert_done()


async def test_delays_grow_from_round_to_round() -> None:
    server = Servers(*[None] * 9, greet)
    async with server.client_of(*URLS, patient=True):
        pass
    assert server.tried == [*URLS * 3, URLS[0]]
    rounds = [server.slept[at : at + 3] for at in (0, 3, 6)]
    assert [len(set(delays)) for delays in rounds] == [1, 1, 1]
    assert rounds[0][0] < rounds[1][0] < rounds[2][0]


async def test_it_does_not_wait_for_a_server_that_stops_while_others_serve() -> None:
    async def stops(peer: Peer) -> None:
        await peer.greet()
        peer.say(GoingAway(reason="restart", after_ms=60_000))
        peer.lose(4000)

    done = asyncio.Event()

    async def serves(peer: Peer) -> None:
        await peer.greet(token=None)
        done.set()

    server = Servers(stops, serves)
    async with server.client_of(*URLS):
        await done.wait()
    assert server.tried == [URLS[0], URLS[1]]
    assert max(server.slept) <= 0.2
    await server.assert_done()


async def test_who_is_not_patient_hears_that_none_answers_once_all_were_tried() -> None:
    server = Servers(None, None, None)
    with pytest.raises(Unreachable, match="two"):
        async with server.client_of(*URLS, first=0.7):
            pass
    assert server.tried == [URLS[2], URLS[0], URLS[1]]


async def test_a_server_that_cannot_reach_its_store_is_left_for_the_next_one() -> None:
    async def cannot(peer: Peer) -> None:
        peer.say(WELCOME)
        hello = await peer.expect(Hello)
        down = errors.STORE_DOWN
        peer.say(Error(re=hello.id, code=down.code, message=down.meaning, retry=True, after_ms=1000))

    server = Servers(cannot, greet)
    async with server.client_of(*URLS):
        pass
    assert server.tried == [URLS[0], URLS[1]]
    assert max(server.slept) <= 0.2


async def test_a_machine_that_is_gone_and_says_nothing_is_given_up_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clients.client.ELSEWHERE_SECONDS", 0)
    tried: list[str] = []

    async def dial(url: str) -> Transport:
        tried.append(url)
        await asyncio.Event().wait()
        raise AssertionError

    with pytest.raises(Unreachable, match="in time"):
        async with Client(URLS, Who(), dial=dial, sleep=ScriptedServer().sleep, chance=lambda: 0.0):
            pass
    assert tried == [*URLS]


def test_at_least_one_server_is_named() -> None:
    with pytest.raises(BadAddress):
        connect([])
