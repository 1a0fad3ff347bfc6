"""The protocol page, the JSON Schema and the AsyncAPI document; `python -m protocol.document` writes them."""

import json
import sys
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from protocol.asyncapi import asyncapi
from protocol.closing import CLOSE_CODES, CloseCode
from protocol.codec import transcode
from protocol.errors import ERRORS
from protocol.examples import COMMAND_EXAMPLES, EVENT_EXAMPLES, MESSAGE_EXAMPLES, Example
from protocol.guide import GUIDE
from protocol.kinds import ANSWERS, COMMANDS, EVENTS, MESSAGES
from protocol.rendering import NAMED_VALUES, field_table, form_in_words, hexadecimal, pretty, table
from protocol.schema import json_schema, structs, summary


def files() -> dict[str, str]:
    """The text of each file, by its path below ``docs``."""
    return {
        "protocol.md": page(),
        "protocol/schema.json": json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n",
        "protocol/asyncapi.json": json.dumps(asyncapi(), indent=2, ensure_ascii=False) + "\n",
    }


def page() -> str:
    """The protocol page, in Markdown."""
    types: dict[str, Any] = json_schema()["$defs"]
    kinds = {*COMMANDS.values(), *MESSAGES.values(), *EVENTS.values()}
    parts = [
        GUIDE,
        "## Commands\n\nWhat a client may say. Every command has an `id`, and gets exactly one reply.",
        *(_entry(kind, cls, types, COMMAND_EXAMPLES) for kind, cls in COMMANDS.items()),
        "## Messages\n\nWhat a server may say: replies, which have a `re`, and pushes.",
        *(_entry(kind, cls, types, MESSAGE_EXAMPLES) for kind, cls in MESSAGES.items()),
        "## Event kinds\n\nWhat can happen at a table, in a view or in an answer to `events`.",
        *(_event(kind, cls, types) for kind, cls in EVENTS.items()),
        "## Parts\n\nWhat messages are made of.",
        *(_part(name, cls, types) for name, cls in structs().items() if cls not in kinds),
        f"## Values\n\nSmall values that occur in many places.\n\n{_values()}",
        f"## Error codes\n\nThe `code` of an `error`. Codes never change.\n\n{_errors()}",
        f"## Close codes\n\nThe number and the reason in the close frame. 4000–4099: connect again and resume. "
        f"4100–4199: start afresh, without the token. 4500–4599: stop, since trying again is no use.\n\n{_closes()}",
    ]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def main(docs: Path) -> None:
    """Write all files below `docs`."""
    for name, text in files().items():
        path = docs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _entry(kind: str, cls: type[Struct], types: dict[str, Any], examples: tuple[Example, ...]) -> str:
    answer = ANSWERS[kind].__struct_config__.tag if cls is COMMANDS.get(kind) else None
    return _paragraphs(
        f"### {cls.__name__}",
        f"`{kind}`" + (f", answered with `{answer}` or `error`" if answer else ""),
        summary(cls),
        field_table(cls, types[cls.__name__]),
        *(_example(example) for example in examples if type(example.message) is cls),
    )


def _event(kind: str, cls: type[Struct], types: dict[str, Any]) -> str:
    example = next(event for event in EVENT_EXAMPLES if type(event) is cls)
    return _paragraphs(
        f"### {cls.__name__}",
        f"`{kind}`. {summary(cls)}",
        field_table(cls, types[cls.__name__]),
        f"```json\n{pretty(msgspec.to_builtins(example))}\n```",
    )


def _part(name: str, cls: type[Struct], types: dict[str, Any]) -> str:
    return _paragraphs(f"### {name}", summary(cls), field_table(cls, types[name]))


def _paragraphs(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)


def _example(example: Example) -> str:
    packed = msgspec.msgpack.encode(example.message)
    text = pretty(json.loads(transcode(packed)))
    return (
        f"{example.title}:\n\n```json\n{text}\n```\n\n<details><summary>MessagePack, {len(packed):,} bytes</summary>"
        f"\n\n```\n{hexadecimal(packed)}\n```\n\n</details>"
    )


def _values() -> str:
    forms = ((name, msgspec.json.schema(kind), meaning) for name, (kind, meaning) in NAMED_VALUES.items())
    return table(
        ("value", "form", "meaning"), ((name, form_in_words(form, named=False), text) for name, form, text in forms)
    )


def _errors() -> str:
    rows = ((f"`{error.code}`", error.meaning, "yes" if error.retry else "no") for error in ERRORS)
    return table(("code", "meaning", "may the same succeed later?"), rows)


def _closes() -> str:
    rows = ((close.code, f"`{close.name}`", close.meaning, _what_to_do(close)) for close in CLOSE_CODES)
    return table(("code", "reason", "meaning", "what to do"), rows)


def _what_to_do(close: CloseCode) -> str:
    if close.resume:
        return "resume"
    return "start afresh" if close.afresh else "stop"


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs"))
