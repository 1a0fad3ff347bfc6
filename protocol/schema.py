"""The JSON Schema of all commands and messages, from the types and their docstrings."""

import inspect
import re
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.inspect import StructType, Type, UnionType, VarTupleType, multi_type_info

from protocol.commands import AnyCommand
from protocol.pushes import AnyMessage

DIALECT = "https://json-schema.org/draft/2020-12/schema"
"""The version of JSON Schema."""


def json_schema() -> dict[str, Any]:
    """The schema of everything that travels; `$defs` has one entry for each type."""
    (command, message), defs = msgspec.json.schema_components((AnyCommand, AnyMessage), ref_template="#/$defs/{name}")
    for name, cls in structs().items():
        defs[name]["description"] = summary(cls)
        told = field_descriptions(cls)
        for field, schema in defs[name]["properties"].items():
            schema["description"] = told.get(field, "")
    return {
        "$schema": DIALECT,
        "title": "Bigtop protocol, version 1",
        "description": "Every command of a client and every message of a server. Integers have at most 64 bits. "
        "Keys that are not listed are ignored by whoever gets them.",
        "anyOf": [{"$ref": "#/$defs/AnyCommand"}, {"$ref": "#/$defs/AnyMessage"}],
        "$defs": {
            "AnyCommand": {"description": "What a client may say.", **command},
            "AnyMessage": {"description": "What a server may say.", **message},
            **defs,
        },
    }


def structs() -> dict[str, type[Struct]]:
    """Every type that travels, by its name in the schema, in the order in which it is first used."""
    return {info.cls.__name__: info.cls for root in multi_type_info((AnyCommand, AnyMessage)) for info in _walk(root)}


def _walk(info: Type) -> Iterator[StructType]:
    if isinstance(info, StructType):
        yield info
        for field in info.fields:
            yield from _walk(field.type)
    elif isinstance(info, UnionType):
        for option in info.types:
            yield from _walk(option)
    elif isinstance(info, VarTupleType):
        yield from _walk(info.item_type)


def summary(cls: type[Struct]) -> str:
    """What the docstring of a type says before its attributes, one line for each paragraph."""
    text = (inspect.getdoc(cls) or "").partition("\n\nAttributes:\n")[0]
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


def field_descriptions(cls: type[Struct]) -> dict[str, str]:
    """What the docstrings of a type and of its bases say about each field, and about the key that tells its kind."""
    found: dict[str, str] = {}
    config = cls.__struct_config__
    if config.tag_field is not None:
        found[config.tag_field] = f"always `{config.tag}`."
    for base in reversed(cls.__mro__):
        attributes = (inspect.getdoc(base) or "").partition("\n\nAttributes:\n")[2]
        for name, text in re.findall(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", attributes, re.MULTILINE):
            found[name] = " ".join(text.split())
    return {name: text[0].upper() + text[1:] for name, text in found.items()}
