"""Players' names: visible, short, and unable to disturb what stands around them."""

import unicodedata

from protocol import errors
from server.table.refusal import Refused

MAX_NAME = 24
_MARKS_IN_A_ROW = 2


def clean_name(text: str) -> str:
    """The name as it is shown. Raises `Refused` if nothing visible is left, or for what no name may hold."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    marks = 0
    for letter in name:
        category = unicodedata.category(letter)
        marks = marks + 1 if category.startswith("M") else 0
        if (category[0] in "CZ" and letter != " ") or marks > _MARKS_IN_A_ROW:
            raise Refused(errors.BAD_NAME, "A name may not hold control, direction or piled-up combining characters.")
    if not 1 <= len(name) <= MAX_NAME or unicodedata.category(name[0]).startswith("M"):
        raise Refused(errors.BAD_NAME)
    return name


def guest_name(player: str) -> str:
    """A name for somebody who gave none."""
    return f"Guest {player[:4]}"
