"""The dialogue alone: values in, values out."""

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from clients.dialogue import MAX_TRIES, Dialogue, Later, Phase, Replied, Resumed, Who
from clients.errors import Refused, Stopped
from protocol import errors
from protocol.closing import CLOSE_CODES
from protocol.commands import AnyCommand, Create, Hello, Leave, Lobby, Play, Reveal, ServeBots, Sit, Watch
from protocol.pushes import Closed, Done, Error, GoingAway, LobbyPage, MyTable, Presence, View
from tests.clients.script import TABLE, TOKEN, WELCOME, session
from tests.clients.views import table_view

PLAY = Play(id="play", table=TABLE, decision=1, move="keep")


def make(token: str | None = None) -> Dialogue:
    ids: Iterator[int] = count(1)
    who = Who(name="Ada", bot=True, house="key", agent="test")
    return Dialogue(who, token=token, make_id=lambda: f"id{next(ids)}", make_nonce=lambda n: bytes(n))


def greet(dialogue: Dialogue, *, token: str | None = TOKEN, tables: tuple[MyTable, ...] = ()) -> Hello:
    """Bring a dialogue to READY; the commands that it sends there stay in it."""
    dialogue.opened()
    dialogue.received(WELCOME)
    (hello,) = dialogue.outgoing()
    assert isinstance(hello, Hello)
    dialogue.received(session(hello.id, token=token, tables=tables))
    return hello


def ready(token: str | None = None) -> Dialogue:
    dialogue = make(token)
    greet(dialogue)
    dialogue.happened()
    return dialogue


def refusal(re: str | None, code: errors.ErrorCode, after_ms: int | None = None) -> Error:
    return Error(re=re, code=code.code, message=code.meaning, retry=code.retry, after_ms=after_ms)


def reconnect(dialogue: Dialogue, code: int | None = 4000) -> list[AnyCommand]:
    """What is sent after the next `session`."""
    dialogue.lost(code)
    greet(dialogue, token=None)
    return dialogue.outgoing()


class TestHello:
    def test_the_server_speaks_first(self) -> None:
        dialogue = make()
        dialogue.opened()
        assert dialogue.outgoing() == []
        dialogue.received(WELCOME)
        assert [type(command) for command in dialogue.outgoing()] == [Hello]

    def test_hello_says_who_is_there(self) -> None:
        hello = greet(make(TOKEN))
        assert (hello.token, hello.name, hello.bot, hello.house, hello.agent) == (TOKEN, "Ada", True, "key", "test")

    def test_a_new_token_is_kept_and_the_name_is_said_once(self) -> None:
        dialogue = ready()
        assert dialogue.token == TOKEN
        dialogue.lost(None)
        hello = greet(dialogue, token=None)
        assert (hello.token, hello.name) == (TOKEN, None)
        assert dialogue.token == TOKEN

    def test_a_session_or_welcome_out_of_turn_changes_nothing(self) -> None:
        dialogue = ready()
        dialogue.received(WELCOME)
        dialogue.received(session("other", token="x" * 32))
        assert (dialogue.outgoing(), dialogue.happened(), dialogue.token) == ([], [], TOKEN)

    def test_an_unknown_token_starts_afresh(self) -> None:
        dialogue = make(TOKEN)
        dialogue.opened()
        dialogue.received(WELCOME)
        (hello,) = dialogue.outgoing()
        dialogue.received(refusal(hello.id, errors.TOKEN_UNKNOWN))
        assert dialogue.hang_up
        dialogue.lost(4100)
        hello = greet(dialogue, token="n" * 32)
        assert (hello.token, hello.name) == (None, "Ada")
        (resumed,) = dialogue.happened()
        assert isinstance(resumed, Resumed)
        assert resumed.afresh
        assert not dialogue.hang_up

    def test_a_refusal_that_passes_is_waited_for(self) -> None:
        dialogue = make()
        dialogue.opened()
        dialogue.received(WELCOME)
        dialogue.received(refusal(dialogue.outgoing()[0].id, errors.STORE_DOWN, 700))
        assert (dialogue.hang_up, dialogue.after_ms, dialogue.stopped) == (True, 700, False)

    def test_another_refusal_stops(self) -> None:
        dialogue = make()
        dialogue.opened()
        dialogue.received(WELCOME)
        dialogue.received(refusal(dialogue.outgoing()[0].id, errors.BAD_NAME))
        assert dialogue.stopped
        assert isinstance(dialogue.failure, Refused)
        dialogue.lost(4000)
        assert dialogue.stopped


class TestCommands:
    def test_a_command_waits_for_the_session(self) -> None:
        dialogue = make()
        dialogue.ask(PLAY)
        assert dialogue.outgoing() == []
        greet(dialogue)
        assert dialogue.outgoing() == [PLAY]

    def test_an_answer_is_told_once(self) -> None:
        dialogue = ready()
        dialogue.ask(PLAY)
        done = Done(re=PLAY.id, table=TABLE)
        dialogue.received(done)
        dialogue.received(done)
        assert dialogue.happened() == [Replied(done)]

    def test_unanswered_commands_are_sent_again_in_order_with_the_same_ids(self) -> None:
        dialogue = ready()
        other = Leave(id="leave", table="othertable00")
        dialogue.ask(PLAY)
        dialogue.ask(other)
        assert dialogue.outgoing() == [PLAY, other]
        assert reconnect(dialogue) == [PLAY, other]
        dialogue.received(Done(re=PLAY.id))
        assert reconnect(dialogue, None) == [other]

    def test_a_command_that_nobody_waits_for_is_not_sent_again(self) -> None:
        dialogue = ready()
        dialogue.ask(PLAY)
        dialogue.forget(PLAY.id)
        assert reconnect(dialogue) == []

    @pytest.mark.parametrize("code", [errors.TOO_FAST, errors.STORE_DOWN, errors.GOING_AWAY, errors.INTERNAL])
    def test_a_refusal_that_passes_has_it_sent_later(self, code: errors.ErrorCode) -> None:
        dialogue = ready()
        dialogue.ask(PLAY)
        dialogue.outgoing()
        dialogue.received(refusal(PLAY.id, code, 250))
        assert dialogue.happened() == [Later(PLAY.id, 250, 1)]
        dialogue.again(PLAY.id)
        dialogue.again(PLAY.id)
        assert dialogue.outgoing() == [PLAY]

    def test_such_a_refusal_is_told_in_the_end(self) -> None:
        dialogue = ready()
        dialogue.ask(PLAY)
        for _ in range(MAX_TRIES):
            dialogue.received(refusal(PLAY.id, errors.STORE_DOWN))
            dialogue.again(PLAY.id)
        assert isinstance(dialogue.happened()[-1], Replied)
        dialogue.again(PLAY.id)
        dialogue.outgoing()
        assert reconnect(dialogue) == []

    def test_later_is_nothing_while_offline(self) -> None:
        dialogue = ready()
        dialogue.ask(PLAY)
        dialogue.outgoing()
        dialogue.received(refusal(PLAY.id, errors.GOING_AWAY))
        dialogue.lost(4000)
        dialogue.again(PLAY.id)
        assert dialogue.outgoing() == []
        greet(dialogue)
        assert dialogue.outgoing() == [PLAY]

    def test_an_error_without_id_is_not_an_answer(self) -> None:
        dialogue = ready()
        dialogue.ask(PLAY)
        dialogue.received(refusal(None, errors.BAD_MESSAGE))
        assert dialogue.happened() == []
        dialogue.outgoing()
        assert reconnect(dialogue) == [PLAY]

    def test_commands_of_a_player_who_was_forgotten_are_refused(self) -> None:
        dialogue = ready()
        dialogue.ask(PLAY)
        dialogue.lost(4100)
        (replied,) = dialogue.happened()
        assert isinstance(replied, Replied)
        assert isinstance(replied.reply, Error)
        assert replied.reply.code == errors.TOKEN_UNKNOWN.code
        greet(dialogue)
        assert dialogue.outgoing() == []


class TestCloseCodes:
    @pytest.mark.parametrize("close", [code for code in CLOSE_CODES if code.resume], ids=lambda code: code.name)
    def test_resume(self, close: object) -> None:
        dialogue = ready()
        dialogue.lost(getattr(close, "code"))  # noqa: B009
        assert dialogue.phase is Phase.OFFLINE
        assert dialogue.token == TOKEN

    def test_afresh(self) -> None:
        dialogue = ready()
        dialogue.lost(4199)
        assert dialogue.phase is Phase.OFFLINE
        assert dialogue.token is None
        dialogue.lost(4199)
        assert dialogue.phase is Phase.OFFLINE

    @pytest.mark.parametrize("code", [4500, 4503, 4599])
    def test_stop(self, code: int) -> None:
        dialogue = ready()
        dialogue.ask(PLAY)
        dialogue.lost(code)
        assert dialogue.outgoing() == []
        assert isinstance(dialogue.failure, Stopped)
        assert dialogue.failure.code == code

    @pytest.mark.parametrize("code", [None, 1000, 1001, 1006, 1011, 4321])
    def test_anything_else_resumes(self, code: int | None) -> None:
        dialogue = ready()
        dialogue.lost(code)
        assert dialogue.phase is Phase.OFFLINE

    def test_going_away_says_when_to_come_back(self) -> None:
        dialogue = ready()
        push = GoingAway(reason="restart", after_ms=150)
        dialogue.received(push)
        assert dialogue.happened() == [push]
        assert dialogue.after_ms == 150
        dialogue.opened()
        assert dialogue.after_ms == 0


class TestFollowing:
    def answer(self, dialogue: Dialogue, command: AnyCommand, **fields: Any) -> None:
        dialogue.ask(command)
        dialogue.outgoing()
        dialogue.received(Done(re=command.id, **fields))

    def test_watched_tables_are_asked_for_again(self) -> None:
        dialogue = ready()
        self.answer(dialogue, Watch(id="w", table=TABLE, invite="secret-code"), table=TABLE)
        self.answer(dialogue, Create(id="c", seat=None), table="othertable00", invite="another-code")
        again = reconnect(dialogue)
        assert [(type(w), getattr(w, "table", ""), getattr(w, "invite", "")) for w in again] == [
            (Watch, TABLE, "secret-code"),
            (Watch, "othertable00", "another-code"),
        ]

    def test_the_own_tables_come_by_themselves(self) -> None:
        dialogue = ready()
        self.answer(dialogue, Sit(id="s", table=TABLE), table=TABLE)
        dialogue.lost(None)
        greet(dialogue, tables=(MyTable(table=TABLE, seat=0, status="running", to_act=True),))
        assert dialogue.outgoing() == []

    def test_a_watch_in_flight_is_asked_once(self) -> None:
        dialogue = ready()
        watch = Watch(id="w", table=TABLE)
        self.answer(dialogue, watch, table=TABLE)
        again = Watch(id="w2", table=TABLE)
        dialogue.ask(again)
        dialogue.outgoing()
        assert reconnect(dialogue) == [again]

    def test_a_table_that_is_left_or_closed_is_forgotten(self) -> None:
        dialogue = ready()
        self.answer(dialogue, Watch(id="w", table=TABLE), table=TABLE)
        self.answer(dialogue, Leave(id="l", table=TABLE), table=TABLE)
        self.answer(dialogue, Watch(id="w2", table=TABLE), table=TABLE)
        dialogue.received(Closed(table=TABLE, reason="empty"))
        assert reconnect(dialogue) == []

    def test_a_table_that_is_gone_after_a_reconnect_counts_as_closed(self) -> None:
        dialogue = ready()
        self.answer(dialogue, Watch(id="w", table=TABLE), table=TABLE)
        (watch,) = reconnect(dialogue)
        dialogue.happened()
        dialogue.received(refusal(watch.id, errors.NO_SUCH_TABLE))
        assert dialogue.happened() == [Closed(table=TABLE, reason="no_such_table")]
        assert reconnect(dialogue) == []

    def test_what_is_kept_for_a_connection_only_is_asked_for_again(self) -> None:
        dialogue = ready()
        self.answer(dialogue, ServeBots(id="b", levels=("greedy",)))
        dialogue.ask(Lobby(id="l", follow=True))
        dialogue.received(LobbyPage(re="l", tables=()))
        dialogue.outgoing()
        offer, lobby = reconnect(dialogue)
        assert isinstance(offer, ServeBots)
        assert offer.levels == ("greedy",)
        assert isinstance(lobby, Lobby)
        assert lobby.follow

    def test_pushes_are_told(self) -> None:
        dialogue = ready()
        page = LobbyPage(re=None, tables=())
        presence = Presence(table=TABLE, seats=(True,), spectators=2)
        dialogue.received(page)
        dialogue.received(presence)
        assert dialogue.happened() == [page, presence]

    def test_an_older_view_never_follows_a_newer_one(self) -> None:
        dialogue = ready()
        for version in (3, 5, 4, 5):
            dialogue.received(table_view(version=version))
        seen = [happening.version for happening in dialogue.happened() if isinstance(happening, View)]
        assert seen == [3, 5, 5]


class TestNonces:
    def revealing(self, commitment: str) -> View:
        return table_view(version=9, status="revealing", you=1, commitments=(None, commitment))

    def test_the_nonce_is_told_once_when_asked_for(self) -> None:
        dialogue = ready()
        commitment = dialogue.nonces.commit(TABLE)
        dialogue.received(self.revealing(commitment))
        dialogue.received(self.revealing(commitment))
        (reveal,) = dialogue.outgoing()
        assert isinstance(reveal, Reveal)
        assert reveal.nonce == bytes(32).hex()
        assert reconnect(dialogue) == [reveal]
        dialogue.happened()
        dialogue.received(Done(re=reveal.id))
        assert dialogue.happened() == []

    def test_a_commitment_stays_until_its_nonce_is_told(self) -> None:
        dialogue = ready()
        commitment = dialogue.nonces.commit(TABLE)
        assert dialogue.nonces.commit(TABLE) == commitment
        dialogue.received(self.revealing(commitment))
        dialogue.nonces.forget(TABLE)
        dialogue.received(self.revealing(commitment))
        assert len(dialogue.outgoing()) == 1

    def test_another_commitment_is_not_answered(self) -> None:
        dialogue = ready()
        dialogue.nonces.commit(TABLE)
        dialogue.received(self.revealing("f" * 64))
        dialogue.received(table_view(version=9, status="revealing", you=None))
        assert dialogue.outgoing() == []

    def test_a_new_nonce_for_a_new_attempt(self) -> None:
        made = iter(range(256))
        dialogue = Dialogue(Who(), token=None, make_id=lambda: "id", make_nonce=lambda n: bytes([next(made)] * n))
        greet(dialogue)
        first = dialogue.nonces.commit(TABLE)
        dialogue.received(self.revealing(first))
        assert dialogue.nonces.commit(TABLE) != first
