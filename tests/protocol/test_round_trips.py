"""What one side encodes, the other side decodes to the same message, in both subprotocols."""

import json
from typing import Any

import msgpack  # type: ignore[import-untyped]  # it ships no types
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import Struct

from protocol.codec import MESSAGE_LIMITS, SUBPROTOCOLS, Codec, codec_for, transcode
from protocol.commands import Ping
from protocol.example_views import BREAK
from protocol.kinds import COMMANDS, MESSAGES
from protocol.options import TableOptions
from protocol.pushes import EventLog, LegalMoves, LobbyPage, LobbySeat, LobbyTable, Session, Step
from protocol.values import MAX_EVENT_STEPS, MAX_LEGAL_MOVES, MAX_LOBBY_TABLES, SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK
from tests.protocol.strategies import structs

CODECS = [pytest.param(codec_for(name), id=name) for name in SUBPROTOCOLS]
FEW_BUT_LARGE = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
TABLE = "7kq2m0x9v4ad"


@pytest.mark.parametrize("cls", COMMANDS.values(), ids=COMMANDS)
def test_commands_come_back(cls: type[Struct]) -> None:
    @FEW_BUT_LARGE
    @given(structs(cls))
    def check(command: Any) -> None:
        for name in SUBPROTOCOLS:
            codec = codec_for(name)
            assert codec.decode_command(codec.encode(command)) == command

    check()


@pytest.mark.parametrize("cls", MESSAGES.values(), ids=MESSAGES)
def test_messages_come_back_and_transcoding_equals_encoding(cls: type[Struct]) -> None:
    @FEW_BUT_LARGE
    @given(structs(cls))
    def check(message: Any) -> None:
        frames = {name: codec_for(name).encode(message) for name in SUBPROTOCOLS}
        for name, frame in frames.items():
            assert codec_for(name).decode_message(frame) == message
            assert codec_for(name).from_msgpack(msgspec.msgpack.encode(message)) == frame
        assert transcode(msgspec.msgpack.encode(message)) == frames[SUBPROTOCOL_JSON]

    check()


@pytest.mark.slow
@settings(FEW_BUT_LARGE, max_examples=500)
@given(st.sampled_from([*COMMANDS.values(), *MESSAGES.values()]).flatmap(structs))
def test_everything_is_what_other_libraries_read(message: Any) -> None:
    plain = msgspec.to_builtins(message)
    plain = json.loads(json.dumps(plain))
    assert msgpack.unpackb(codec_for(SUBPROTOCOL_MSGPACK).encode(message)) == plain
    assert json.loads(codec_for(SUBPROTOCOL_JSON).encode(message)) == plain


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize(
    "message",
    [
        LegalMoves(
            re="a" * 64,
            table=TABLE,
            decision=1,
            moves=("scout right turned 45 show 45-45",) * MAX_LEGAL_MOVES,
            more=True,
        ),
        EventLog(
            re="a" * 64,
            table=TABLE,
            since=0,
            steps=(Step(version=1, head="a" * 64, by="player", events=BREAK.events),) * MAX_EVENT_STEPS,
            more=False,
        ),
        LobbyPage(
            re=None,
            tables=(
                LobbyTable(
                    table=TABLE,
                    status="open",
                    options=TableOptions(),
                    seats=(LobbySeat(name="\U0001f3aa" * 24, bot=False),) * 5,
                    spectators=10**6,
                    age_s=10**9,
                ),
            )
            * MAX_LOBBY_TABLES,
        ),
    ],
    ids=["legal", "events", "lobby"],
)
def test_the_largest_messages_are_within_a_clients_limits(codec: Codec, message: Any) -> None:
    frame = codec.encode(message)
    assert codec.decode_message(frame) == message
    assert 3 * len(frame) < MESSAGE_LIMITS.frame_bytes


@pytest.mark.parametrize("codec", CODECS)
def test_defaults_may_be_left_out(codec: Codec) -> None:
    frame = _frame(codec, {"kind": "create", "id": "a"})
    assert codec.decode_command(frame) == COMMANDS["create"](id="a")


@pytest.mark.parametrize("codec", CODECS)
def test_unknown_keys_are_ignored(codec: Codec) -> None:
    frame = _frame(codec, {"kind": "ping", "id": "a", "later": {"x": [1, 2.5, None, {"y": "z"}]}})
    assert codec.decode_command(frame) == Ping(id="a")


def test_of_equal_keys_the_last_one_counts() -> None:
    packed = b"\x83\xa4kind\xa4ping\xa2id\xa1a\xa2id\xa1b"
    assert codec_for(SUBPROTOCOL_MSGPACK).decode_command(packed) == Ping(id="b")
    assert codec_for(SUBPROTOCOL_JSON).decode_command('{"kind":"ping","id":"a","id":"b"}') == Ping(id="b")


def test_a_fresh_session_keeps_its_token() -> None:
    session = Session(re="a", player="p" * 16, name="Zoë \U0001f3aa", token="t" * 43, tables=())
    for name in SUBPROTOCOLS:
        codec = codec_for(name)
        assert codec.subprotocol == name
        assert codec.decode_message(codec.encode(session)) == session


def test_there_is_no_codec_of_another_name() -> None:
    with pytest.raises(KeyError):
        codec_for("bigtop.v2.msgpack")


def _frame(codec: Codec, value: dict[str, Any]) -> bytes | str:
    return json.dumps(value) if codec.subprotocol == SUBPROTOCOL_JSON else bytes(msgpack.packb(value))
