"""Nothing that clients rely on changes by accident: kinds, fields, codes, limits and exported names."""

import ast
from pathlib import Path

import msgspec

import protocol
from protocol import closing, codec, errors, values
from protocol.codec import COMMAND_LIMITS, MESSAGE_LIMITS, SUBPROTOCOLS, FrameLimits
from protocol.kinds import ANSWERS, COMMANDS, EVENTS, MESSAGES, PUSHES
from protocol.schema import structs
from tests.protocol import golden

PACKAGE = Path(protocol.__file__).parent


def fields(types: dict[str, type[msgspec.Struct]]) -> dict[str, str]:
    return {name: " ".join(cls.__struct_fields__) for name, cls in types.items()}


def test_the_fields_of_every_kind() -> None:
    assert fields(COMMANDS) == golden.COMMAND_FIELDS
    assert fields(MESSAGES) == golden.MESSAGE_FIELDS
    assert fields(EVENTS) == golden.EVENT_FIELDS


def test_the_fields_of_every_part() -> None:
    kinds = {*COMMANDS.values(), *MESSAGES.values(), *EVENTS.values()}
    assert fields({name: cls for name, cls in structs().items() if cls not in kinds}) == golden.PART_FIELDS


def test_what_answers_what() -> None:
    tags = {kind: cls.__struct_config__.tag for kind, cls in ANSWERS.items()}
    assert tags == dict.fromkeys(COMMANDS, "done") | golden.ANSWERED
    assert [*PUSHES] == golden.PUSHED


def test_error_codes() -> None:
    assert {error.code: error.retry for error in errors.ERRORS} == golden.ERROR_CODES
    assert len(errors.ERRORS) == len(golden.ERROR_CODES), "a code occurs twice"
    for error in errors.ERRORS:
        assert getattr(errors, error.code.upper()) is error


def test_close_codes() -> None:
    assert {close.code: close.name for close in closing.CLOSE_CODES} == golden.CLOSE_NUMBERS
    assert len(closing.CLOSE_CODES) == len(golden.CLOSE_NUMBERS), "a code occurs twice"
    for close in closing.CLOSE_CODES:
        assert getattr(closing, close.name.upper()) is close
        assert (close.resume, close.afresh) == (close.code // 100 == 40, close.code // 100 == 41)
        assert len(close.name.encode()) <= 123, "too long for a close frame"


def test_limits() -> None:
    assert {name: value for name, value in vars(values).items() if name.isupper()} == golden.LIMITS
    assert FrameLimits(frame_bytes=16_384, depth=8, items=256) == COMMAND_LIMITS
    assert FrameLimits(frame_bytes=1_048_576, depth=16, items=4_096) == MESSAGE_LIMITS
    assert SUBPROTOCOLS == ("bigtop.v1.msgpack", "bigtop.v1.json")


def test_what_each_module_exports() -> None:
    found = {path.stem: " ".join(sorted(defined(path))) for path in PACKAGE.glob("*.py")}
    assert found == golden.EXPORTS
    for name in codec.__all__:
        assert hasattr(codec, name)


def defined(path: Path) -> set[str]:
    """The public names that a module defines itself."""
    names: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
            case ast.Assign(targets=[ast.Name(id=name)]):
                names.add(name)
    return {name for name in names if not name.startswith("_")}
