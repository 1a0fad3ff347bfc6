"""The JSON Schema says what the types say, and describes every field."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from jsonschema import Draft202012Validator
from msgspec import Struct, ValidationError, convert

from protocol.commands import AnyCommand, Hello
from protocol.examples import COMMAND_EXAMPLES, MESSAGE_EXAMPLES, Example
from protocol.kinds import COMMANDS, EVENTS, MESSAGES
from protocol.pushes import View
from protocol.schema import DIALECT, field_descriptions, json_schema, structs, summary
from protocol.scout import ScoutView
from tests.protocol.strategies import commands, messages

SCHEMA = json_schema()
VALIDATOR = Draft202012Validator(SCHEMA)
COMMAND_VALIDATOR = Draft202012Validator({"$ref": "#/$defs/AnyCommand", "$defs": SCHEMA["$defs"]})


def plain(message: Any) -> Any:
    """A message as a validator sees it: lists, no tuples."""
    return json.loads(msgspec.json.encode(message))


def test_it_is_a_schema_of_2020_12() -> None:
    assert SCHEMA["$schema"] == DIALECT == Draft202012Validator.META_SCHEMA["$id"]
    Draft202012Validator.check_schema(SCHEMA)


def test_it_has_every_type() -> None:
    types = structs()
    assert {*COMMANDS.values(), *MESSAGES.values(), *EVENTS.values(), ScoutView} <= {*types.values()}
    assert {*SCHEMA["$defs"]} == {*types, "AnyCommand", "AnyMessage"}


def test_every_reference_leads_somewhere() -> None:
    assert {ref.removeprefix("#/$defs/") for ref in references(SCHEMA)} == {*SCHEMA["$defs"]}


@pytest.mark.parametrize("cls", structs().values(), ids=structs())
def test_every_type_and_every_field_is_described(cls: type[Struct]) -> None:
    schema = SCHEMA["$defs"][cls.__name__]
    assert schema["description"] == summary(cls)
    assert summary(cls).endswith(".")
    assert "Attributes:" not in summary(cls)
    for field, form in schema["properties"].items():
        assert form["description"].endswith("."), field
    told = {*field_descriptions(cls)}
    assert told == {*schema["properties"]}, "a docstring describes a field that is not there"


def test_descriptions_are_inherited_and_may_be_long() -> None:
    told = field_descriptions(COMMANDS["ready"])
    assert told["kind"] == "Always `ready`."
    assert told["id"] == "Made by the client, new for each command."
    assert told["table"] == "The table it is for."
    assert "\n" not in told["commitment"]
    assert told["commitment"].endswith("Null to leave the shuffles to the others.")


def test_a_field_without_a_description_is_noticed() -> None:
    class Silent(Struct):
        """A type.

        Attributes:
            told: what it is.
        """

        told: int
        untold: int

    assert field_descriptions(Silent) == {"told": "What it is."}
    assert summary(Silent) == "A type."


@pytest.mark.parametrize("example", [*COMMAND_EXAMPLES, *MESSAGE_EXAMPLES], ids=lambda example: example.title)
def test_examples_are_valid(example: Example) -> None:
    VALIDATOR.validate(plain(example.message))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(commands | messages)
def test_whatever_the_types_take_is_valid(message: Any) -> None:
    name = type(message).__name__
    Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]}).validate(plain(message))


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "hallo"},
        {"id": ""},
        {"id": "a b"},
        {"id": "a\n"},
        {"id": None},
        {"token": "short"},
        {"token": "T" * 42 + "\n"},
        {"name": ""},
        {"name": "x" * 25},
        {"bot": 1},
        {"agent": None},
    ],
)
def test_what_the_types_refuse_is_not_valid(change: dict[str, Any]) -> None:
    good = plain(Hello(id="a"))
    assert COMMAND_VALIDATOR.is_valid(good)
    assert not COMMAND_VALIDATOR.is_valid(good | change)
    with pytest.raises(ValidationError):
        convert(good | change, AnyCommand)


def test_events_are_told_apart_by_their_kind() -> None:
    items = SCHEMA["$defs"]["View"]["properties"]["events"]["items"]
    assert {*items["discriminator"]["mapping"]} == {*EVENTS}
    assert View.__struct_config__.tag == "view"


def references(value: Any) -> set[str]:
    """Every `$ref` in a document."""
    if isinstance(value, list):
        return set().union(*map(references, value))
    if isinstance(value, dict):
        here = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
        return here.union(*map(references, value.values()))
    return set()
