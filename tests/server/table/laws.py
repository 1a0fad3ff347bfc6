"""What holds at every table after every step, whatever happened."""

import re

import msgspec

from protocol.pushes import View
from server.table import acts
from server.table.acts import decode_entry, encode_entry
from server.table.due import deadline
from server.table.fold import Step, fold
from server.table.frames import Frames
from server.table.happened import happened
from server.table.state import Table
from server.table.views import encoded_view, view

_decode = msgspec.msgpack.Decoder(View).decode
_MOVE = re.compile(rb"keep|turn\b|show \d|scout (left|right)")


def holds(before: Table | None, step: Step) -> None:
    """Every law, for one step."""
    counts_by_one(before, step)
    folds_from_its_bytes(before, step)
    numbers_decisions_upwards(before, step)
    waits_for_somebody_with_a_deadline(step.table)
    frames = Frames(step.table, step.entry.at, 0, step.entry.by, step.transitions)
    for viewer in (None, *range(len(step.table.seats))):
        shown = view(step.table, viewer, step.entry.at, 0, step.entry.by, happened(step.transitions, viewer))
        assert frames.to(viewer) == encoded_view(shown), "what is put together from parts is what is built from nothing"
        shows_no_secrets(step.table, viewer, shown)
        shows_decisions_to_their_seats(step.table, viewer, shown)


def counts_by_one(before: Table | None, step: Step) -> None:
    assert step.table.version == (before.version if before else 0) + 1
    assert step.table.changed == step.entry.at >= (before.changed if before else 0)


def folds_from_its_bytes(before: Table | None, step: Step) -> None:
    assert fold(before, decode_entry(encode_entry(step.entry)), step.table.id) == step


def numbers_decisions_upwards(before: Table | None, step: Step) -> None:
    """A seat's number grows by one with each of its own moves, and with nothing else."""
    if before is None or not before.begun:
        return
    moved = [act.seat for act in step.entry.acts if isinstance(act, acts.Moved)]
    for index, (old, new) in enumerate(zip(before.seats, step.table.seats, strict=True)):
        assert new.decision == old.decision + moved.count(index)


def waits_for_somebody_with_a_deadline(table: Table) -> None:
    clocked = table.options.move_seconds is not None
    if table.status in ("revealing", "break") or (table.status == "running" and clocked):
        assert deadline(table) is not None
    if table.ended:
        assert deadline(table) is None
    if table.status == "running":
        assert table.to_act


def shows_no_secrets(table: Table, viewer: int | None, shown: View) -> None:
    data = encoded_view(shown)
    assert _decode(data) == shown
    secrets = [] if table.status == "over" else [table.seed]
    if not table.begun:
        secrets += [seat.nonce for seat in table.seats if seat.nonce is not None]
    for secret in secrets:
        assert secret not in data
        assert secret.hex().encode() not in data
    if table.invite is not None:
        assert (table.invite.encode() in data) == (viewer is not None)
    if table.share is not None:
        assert table.share.encode() not in data
    others = [event for event in shown.events if getattr(event, "seat", None) != viewer]
    assert not _MOVE.search(msgspec.msgpack.encode(others))


def shows_decisions_to_their_seats(table: Table, viewer: int | None, shown: View) -> None:
    asked = viewer is not None and table.status == "running" and viewer in table.game.actors
    if asked and viewer is not None and not table.seats[viewer].left:
        assert shown.decision == table.seats[viewer].decision
    else:
        assert shown.decision is None
