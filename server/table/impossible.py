"""What every act needs: a place at the table, and a condition that holds."""

from typing import Any

from msgspec.structs import replace

from server.table.state import Seat, Table


class Impossible(Exception):
    """An entry that cannot follow on what went before: the log is damaged or forged."""


def need(holds: bool, what: str) -> None:
    """Raise `Impossible`, with the rule that was broken, unless it holds."""
    if not holds:
        raise Impossible(what)


def seat_at(table: Table, index: int) -> Seat:
    """One seat. Raises `Impossible` where there is none."""
    need(0 <= index < len(table.seats), f"The table has no seat {index}.")
    return table.seats[index]


def with_seat(table: Table, index: int, **changes: Any) -> tuple[Seat, ...]:
    """All seats, one of them changed. Raises `Impossible` where there is none."""
    seat = replace(seat_at(table, index), **changes)
    return (*table.seats[:index], seat, *table.seats[index + 1 :])
