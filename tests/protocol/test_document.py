"""The files in `docs` are what the types yield, and what the page shows can be sent as it stands."""

import json
import re
import runpy
import sys
from pathlib import Path

import pytest
from msgspec import to_builtins

from protocol import document
from protocol.closing import CLOSE_CODES
from protocol.codec import JsonCodec, MsgpackCodec
from protocol.errors import ERRORS
from protocol.examples import COMMAND_EXAMPLES, EVENT_EXAMPLES, MESSAGE_EXAMPLES
from protocol.kinds import COMMANDS, EVENTS, MESSAGES
from protocol.rendering import WIDTH, form_in_words, hexadecimal, pretty
from protocol.schema import json_schema, structs

DOCS = Path(__file__).parents[2] / "docs"
FILES = document.files()
PAGE = FILES["protocol.md"]


@pytest.mark.parametrize("name", FILES)
def test_the_file_is_up_to_date(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == FILES[name], "run: python -m protocol.document"


def test_the_module_writes_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document.main(tmp_path / "docs")
    assert {path.relative_to(tmp_path / "docs").as_posix() for path in tmp_path.rglob("*.*")} == {*FILES}
    monkeypatch.setattr(sys, "argv", ["document", str(tmp_path / "again")])
    monkeypatch.delitem(sys.modules, "protocol.document")
    runpy.run_module("protocol.document", run_name="__main__")
    for name in FILES:
        assert (tmp_path / "docs" / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


def test_the_page_shows_every_example_in_both_encodings() -> None:
    messages = [example.message for example in (*COMMAND_EXAMPLES, *MESSAGE_EXAMPLES)]
    section = PAGE[PAGE.index("\n## Commands\n") : PAGE.index("\n## Event kinds\n")]
    texts = re.findall(r"```json\n(.*?)\n```", section, re.DOTALL)
    dumps = re.findall(r"```\n([0-9a-f]{2} .*?)\n```", section, re.DOTALL)
    assert len(texts) == len(dumps) == len(messages)
    for message, text, dump in zip(messages, texts, dumps, strict=True):
        packed = bytes.fromhex("".join(line[:71] for line in dump.split("\n")))
        if type(message) in COMMANDS.values():
            assert JsonCodec().decode_command(text) == MsgpackCodec().decode_command(packed) == message
        else:
            assert JsonCodec().decode_message(text) == MsgpackCodec().decode_message(packed) == message


def test_the_page_shows_every_event() -> None:
    section = PAGE[PAGE.index("\n## Event kinds\n") : PAGE.index("\n## Parts\n")]
    shown = [json.loads(text) for text in re.findall(r"```json\n(.*?)\n```", section, re.DOTALL)]
    assert shown == [json.loads(json.dumps(to_builtins(event))) for event in EVENT_EXAMPLES]


def test_every_type_has_its_section_and_every_field_its_row() -> None:
    sections = re.split(r"^#{2,3} ", PAGE, flags=re.MULTILINE)
    assert {*structs()} <= {section.partition("\n")[0] for section in sections}
    for name, cls in structs().items():
        (section,) = (text for text in sections if text.startswith(f"{name}\n"))
        assert re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE) == [*cls.__struct_fields__]


def test_every_code_is_listed() -> None:
    for error in ERRORS:
        assert f"| `{error.code}` | {error.meaning} |" in PAGE
    for close, what in zip(CLOSE_CODES, ["resume"] * 5 + ["start afresh"] + ["stop"] * 4, strict=True):
        assert f"| {close.code} | `{close.name}` | {close.meaning} | {what} |" in PAGE


def test_every_link_leads_somewhere() -> None:
    titles = re.findall(r"^#+ (.*)$", PAGE, re.MULTILINE)
    anchors = [title.lower().replace(",", "").replace(" ", "-") for title in titles]
    assert len(anchors) == len({*anchors}), "two sections have the same anchor"
    for target in re.findall(r"\]\(([^)]*)\)", PAGE):
        assert target[1:] in anchors if target.startswith("#") else target in FILES


def test_every_kind_is_named() -> None:
    for kind in (*COMMANDS, *MESSAGES, *EVENTS):
        assert f"\n`{kind}`" in PAGE


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"type": "string"}, "string"),
        ({"type": "string", "maxLength": 3, "minLength": 3}, "string, 3 characters"),
        ({"type": "integer"}, "integer"),
        ({"type": "integer", "minimum": 2}, "integer from 2"),
        ({"type": "integer", "maximum": 2}, "integer up to 2"),
        ({"type": "array", "items": {"type": "null"}, "minItems": 1, "maxItems": 2}, "list of 1 to 2 null"),
        ({"type": "array", "items": {"$ref": "#/$defs/View"}}, "list of [View](#view)"),
        ({"enum": ["a", "b"]}, '`"a"` or `"b"`'),
        (
            json_schema()["$defs"]["Step"]["properties"]["events"] | {"description": ""},
            "list of [events](#event-kinds)",
        ),
    ],
)
def test_forms_in_words(form: dict[str, object], words: str) -> None:
    assert form_in_words(form) == words


def test_json_is_broken_where_it_does_not_fit() -> None:
    value = {"a": ["x" * 60, "y" * 60, [1, 2]], "b": "z" * (2 * WIDTH), "é": {}}
    lines = pretty(value).split("\n")
    assert json.loads("".join(lines)) == value
    assert [line.strip()[:3] for line in lines] == ["{", '"a"', '"xx', '"yy', "[1,", "],", '"b"', '"\\u', "}"]


def test_bytes_in_lines() -> None:
    assert hexadecimal(b"") == ""
    assert hexadecimal(b"\x00A~\x7f") == f"{'00 41 7e 7f':71}  .A~."
    assert [len(line) for line in hexadecimal(bytes(60)).split("\n")] == [97, 97, 85]
