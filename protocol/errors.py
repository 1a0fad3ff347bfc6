"""Every error code of the protocol, with its meaning and whether trying again helps. Codes never change."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ErrorCode:
    """One error code.

    Attributes:
        code: the stable word.
        meaning: one sentence; the message of an error may say it more exactly.
        retry: whether the same command may succeed later without anything else changing hands.
    """

    code: str
    meaning: str
    retry: bool = False


BAD_MESSAGE = ErrorCode("bad_message", "The message does not have the form of its kind.")
UNKNOWN_KIND = ErrorCode("unknown_kind", "The server knows no command of this kind.")
HELLO_FIRST = ErrorCode("hello_first", "The first command must be hello.")
HELLO_TWICE = ErrorCode("hello_twice", "This connection has already said hello.")
TOKEN_UNKNOWN = ErrorCode("token_unknown", "The server does not know this token; start as a new guest.")
BAD_NAME = ErrorCode("bad_name", "A name has 1 to 24 visible characters.")
NOT_HOUSE = ErrorCode("not_house", "The house key is wrong.")
TOO_FAST = ErrorCode("too_fast", "You send commands too fast.", retry=True)
TOO_MANY_TABLES = ErrorCode("too_many_tables", "You have too many tables.")
ID_REUSED = ErrorCode("id_reused", "This id was used for another command.")
NO_SUCH_TABLE = ErrorCode("no_such_table", "There is no such table, or you need its invite code.")
TABLE_CLOSED = ErrorCode("table_closed", "The table is closed.")
NOT_SEATED = ErrorCode("not_seated", "You have no seat at this table.")
ALREADY_SEATED = ErrorCode("already_seated", "You already have a seat at this table.")
NO_FREE_SEAT = ErrorCode("no_free_seat", "No such seat is free.", retry=True)
NO_SUCH_SEAT = ErrorCode("no_such_seat", "The table has no such seat.")
SEAT_RESERVED = ErrorCode("seat_reserved", "The seat is kept for somebody else.", retry=True)
NOT_ALLOWED = ErrorCode("not_allowed", "You may not do that at this table.")
ALREADY_STARTED = ErrorCode("already_started", "The match has already started.")
NOT_STARTED = ErrorCode("not_started", "The match has not started yet.", retry=True)
NOT_OVER = ErrorCode("not_over", "The match is not over yet.", retry=True)
NO_REVEAL_DUE = ErrorCode("no_reveal_due", "No nonce is asked for.")
WRONG_NONCE = ErrorCode("wrong_nonce", "The nonce does not fit the commitment.")
NO_DECISION = ErrorCode("no_decision", "Nothing is asked of you now.", retry=True)
STALE_DECISION = ErrorCode("stale_decision", "This decision has already been made.")
INVALID_MOVE = ErrorCode("invalid_move", "That is no move of this game.")
ILLEGAL_MOVE = ErrorCode("illegal_move", "The rules do not allow this move now.")
NO_BREAK = ErrorCode("no_break", "No round result of that number is waiting to be read.")
NOT_AWAY = ErrorCode("not_away", "That seat's player has not been away for long enough.", retry=True)
VERSION_AHEAD = ErrorCode("version_ahead", "The table has no such version yet.")
GOING_AWAY = ErrorCode("going_away", "The server is stopping; connect again.", retry=True)
STORE_DOWN = ErrorCode("store_down", "The server cannot reach its store.", retry=True)
INTERNAL = ErrorCode("internal", "The server made a mistake; the command changed nothing.", retry=True)

ERRORS: tuple[ErrorCode, ...] = tuple(value for value in list(globals().values()) if isinstance(value, ErrorCode))
"""All error codes, in the order of this file."""
