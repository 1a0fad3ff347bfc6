"""A step as the store takes it: the entry, a view for each audience, and where the table then stands."""

from functools import partial

from server.store.base import PUBLIC, Commit, Head
from server.table.acts import encode_entry
from server.table.due import deadline
from server.table.fold import Step
from server.table.frames import Frames
from server.table.views import listing, wants


def sealed(step: Step, expected: Head | None, head: Head, grace: int) -> Commit:
    """The commit of a step that was decided on `expected`; no limit runs out before `grace`."""
    table, entry = step.table, step.entry
    frames = Frames(table, entry.at, grace, entry.by, step.transitions)
    views = [
        (seat.player, partial(frames.to, index)) for index, seat in enumerate(table.seats) if seat.player is not None
    ]
    return Commit(
        table=table.id,
        expected=expected,
        head=head,
        entry=encode_entry(entry),
        views=[*views, (PUBLIC, partial(frames.to, None))],
        deadline=deadline(table),
        listing=listing(table),
        wants=wants(table),
        finished=table.ended,
    )
