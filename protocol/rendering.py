"""Pieces of a Markdown page: tables, types in words, JSON that fits the page, and bytes in hexadecimal."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from protocol import values
from protocol.schema import field_descriptions

WIDTH = 110
"""How wide an example may be."""

NAMED_VALUES: dict[str, tuple[Any, str]] = {
    "command id": (values.CommandId, "Made by the client; the same id again means the same command again."),
    "table id": (values.TableId, "Names a table. Public: knowing it gives no right."),
    "player id": (values.PlayerId, "Names a player. Public: knowing it gives no right."),
    "invite": (values.Invite, "Opens a private table to whoever has it."),
    "token": (values.Token, "Secret: whoever has it is the player."),
    "name": (values.Name, "What a player is called."),
    "hex": (values.Hex32, "32 bytes in hexadecimal."),
    "seat": (values.Seat, "A seat, in the order of play."),
    "level": (values.Level, "Which kind of bot; empty for any."),
    "card": (values.Card, "A card as it lies: the upper value, then the other half."),
}
"""The small values that have a name on the page, each with its type and meaning."""

_NAMES = {json.dumps(msgspec.json.schema(kind)): name for name, (kind, _) in NAMED_VALUES.items()}


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = (head, ["---"] * len(head), *rows)
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)


def field_table(cls: type[Struct], schema: dict[str, Any]) -> str:
    """The fields of a type: name, form, default and meaning. Empty when it has none but its kind."""
    told = field_descriptions(cls)
    rows = []
    for field in cls.__struct_fields__:
        form = {key: value for key, value in schema["properties"][field].items() if key != "description"}
        default = f"`{json.dumps(form.pop('default'))}`" if "default" in form else "needed"
        rows.append((f"`{field}`", form_in_words(form), default, told.get(field, "")))
    return table(("field", "form", "default", "meaning"), rows) if rows else ""


def form_in_words(form: dict[str, Any], *, named: bool = True) -> str:
    """What a piece of JSON Schema takes, in words, with links to the types it refers to."""
    name = _NAMES.get(json.dumps(form))
    if named and name is not None:
        return f"[{name}](#values)"
    if "$ref" in form:
        target = form["$ref"].rpartition("/")[2]
        return f"[{target}](#{target.lower()})"
    if "discriminator" in (form.get("items") or ()):
        return "list of [events](#event-kinds)"
    if "anyOf" in form:
        return " or ".join(form_in_words(option) for option in form["anyOf"])
    if "enum" in form:
        return " or ".join(f"`{json.dumps(value)}`" for value in form["enum"])
    return _plain_form(form)


def _plain_form(form: dict[str, Any]) -> str:
    match form["type"]:
        case "array" if "prefixItems" in form:
            return "[" + ", ".join(form_in_words(item) for item in form["prefixItems"]) + "]"
        case "array":
            size = _span(form.get("minItems"), form.get("maxItems"))
            return f"list of {f'{size} ' if size else ''}{form_in_words(form['items'])}"
        case "string":
            size = _span(form.get("minLength"), form.get("maxLength"))
            pattern = form.get("pattern", "").replace(r"$(?!\n)", "$")
            return "string" + (f", {size} characters" if size else "") + (f", `{pattern}`" if pattern else "")
        case "integer":
            most = form["exclusiveMaximum"] - 1 if "exclusiveMaximum" in form else form.get("maximum")
            size = _span(form.get("minimum"), "2⁵³ − 1" if most == values.MAX_INTEGER else most)
            return f"integer{f' {size}' if size else ''}"
        case plain:
            return str(plain)


def _span(least: object, most: object) -> str:
    if least == most:
        return "" if least is None else str(least)
    if most is None:
        return f"from {least}"
    return f"up to {most}" if least is None else f"{least} to {most}"


def pretty(value: object, indent: int = 0) -> str:
    """JSON in lines that fit the page: what fits one line stays in one."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + indent <= WIDTH or not isinstance(value, dict | list):
        return flat
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        items = [f"{json.dumps(key)}: {pretty(item, indent + 2)}" for key, item in value.items()]
    else:
        items = [pretty(item, indent + 2) for item in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}\n{inner}" + f",\n{inner}".join(items) + f"\n{' ' * indent}{closing}"


def hexadecimal(data: bytes) -> str:
    """Bytes in hexadecimal, 24 in a line, with the letters among them at the side."""
    lines = []
    for start in range(0, len(data), 24):
        line = data[start : start + 24]
        letters = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in line)
        lines.append(f"{line.hex(' '):71}  {letters}")
    return "\n".join(lines)
