"""Every reason for which SCOUT refuses a move, with the sentence that goes with it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.errors import IllegalMove

ILLEGAL: Final[Mapping[str, str]] = MappingProxyType(
    {
        "game_over": "The game is over.",
        "not_your_turn": "It is not your turn.",
        "wrong_phase": "This move does not belong to what the game waits for now.",
        "no_such_cards": "There are no such cards in the hand.",
        "not_a_set": "These cards are neither all equal nor a run.",
        "not_stronger": "The set does not beat the one on the table.",
        "nothing_to_scout": "No set lies on the table; you must show.",
        "one_card_set": "The set has one card; scout it from the left.",
        "no_such_gap": "There is no such place in the hand.",
        "no_tokens": "You have no scout token left.",
        "no_scout_show": "There is no Scout & Show with two players.",
        "scout_show_used": "You have used your Scout & Show in this round.",
        "wrong_start": "Another seat starts this round.",
        "wrong_cards": "The deal does not consist of the right cards.",
    }
)
"""The codes of `engine.errors.IllegalMove`; `game_over` and `not_your_turn` come from `engine.game.Game.check`."""

INVALID: Final[Mapping[str, str]] = MappingProxyType(
    {
        "too_long": "The text is too long for a move.",
        "bad_character": "A move consists of plain ASCII letters, figures, spaces and the signs - / |.",
        "unknown_move": "A move is one of: keep, turn, show 3-5, scout left 4, scout right turned 1, "
        "scout left 4 show 3-5.",
        "bad_show": "Write show 3-5 for the third to the fifth card, or show 3 for one card.",
        "bad_scout": "Write scout left 4 or scout right turned 1: the end, turned if it is to be turned, "
        "and the place in the hand.",
        "bad_deal": "Write deal, the starting seat, and for each hand its cards, as 7/2, and a |.",
    }
)
"""The codes of `engine.errors.InvalidMove`."""


def illegal(code: str) -> IllegalMove:
    """The refusal with this `code` and its sentence."""
    return IllegalMove(code, ILLEGAL[code])
