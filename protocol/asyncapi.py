"""The AsyncAPI 3.0 document of a server: one channel, and one operation for each command and each push."""

from typing import Any

import msgspec
from msgspec import Struct

from protocol.examples import COMMAND_EXAMPLES, MESSAGE_EXAMPLES
from protocol.kinds import ANSWERS, COMMANDS, MESSAGES, PUSHES
from protocol.pushes import Error
from protocol.schema import summary
from protocol.values import SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK

SCHEMA_FORMAT = "application/schema+json;version=2020-12"
"""What kind of schema that is."""
SCHEMA_FILE = "schema.json"
"""Where the document finds the JSON Schema: next to itself."""


def asyncapi() -> dict[str, Any]:
    """The document, as plain values. It describes the server: it receives commands and sends messages."""
    types = (*COMMANDS.values(), *MESSAGES.values())
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Bigtop",
            "version": "1",
            "description": "A server for the card game SCOUT. Every WebSocket message is one command or one message, "
            f"with `{SUBPROTOCOL_MSGPACK}` as MessagePack in a binary frame, with `{SUBPROTOCOL_JSON}` as JSON in a "
            "text frame. Integers have at most 64 bits; keys that are not listed are ignored.",
        },
        "defaultContentType": "application/msgpack",
        "servers": {
            "local": {"host": "127.0.0.1:8765", "protocol": "ws", "description": "A server on this machine."},
        },
        "channels": {
            "ws": {
                "address": "/ws",
                "description": "The one WebSocket endpoint. The server speaks first, with `welcome`.",
                "servers": [{"$ref": "#/servers/local"}],
                "messages": {cls.__name__: {"$ref": f"#/components/messages/{cls.__name__}"} for cls in types},
                "bindings": {
                    "ws": {
                        "method": "GET",
                        "headers": {
                            "type": "object",
                            "required": ["Sec-WebSocket-Protocol"],
                            "properties": {
                                "Sec-WebSocket-Protocol": {
                                    "type": "string",
                                    "enum": [SUBPROTOCOL_MSGPACK, SUBPROTOCOL_JSON],
                                }
                            },
                        },
                        "bindingVersion": "0.1.0",
                    }
                },
            }
        },
        "operations": {
            **{f"receive_{kind}": _receive(cls, ANSWERS[kind]) for kind, cls in COMMANDS.items()},
            **{f"send_{kind}": _send(cls) for kind, cls in PUSHES.items()},
        },
        "components": {
            "messages": {cls.__name__: _message(cls) for cls in types},
            "correlationIds": {
                "id": {"location": "$message.payload#/id", "description": "The command's id."},
                "re": {"location": "$message.payload#/re", "description": "The id of the command that it answers."},
            },
        },
    }


def _receive(command: type[Struct], answer: type[Struct]) -> dict[str, Any]:
    return {
        "action": "receive",
        "channel": {"$ref": "#/channels/ws"},
        "summary": _first_sentence(command),
        "messages": [_in_channel(command)],
        "reply": {"channel": {"$ref": "#/channels/ws"}, "messages": [_in_channel(answer), _in_channel(Error)]},
    }


def _send(push: type[Struct]) -> dict[str, Any]:
    return {
        "action": "send",
        "channel": {"$ref": "#/channels/ws"},
        "summary": _first_sentence(push),
        "messages": [_in_channel(push)],
    }


def _in_channel(cls: type[Struct]) -> dict[str, str]:
    return {"$ref": f"#/channels/ws/messages/{cls.__name__}"}


def _message(cls: type[Struct]) -> dict[str, Any]:
    message: dict[str, Any] = {
        "name": str(cls.__struct_config__.tag),
        "title": cls.__name__,
        "summary": _first_sentence(cls),
        "description": summary(cls),
        "payload": {
            "schemaFormat": SCHEMA_FORMAT,
            "schema": {"$ref": f"{SCHEMA_FILE}#/$defs/{cls.__name__}"},
        },
        "examples": [
            {"summary": example.title, "payload": msgspec.json.decode(msgspec.json.encode(example.message))}
            for example in (*COMMAND_EXAMPLES, *MESSAGE_EXAMPLES)
            if type(example.message) is cls
        ],
    }
    for key in ("id", "re"):
        if key in cls.__struct_fields__:
            message["correlationId"] = {"$ref": f"#/components/correlationIds/{key}"}
    return message


def _first_sentence(cls: type[Struct]) -> str:
    return summary(cls).partition(". ")[0].rstrip(".") + "."
