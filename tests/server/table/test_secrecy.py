"""Nobody is told what they may not know: two logs that differ only in what is hidden look alike."""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.game import CHANCE
from engine.games import game
from protocol.commands import Leave, Ready, Reveal
from protocol.pushes import View
from server.table import acts
from server.table.acts import AnyAct, Entry
from server.table.chain import commit
from server.table.fold import Step, fold
from server.table.frames import Frames
from server.table.happened import happened
from server.table.state import Table
from server.table.views import encoded_view, my_table, view
from tests.server.table.courses import (
    committed,
    every_number,
    finished,
    play_until,
    seated,
    started,
    told_nonce,
)
from tests.server.table.desk import ADA, BEN, CEM, INVITE, PEOPLE, SEED, TABLE, Desk

_decode = msgspec.msgpack.Decoder(View).decode
OTHER_SEED = b"\xff" * 32


def moves_of(steps: Sequence[Step]) -> list[tuple[int, str]]:
    """The course of the game, as (actor, notation)."""
    return [
        (act.seat if isinstance(act, acts.Moved) else CHANCE, act.move)
        for step in steps
        for act in step.entry.acts
        if isinstance(act, acts.Moved | acts.Chance)
    ]


def another_world(steps: Sequence[Step], viewer: int | None, random: Random) -> list[Step]:
    """The log with everything changed that `viewer` may not know: seed, codes, hidden cards, others' moves."""
    rules = game("scout")
    course = tuple((actor, rules.read(move)) for actor, move in moves_of(steps))
    players = len(steps[-1].table.seats)
    moves = iter(rules.redeal(course, players, "", viewer, random.randrange))

    def changed(act: AnyAct) -> AnyAct:
        if isinstance(act, acts.Moved | acts.Chance):
            return replace(act, move=rules.write(next(moves)[1]))
        if isinstance(act, acts.Created):
            invite = None if act.invite is None else act.invite if viewer is not None else "mnpq-rstv-wxyz"
            share = None if act.share is None else "mnpq-rstv-wxyz"
            return replace(act, seed=OTHER_SEED, commitment=commit(OTHER_SEED), invite=invite, share=share)
        return act

    table: Table | None = None
    other: list[Step] = []
    for step in steps:
        entry: Entry = replace(step.entry, acts=tuple(map(changed, step.entry.acts)))
        other.append(fold(table, entry, TABLE))
        table = other[-1].table
    return other


def seen(steps: Sequence[Step], viewer: int | None) -> list[bytes]:
    """All that is sent to a viewer, but for the three values that must differ between two seeds."""
    sent = []
    for step in steps:
        at = viewer if viewer is None or viewer < len(step.table.seats) else None
        shown = _decode(Frames(step.table, step.entry.at, 0, step.entry.by, step.transitions).to(at))
        sent.append(encoded_view(replace(shown, head="", commitment="", seed=None)))
        sent.append(msgspec.msgpack.encode(my_table(step.table, at) if at is not None else None))
    return sent


@every_number
def test_two_worlds_that_differ_in_what_is_hidden_look_alike(seats: int) -> None:
    random = Random(seats)
    desk = finished(*PEOPLE[:seats], nonces=seats % 2 == 0, private=True)
    for viewer in (None, *range(seats)):
        other = another_world(desk.steps, viewer, random)
        assert moves_of(other) != moves_of(desk.steps)
        assert seen(other, viewer) == seen(desk.steps, viewer)


@pytest.mark.slow
@every_number
def test_they_look_alike_at_every_stop_on_the_way(seats: int) -> None:
    """A log that ends anywhere leaves more open than the whole one."""
    random = Random(seats)
    desk = started(*PEOPLE[:seats])
    desk.say(PEOPLE[1], Leave)
    desk.wait(120_000)
    for end in random.sample(range(2 * seats + 1, len(desk.steps) + 1), 12):
        for viewer in (None, *range(seats)):
            other = another_world(desk.steps[:end], viewer, random)
            assert seen(other, viewer) == seen(desk.steps[:end], viewer)


def test_the_law_finds_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted one: the public is shown what the first seat sees."""
    desk = finished(ADA, BEN, CEM)
    other = another_world(desk.steps, None, Random(1))
    scout = type(game("scout"))
    public, own = scout.observe_public, scout.observe_own

    def leaking(self: Any, state: Any) -> dict[str, Any]:
        known = public(self, state)
        return known | dict(zip(scout.own, own(self, state, 0, known), strict=True))

    monkeypatch.setattr(scout, "observe_public", leaking)
    assert seen(other, None) != seen(desk.steps, None)


def test_nonces_are_shown_when_all_are_told_and_not_before() -> None:
    desk = seated(ADA, BEN)
    for index, person in enumerate((ADA, BEN)):
        desk.say(person, Ready, commitment=committed(desk, index))
    nonces = [told_nonce(desk, index) for index in (0, 1)]
    desk.say(ADA, Reveal, nonce=nonces[0].hex())
    for viewer in (None, 0, 1):
        assert [seat.nonce for seat in desk.view(viewer).seats] == [None, None]
    desk.say(BEN, Reveal, nonce=nonces[1].hex())
    assert [seat.nonce for seat in desk.view(None).seats] == [nonce.hex() for nonce in nonces]


def test_the_seed_is_shown_when_the_match_is_over_and_not_before() -> None:
    desk = finished(ADA, BEN)
    for step in desk.steps[:-1]:
        assert all(view(step.table, viewer, 0, 0).seed is None for viewer in (None, 0, 1))
    assert desk.view(None).seed == SEED.hex()


def test_a_match_that_was_broken_off_keeps_its_seed() -> None:
    desk = started(ADA, BEN)
    desk.happen(acts.Closed("abandoned"), by="server")
    assert desk.view(0).seed is None
    assert desk.view(0).closed == "abandoned"


def test_only_seats_are_shown_the_invite_code() -> None:
    desk = seated(ADA, BEN, private=True)
    assert desk.view(0).invite == INVITE
    assert desk.view(None).invite is None


def test_a_decision_number_is_shown_to_its_seat_only_and_to_nobody_who_left() -> None:
    desk = started(ADA, BEN, CEM)
    assert [desk.view(viewer).decision for viewer in (None, 0, 1, 2)] == [None, 1, 1, 1]
    desk.say(CEM, Leave)
    assert desk.view(2).decision is None
    assert 2 in desk.view(2).to_act
    assert [my_table(desk.table, seat).to_act for seat in (0, 1, 2)] == [True, True, False]
    play_until(desk, "break", "over")
    assert [desk.view(viewer).decision for viewer in (None, 0, 1, 2)] == [None] * 4


def test_a_move_is_told_in_its_notation_to_its_seat_only() -> None:
    desk = started(ADA, BEN, CEM)
    play_until(desk, "over")
    for step in desk.steps:
        for viewer in (None, 0, 1, 2):
            for event in happened(step.transitions, viewer):
                move = getattr(event, "move", None)
                assert (move is not None) == (hasattr(event, "move") and getattr(event, "seat", None) == viewer)


def test_kept_players_are_shown_by_name_only() -> None:
    desk = Desk(2, reserved=(ADA, BEN))
    assert [seat.reserved for seat in desk.view(None).seats] == ["Ada", "Ben"]
    assert BEN.id.encode() not in encoded_view(desk.view(0))
