"""A step as the store takes it: the entry, a view for each audience, and where the table then stands."""

from collections.abc import Callable

from server.store.base import PUBLIC, Commit, Head
from server.table.acts import encode_entry
from server.table.due import deadline
from server.table.fold import Step
from server.table.happened import happened
from server.table.views import encoded_view, listing, view, wants


def sealed(step: Step, expected: Head | None, head: Head, grace: int) -> Commit:
    """The commit of a step that was decided on `expected`; no limit runs out before `grace`."""
    table, entry = step.table, step.entry

    def frame(viewer: int | None) -> Callable[[], bytes]:
        return lambda: encoded_view(view(table, viewer, entry.at, grace, entry.by, happened(step.transitions, viewer)))

    views = [(seat.player, frame(index)) for index, seat in enumerate(table.seats) if seat.player is not None]
    return Commit(
        table=table.id,
        expected=expected,
        head=head,
        entry=encode_entry(entry),
        views=[*views, (PUBLIC, frame(None))],
        deadline=deadline(table),
        listing=listing(table),
        wants=wants(table),
        finished=table.ended,
    )
