"""How a mistake of the server is logged: what kind and where, and nothing that it was about.

Messages and local variables of an error may hold tokens, seeds, invites or cards, so neither is ever written down.
"""

import traceback
from pathlib import PurePath

_FRAMES = 6


def fault(error: BaseException) -> str:
    """The kind of an error and where it came from, the innermost place first."""
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    places = [f"{PurePath(frame.filename).name}:{frame.lineno} {frame.name}" for frame in reversed(frames)]
    return " < ".join([type(error).__name__, *places])
