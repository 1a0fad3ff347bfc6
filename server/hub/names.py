"""Players' names: visible, short, and unable to disturb what stands around them."""

import unicodedata

from protocol import errors
from server.table.refusal import Refused

MAX_NAME = 24
_MARKS_IN_A_ROW = 2
_UNSEEN = frozenset(
    map(
        chr,
        (
            *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0xFFFC, 0x1D159),
            *range(0x180B, 0x1810),
            *range(0xFE00, 0xFE0F),
            *range(0xE0100, 0xE01F0),
        ),
    )
)
"""Letters, marks and signs that show nothing, though their category does not tell."""


def clean_name(text: str) -> str:
    """The name as it is shown. Raises `Refused` if nothing visible is left, or for what no name may hold."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    marks = 0
    for letter in name:
        category = unicodedata.category(letter)
        marks = marks + 1 if category.startswith("M") else 0
        hidden = (category[0] in "CZ" and letter != " ") or letter in _UNSEEN
        if hidden or marks > _MARKS_IN_A_ROW:
            raise Refused(errors.BAD_NAME, "A name may not hold invisible or piled-up combining characters.")
    if not 1 <= len(name) <= MAX_NAME or unicodedata.category(name[0]).startswith("M"):
        raise Refused(errors.BAD_NAME)
    return name


def guest_name(player: str) -> str:
    """A name for somebody who gave none."""
    return f"Guest {player[:4]}"
