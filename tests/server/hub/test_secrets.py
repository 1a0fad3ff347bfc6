"""Nothing secret is ever logged, whatever goes wrong."""

import asyncio
import re
from random import Random

import pytest
from structlog.typing import EventDict

from protocol import commands as said
from protocol.options import TableOptions
from server.faults import fault
from server.store.base import StoreError
from tests.server.hub.clients import Player
from tests.server.hub.house import HOUSE_KEY, PRIVATE_PAIR, House, in_play
from tests.server.hub.meddling import nothing
from tests.server.hub.network import Weather, World
from tests.server.hub.peers import FakePeer, new_id
from tests.server.hub.test_deadlines import damage
from tests.server.hub.virtual import pass_time, virtual

KEYS = {"event", "log_level", "table", "command", "error", "fault"}
KEYS |= {"kind", "code", "ms", "seats", "private", "versions"}
CARDS = re.compile(r"\b\d+/\d+\b|\b(show|scout|deal|keep|turn)\b")


def check(logged: list[EventDict], secrets: set[str]) -> None:
    """Only these things are logged, and no secret and no card is among them."""
    assert secrets
    for entry in logged:
        assert set(entry) <= KEYS
        text = repr(entry)
        assert not any(secret in text for secret in secrets), entry
        assert not CARDS.search(text), entry


def secrets_of(house: House, *peers: FakePeer) -> set[str]:
    found = {HOUSE_KEY, *(peer.token for peer in peers)}
    for table in house.core.logs:
        state = house.table(table)
        found |= {state.seed.hex(), repr(state.seed)[2:-1], state.invite or HOUSE_KEY}
    return found


class Mistaken(Exception):
    """A mistake whose message tells everything."""


async def course(house: House, random: Random) -> tuple[FakePeer, FakePeer]:
    """A private match at which one operation in ten goes wrong, with a message that holds every secret."""
    ann, bob = await house.guest("Ann", house=HOUSE_KEY), await house.guest("Bob")
    table = await house.started(ann, bob, options=PRIVATE_PAIR)
    secrets = secrets_of(house, ann, bob)

    async def go_wrong(name: str) -> None:
        if random.random() < 0.1:
            raise random.choice((Mistaken, KeyError, ValueError))(f"{name} {sorted(secrets)} show 1-2 9/5")

    for store in house.stores:
        store.before = store.after = go_wrong
    for number in range(60):
        state = house.table(table)
        peer = ann if number % 2 else bob
        if state.status == "running":
            seat, play = house.next_play(table)
            peer = ann if state.seats[seat].player == ann.player else bob
            await peer.ask(play)
        await peer.ask(said.Legal(id=new_id(), table=table))
        await peer.ask(said.Events(id=new_id(), table=table))
        await FakePeer(house.hub).ask(said.Hello(id=new_id(), token=peer.token))
        await pass_time(random.uniform(0, 3))
    return ann, bob


@pytest.mark.parametrize("seed", range(4))
@virtual
async def test_whatever_goes_wrong_no_secret_is_logged(seed: int, logged: list[EventDict]) -> None:
    async with House(1 + seed % 2) as house:
        ann, bob = await course(house, Random(seed))
        for store in house.stores:
            store.before = store.after = nothing
        assert {entry["event"] for entry in logged} >= {"internal"}
        check(logged, secrets_of(house, ann, bob))


@virtual
async def test_a_log_that_cannot_be_read_is_not_quoted(logged: list[EventDict]) -> None:
    async with House() as house:
        ann, bob = await house.guest("Ann"), await house.guest("Bob")
        table = await house.started(ann, bob, options=PRIVATE_PAIR)
        await house.play(table, ann, bob, until=in_play)
        secrets = secrets_of(house, ann, bob)
        for entry in (b"\xc1", house.core.logs[table][-1][1], house.core.logs[table][0][1]):
            damage(house, table, entry)
            await ann.ask(said.Legal(id=new_id(), table=table))
            await ann.ask(said.Events(id=new_id(), table=table))
            await pass_time(70)
            house.core.logs[table].pop()
        assert {entry["event"] for entry in logged} >= {"log_unreadable"}
        check(logged, secrets)


@pytest.mark.parametrize("seed", range(2))
@virtual
async def test_a_match_on_a_bad_network_and_a_bad_store_logs_no_secret(seed: int, logged: list[EventDict]) -> None:
    world = World(Random(seed), 2, Weather(cut=0.02, drop=0.2, crash=0.2))
    await world.start()
    players = [Player(world, name) for name in ("Ann", "Bob")]
    for player in players:
        await player.arrive()
    options = TableOptions(seats=2, move_seconds=None, private=True)
    made = await players[0].do(said.Create(id=players[0].new_id(), options=options))
    assert made.table is not None
    assert made.invite is not None
    await asyncio.gather(*(player.play(made.table, made.invite) for player in players))
    await world.stop()
    check(logged, {made.invite, *(player.token or HOUSE_KEY for player in players)})


def test_a_fault_names_the_kind_and_the_place_only() -> None:
    try:
        raise StoreError("a secret")
    except StoreError as wrong:
        told = fault(wrong)
    assert told.startswith("StoreError < test_secrets.py:")
    assert told.endswith(" test_a_fault_names_the_kind_and_the_place_only")
    assert "secret" not in told.replace("test_secrets", "")
