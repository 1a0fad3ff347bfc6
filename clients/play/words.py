"""What a player may type, in words; and what the program offers to be typed."""

from typing import Final

from clients.terminal.sentences import COME_BACK
from protocol.pushes import View

HELP: Final = f"""\
  keep, turn            keep your hand as it was dealt, or turn all of it
  show 3-5              lay down your third to fifth card; show 3 for one card
  scout left 4          take the set's left card; it becomes your fourth card
  scout right turned 1  take the right card, turned, as your first card
  scout left 4 show 3-5 Scout & Show, once a round: the Show counts in the
                        hand as it is after the Scout
  legal                 list what you may do now
  next                  go on after a round's result
  bots                  ask for a bot on each free seat
  mind NAME             vote that the minder plays for somebody who has been
                        away for long, at a table without a limit; or mind 2
  table                 draw the table again
  rematch               after the match: play again with the same players
  leave                 leave the table for good
  quit                  end the program; `bigtop play` brings you back
  While the minder plays for you: {COME_BACK[0].lower()}{COME_BACK[1:]}"""
YOUR_TURN: Final = "Type a move, `legal` or `help`."
ORIENT: Final = "Keep or turn your hand: type `keep` or `turn`."
NEXT: Final = "Type `next` for the next round."
OFFER: Final = "Type `bots` to fill the free seats with bots."
REMATCH: Final = "Type `rematch` to play again, or `quit`."
JOIN: Final = "Type `rematch` to join it, or `quit`."
QUIT: Final = "quit"
LEAVE: Final = "leave"


def hints(view: View) -> list[str]:
    """What may be typed now, as far as a person needs to be told."""
    minded = view.you is not None and view.seats[view.you].minded
    orient = view.game is not None and view.game.phase == "orient"
    due = {
        ORIENT if orient else YOUR_TURN: view.decision is not None and not minded,
        NEXT: view.status == "break" and view.you is not None and not view.seats[view.you].next,
        OFFER: view.bots_offered,
        REMATCH: view.status == "over" and view.you is not None and view.rematch is None,
        JOIN: view.status == "over" and view.you is not None and view.rematch is not None,
    }
    return [hint for hint, holds in due.items() if holds]
