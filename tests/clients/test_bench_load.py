"""What the load generator makes of what it is sent, and which moves it makes."""

import sys
from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from clients.bench.load.errors import BenchError
from clients.bench.load.figures import Slice, percentile_ms, ratios, redis_ratios, summary, workers_ratio
from clients.bench.load.moves import GamePart, choose, read_game
from clients.bench.load.tables import Table
from clients.bench.load.wire import Link, Wire
from engine.game import CHANCE
from engine.scout import SCOUT
from tests.clients.impostor import Impostor, framed

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="servers are measured on Linux only")


@pytest.fixture
def impostor() -> Iterator[Impostor]:
    one = Impostor()
    yield one
    one.close()


class TestMoves:
    def test_are_legal_whatever_is_drawn(self) -> None:
        random = Random(1)
        state = SCOUT.initial(4)
        kinds = set()
        while state.actors:
            actor = min(state.actors)
            if actor == CHANCE:
                state = SCOUT.apply(state, CHANCE, SCOUT.chance(state, random.randrange))
                continue
            game = read_game(msgspec.msgpack.encode(SCOUT.observe(state, actor)))
            action = SCOUT.read(choose(game, random))
            kinds.add(type(action).__name__)
            state = SCOUT.apply(state, actor, action)
        assert kinds == {"Orient", "Show", "Scout", "ScoutShow"}

    def test_need_little_of_a_view(self) -> None:
        assert {each.name for each in msgspec.structs.fields(GamePart)} < set(
            msgspec.to_builtins(SCOUT.observe(SCOUT.initial(4), 0))
        )


class TestFigures:
    def test_are_medians_of_slices(self) -> None:
        slices = [Slice(2.0, moves, 4 * moves, 1.0, 0.5) for moves in (100, 200, 900)]
        assert summary(slices) == {
            "moves_per_s": 100.0,
            "sends_per_s": 400.0,
            "cpu_us_per_move": 2500.0,
            "cpu_moves_per_s": 400.0,
            "server_busy": 0.5,
            "generator_busy": 0.25,
        }

    def test_ratios_are_of_neighbours(self) -> None:
        real = [Slice(1.0, moves, 0, 1.0, 0.0) for moves in (50, 5, 60)]
        bare = [Slice(1.0, moves, 0, 1.0, 0.0) for moves in (100, 10, 90)]
        assert ratios(real, bare) == {"ratio": 0.5, "cpu_ratio": 0.575, "steady_slices": 3}

    def test_slices_in_which_something_else_was_the_limit_do_not_count(self) -> None:
        real = [Slice(1.0, moves, 0, 0.9, 0.0) for moves in (50, 50, 50)]
        bare = [Slice(1.0, 100, 0, 0.9, 0.0), *[Slice(1.0, 10, 0, 0.1, 0.0)] * 2]
        assert ratios(real, bare)["ratio"] == 0.5
        assert ratios(real[1:], bare[1:]) == {"ratio": 5.0, "cpu_ratio": 0.556, "steady_slices": 0}

    def test_a_loop_that_waits_for_its_store_need_not_use_its_core(self) -> None:
        real = [Slice(1.0, moves, 0, busy, 0.0) for moves, busy in ((30, 0.9), (10, 0.1))]
        loop = [Slice(1.0, moves, 0, 0.1, 0.0) for moves in (60, 100)]
        assert redis_ratios(real, loop) == {"redis_ratio": 0.5, "redis_cpu_ratio": 0.05}
        assert redis_ratios(real[1:], loop[1:])["redis_ratio"] == 0.1

    def test_workers_are_compared_by_what_a_move_costs(self) -> None:
        many, one = [Slice(1.0, 80, 0, 1.0, 0.0)], [Slice(1.0, 50, 0, 0.5, 0.0)]
        assert workers_ratio(many, one) == 0.8

    def test_percentiles(self) -> None:
        assert percentile_ms([], 0.5) == 0
        assert percentile_ms([0.004, 0.001, 0.002, 0.003], 0.5) == 3
        assert percentile_ms([0.001] * 99 + [1.0], 0.99) == 1000


def view(version: int, table: str = "a") -> bytes:
    return msgspec.msgpack.encode({"kind": "view", "version": version, "table": table, "status": "open", "game": None})


class TestWhatTheServerSends:
    """The load is no judge of a server if it does not notice."""

    def test_versions_left_out_are_counted_and_older_ones_refused(self, impostor: Impostor) -> None:
        load = impostor.load()
        table = Table(load)
        table.id = "a"
        player = table.players[0]
        for version in (3, 4, 4, 7):
            player.receive(view(version))
        assert (load.tally.views, load.tally.skipped) == (4, 2)
        with pytest.raises(BenchError, match="older"):
            player.receive(view(6))

    def test_a_view_of_another_table_is_refused(self, impostor: Impostor) -> None:
        table = Table(impostor.load())
        table.id = "a"
        with pytest.raises(BenchError, match="another table"):
            table.players[0].receive(view(1, "b"))

    def test_a_move_is_complete_when_all_four_have_seen_it(self, impostor: Impostor) -> None:
        load = impostor.load()
        table = Table(load)
        table.id = "a"
        load.under_way = 1
        table.moved(5, 0.0)
        for player in table.players[1:]:
            player.receive(view(5))
        assert load.tally.moves == 0
        table.players[0].receive(view(6))
        assert (load.tally.moves, load.under_way) == (1, 0)
        assert load.tally.latencies[0] > 0

    def test_an_error_ends_the_measurement(self, impostor: Impostor) -> None:
        player = Table(impostor.load()).players[0]
        with pytest.raises(BenchError, match="illegal_move not_stronger"):
            player.receive(msgspec.msgpack.encode({"kind": "error", "code": "illegal_move", "detail": "not_stronger"}))

    def test_other_messages_are_passed_over(self, impostor: Impostor) -> None:
        load = impostor.load()
        Table(load).players[0].receive(msgspec.msgpack.encode({"kind": "presence", "seats": [True]}))
        assert load.tally.views == 0


class Listener(Link):
    def __init__(self, wire: Wire, port: int) -> None:
        self.frames: list[bytes] = []
        super().__init__(wire, port, "/ws", "test")
        self.begin()

    def receive(self, frame: bytes) -> None:
        self.frames.append(frame)


class TestTheWire:
    @pytest.mark.parametrize("size", [0, 125, 126, 40_000, 70_000])
    def test_takes_frames_of_any_size_in_any_pieces(self, impostor: Impostor, size: int) -> None:
        wire = Wire()
        link = Listener(wire, impostor.port)
        frame = framed(bytes(size))
        for cut in (1, 3, len(frame) // 2):
            link.frames.clear()
            impostor.say(frame[:cut])
            impostor.say(frame[cut:] + frame)
            wire.until(lambda: len(link.frames) == 2, 5, "send two frames")
            assert [len(each) for each in link.frames] == [size, size]
        wire.close()

    def test_answers_pings(self, impostor: Impostor) -> None:
        wire = Wire()
        Listener(wire, impostor.port)
        impostor.say(b"\x89\x02hi")
        wire.turn(5)
        assert impostor.hear(8) == b"\x8a\x82\0\0\0\0hi"
        wire.close()

    def test_sends_masked_frames(self, impostor: Impostor) -> None:
        wire = Wire()
        link = Listener(wire, impostor.port)
        link.send(b"x" * 5)
        link.send(b"y" * 300)
        assert impostor.hear(11) == b"\x82\x85\0\0\0\0xxxxx"
        assert impostor.hear(8) == b"\x82\xfe\x01\x2c\0\0\0\0"
        wire.close()

    def test_does_not_wait_for_a_server_that_does_not_read(self, impostor: Impostor) -> None:
        wire = Wire()
        link = Listener(wire, impostor.port)

        def flood() -> None:
            for _ in range(10_000):
                link.send(bytes(60_000))

        with pytest.raises(BenchError, match=r"does not read|takes nothing more"):
            flood()
        wire.close()

    def test_tells_how_a_server_ended_it(self, impostor: Impostor) -> None:
        wire = Wire()
        Listener(wire, impostor.port)
        impostor.say(b"\x88\x06\x0f\xa1ciao")
        with pytest.raises(BenchError, match="closed a connection with 4001 ciao"):
            wire.turn(5)
        impostor.hang_up()
        with pytest.raises(BenchError, match=r"ended|cut"):
            wire.turn(5)
        wire.close()

    def test_gives_up_on_what_does_not_come(self) -> None:
        wire = Wire()
        with pytest.raises(BenchError, match="did not answer within 0 s"):
            wire.until(lambda: False, 0, "answer")
        wire.close()

    def test_says_that_nobody_listens(self, impostor: Impostor) -> None:
        wire = Wire()
        impostor.close()
        with pytest.raises(BenchError, match="Cannot connect"):
            Listener(wire, impostor.port)
        wire.close()

    def test_says_that_it_was_refused(self, impostor: Impostor) -> None:
        impostor.status = "403 Forbidden"
        wire = Wire()
        with pytest.raises(BenchError, match="403 Forbidden"):
            Listener(wire, impostor.port)
        wire.close()
