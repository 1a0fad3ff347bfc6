"""The minder: it plays for a seat whose player does not, with what that seat may know and no more."""

from server.table.state import Table


def minded_move(table: Table, seat: int) -> str:
    """The minder's move for a seat that is asked for one, in the game's notation."""
    rules = table.rules
    return rules.write(rules.minder_move(rules.observe(table.game, seat)))
