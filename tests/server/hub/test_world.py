"""Whole matches on a bad network, each with a seed.

`HUB_SEEDS=1000` tries that many, `HUB_SEED=17` that one only. A seed that fails prints its trace.
"""

import asyncio
import os
from collections import Counter
from random import Random

import pytest

from protocol import commands as said
from protocol.options import TableOptions
from protocol.pushes import Done
from server.table.acts import Moved, decode_entry
from server.table.fold import Step, fold
from server.table.record import record
from server.table.verify import verify
from tests.server.hub.clients import Client, MindedPlayer, Player
from tests.server.hub.network import Weather, World
from tests.server.hub.virtual import pass_time, virtual

SEEDS = int(os.environ.get("HUB_SEEDS", "0"))
ONLY = os.environ.get("HUB_SEED")
GIVE_UP_S = 4 * 3600


def seeds(few: int, all: int) -> list[object]:
    """So many for every run, all for the long one; what the environment asks for counts as little."""
    if ONLY or SEEDS:
        return [int(ONLY)] if ONLY else list(range(SEEDS))
    return [seed if seed < few else pytest.param(seed, marks=pytest.mark.slow) for seed in range(all)]


async def run(seed: int, hubs: int, weather: Weather, options: TableOptions, player: type[Player] = Player) -> None:
    random = Random(seed)
    world = World(random, hubs, weather)
    try:
        async with asyncio.timeout(GIVE_UP_S):
            await world.start()
            await course(world, options, player)
    except BaseException as wrong:
        trace = "\n".join(world.trace[-400:])
        raise AssertionError(f"seed {seed} failed: {wrong!r}\n{trace}") from wrong
    finally:
        await world.stop()


async def course(world: World, options: TableOptions, kind: type[Player]) -> None:
    """One match, and everything that must hold after it."""
    random = world.random
    players = [kind(world, f"player{i}") for i in range(options.seats)]
    for player in players:
        await player.arrive()
    made = await players[0].do(said.Create(id=players[0].new_id(), options=options, seat=random.choice((0, 1, None))))
    assert made.table is not None
    table = made.table
    watcher = Client(world, "watcher")
    shadow = Client(world, "shadow", token=players[0].token)
    for client in (watcher, shadow):
        client.connect()
        await client.do(said.Watch(id=client.new_id(), table=table, invite=made.invite))
        client.watched[table] = made.invite
    await asyncio.gather(*(player.play(table, made.invite) for player in players))
    world.weather = Weather()
    await pass_time(40)
    clients = [*players, shadow, watcher]
    steps = replayed(world, table)
    for client in clients:
        check_views(client, table, steps)
        check_commands(client, table, steps)
    verify(str(record(steps)), {view.version: view.head for view in watcher.every})
    for client in clients:
        client.disconnect()
    await pass_time(30)
    check_leftovers(world)


def replayed(world: World, table: str) -> list[Step]:
    """The log, folded from nothing."""
    steps: list[Step] = []
    for _, data in world.core.logs[table]:
        steps.append(fold(steps[-1].table if steps else None, decode_entry(data), table))
    assert steps[-1].table.status == "over"
    return steps


def check_views(client: Client, table: str, steps: list[Step]) -> None:
    """Every view was made for this player, and the last one is the newest."""
    for view in client.every:
        state = steps[view.version - 1].table
        seat = state.seat_of(client.player)
        assert view.head == state.head.hex()
        assert view.you in (None, seat), "a view that was made for another player"
        if view.game is not None:
            assert view.game.viewer == view.you
            hand = state.rules.observe(state.game, view.you).hand
            assert view.game.hand == (None if view.you is None else hand), "another hand"
    last = client.views[table]
    assert last.version == len(steps), "the newest view is missing"
    assert last.you == steps[-1].table.seat_of(client.player)


def check_commands(client: Client, table: str, steps: list[Step]) -> None:
    """Every command that was acknowledged is in the log once, where its answer says, and no command is there twice."""
    caused = Counter(
        step.entry.cause.id
        for step in steps
        if step.entry.cause is not None and step.entry.cause.player == client.player
    )
    assert not caused or max(caused.values()) == 1, "a command was carried out twice"
    for id, (command, answer) in client.acknowledged.items():
        if isinstance(command, said.Play):
            assert isinstance(answer, Done)
            assert answer.version is not None
            entry = steps[answer.version - 1].entry
            assert caused[id] == 1, "an acknowledged move is not in the log"
            assert entry.cause is not None
            assert (entry.cause.player, entry.cause.id) == (client.player, id)
            assert [act.move for act in entry.acts if isinstance(act, Moved)] == [command.move]


def check_leftovers(world: World) -> None:
    """Nobody is there any more, and nothing is left of them."""
    for hub, store in zip(world.hubs, world.stores, strict=True):
        assert not hub._connections
        assert not any(live.needed or live.lock.locked() for live in hub._tables.all_held())
        assert not hub._tables._under_way
        assert not hub._audiences._tasks
        told = store.inner._subscriptions
        assert not told._on_view
        assert not told._on_entry


NO_LIMIT = TableOptions(seats=2, move_seconds=None)


@pytest.mark.parametrize("seed", seeds(2, 4))
@virtual
async def test_a_match_on_one_hub_whose_connections_are_cut(seed: int) -> None:
    await run(seed, 1, Weather(cut=0.03), NO_LIMIT)


@pytest.mark.parametrize("seed", seeds(3, 10))
@virtual
async def test_a_match_on_two_hubs_that_hear_little_of_each_other(seed: int) -> None:
    await run(seed, 2, Weather(cut=0.02, drop=0.3, store_delay=0.1), NO_LIMIT)


@pytest.mark.parametrize("seed", seeds(2, 8))
@virtual
async def test_a_match_on_hubs_that_die(seed: int) -> None:
    await run(seed, 2, Weather(cut=0.02, drop=0.1, crash=0.3, store_delay=0.1), NO_LIMIT)


@pytest.mark.parametrize("seed", seeds(0, 2))
@virtual
async def test_a_private_match_of_four(seed: int) -> None:
    await run(seed, 2, Weather(cut=0.02, drop=0.2), TableOptions(seats=4, move_seconds=None, private=True))


@pytest.mark.parametrize("seed", seeds(1, 4))
@virtual
async def test_a_match_with_minders(seed: int) -> None:
    options = TableOptions(seats=3, move_seconds=5)
    await run(seed, 2, Weather(cut=0.05, drop=0.2, delay=1.0), options, MindedPlayer)
