"""The AsyncAPI document has the form of AsyncAPI 3.0, and all it refers to is there."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from protocol.asyncapi import SCHEMA_FILE, asyncapi
from protocol.kinds import ANSWERS, COMMANDS, MESSAGES, PUSHES
from protocol.pushes import AnyReply
from protocol.schema import json_schema
from protocol.values import SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK
from tests.protocol.test_schema import references

DOCUMENT = asyncapi()
FILES = {"": DOCUMENT, SCHEMA_FILE: json_schema()}
NAMES = {cls.__name__ for cls in (*COMMANDS.values(), *MESSAGES.values())}


def resolve(ref: str) -> Any:
    file, _, pointer = ref.partition("#")
    value = FILES[file]
    for step in pointer.split("/")[1:]:
        value = value[step]
    return value


def test_the_required_keys_are_there_and_no_others() -> None:
    known = {"asyncapi", "id", "info", "servers", "defaultContentType", "channels", "operations", "components"}
    assert {"asyncapi", "info"} <= {*DOCUMENT} <= known
    assert DOCUMENT["asyncapi"] == "3.0.0"
    assert {"title", "version"} <= {*DOCUMENT["info"]}
    for server in DOCUMENT["servers"].values():
        assert {"host", "protocol"} <= {*server}


def test_every_reference_leads_somewhere() -> None:
    refs = references(DOCUMENT)
    assert len(refs) > 2 * len(NAMES)
    for ref in refs:
        assert resolve(ref), ref


def test_the_one_channel_has_every_message() -> None:
    (channel,) = DOCUMENT["channels"].values()
    assert channel["address"] == "/ws"
    assert {*channel["messages"]} == NAMES == {*DOCUMENT["components"]["messages"]}
    header = channel["bindings"]["ws"]["headers"]["properties"]["Sec-WebSocket-Protocol"]
    assert header["enum"] == [SUBPROTOCOL_MSGPACK, SUBPROTOCOL_JSON]


@pytest.mark.parametrize("name", DOCUMENT["operations"])
def test_every_operation_is_whole(name: str) -> None:
    operation = DOCUMENT["operations"][name]
    assert {"action", "channel", "messages", "summary"} <= {*operation} <= {*operation, "reply"}
    assert operation["action"] == name.partition("_")[0]
    messages = [*operation["messages"], *operation.get("reply", {}).get("messages", ())]
    for message in messages:
        assert message["$ref"].startswith(operation["channel"]["$ref"] + "/messages/"), "not of the operation's channel"


def test_commands_are_received_and_answered() -> None:
    received = {name: op for name, op in DOCUMENT["operations"].items() if op["action"] == "receive"}
    assert [*received] == [f"receive_{kind}" for kind in COMMANDS]
    for kind, operation in zip(COMMANDS, received.values(), strict=True):
        names = [message["$ref"].rpartition("/")[2] for message in operation["reply"]["messages"]]
        assert names == [ANSWERS[kind].__name__, "Error"]
    assert {*ANSWERS.values()} < {*AnyReply.__args__}


def test_pushes_are_sent() -> None:
    sent = [name for name, operation in DOCUMENT["operations"].items() if operation["action"] == "send"]
    assert sent == [f"send_{kind}" for kind in PUSHES]


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_message_has_its_schema_its_id_and_examples(name: str) -> None:
    message = DOCUMENT["components"]["messages"][name]
    schema = resolve(message["payload"]["schema"]["$ref"])
    assert message["payload"]["schemaFormat"] == "application/schema+json;version=2020-12"
    assert schema["properties"]["kind"]["enum"] == [message["name"]]
    validator = Draft202012Validator(schema | {"$defs": FILES[SCHEMA_FILE]["$defs"]})
    assert message["examples"]
    for example in message["examples"]:
        validator.validate(example["payload"])
    keys = {"id", "re"} & {*schema["properties"]}
    correlation = message.get("correlationId", {}).get("$ref", "")
    assert correlation == (f"#/components/correlationIds/{keys.pop()}" if keys else "")
