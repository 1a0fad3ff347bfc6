"""What clients out there rely on, written down a second time: whoever changes it does so on purpose."""

from typing import Final

COMMAND_FIELDS: Final = {
    "hello": "id token name bot house agent",
    "ping": "id",
    "lobby": "id follow",
    "create": "id options seat bots level",
    "quick": "id game seats",
    "serve_bots": "id levels",
    "watch": "id table invite",
    "sit": "id table seat invite",
    "stand": "id table seat",
    "ask_bot": "id table seat level",
    "ready": "id table commitment",
    "reveal": "id table nonce",
    "play": "id table decision move",
    "next": "id table round",
    "leave": "id table",
    "mind": "id table seat",
    "rematch": "id table",
    "events": "id table since limit",
    "legal": "id table offset limit",
}
MESSAGE_FIELDS: Final = {
    "welcome": "server limits public_url",
    "session": "re player name token tables",
    "pong": "re",
    "done": "re table version seat invite",
    "error": "re code message detail retry after_ms",
    "view": (
        "table version head status options quick commitment seed invite seats you decision to_act deadline_ms "
        "bots_offered rematch closed game by events"
    ),
    "presence": "table seats spectators",
    "events": "re table since steps more",
    "legal": "re table decision moves more",
    "lobby": "re tables",
    "bot_wanted": "table seat level invite",
    "closed": "table reason",
    "going_away": "reason after_ms",
}
EVENT_FIELDS: Final = {
    "created": "",
    "sat": "seat name bot",
    "stood": "seat reason",
    "bot_asked": "seat level",
    "bots_offered": "",
    "readied": "seat commitment",
    "reveal_asked": "",
    "revealed": "seat",
    "started": "seats",
    "minded": "seat reason",
    "back": "seat",
    "said_next": "seat",
    "voted": "seat against",
    "rematch_made": "seat table",
    "table_closed": "reason",
    "dealt": "round start cards",
    "chose": "seat move",
    "showed": "seat cards captured move",
    "scouted": "seat card right owner token move",
    "scout_showed": "seat card right owner cards captured move",
    "round_over": "result",
    "game_over": "points winners",
}
PART_FIELDS: Final = {
    "TableOptions": "game seats private move_seconds",
    "Limits": "frame_bytes commands_per_second burst hello_ms",
    "MyTable": "table seat status to_act",
    "TableSeat": "name player bot asked ready commitment nonce minded left next votes reserved",
    "ScoutView": "viewer round rounds phase start turn hand turned active owner scouts gone seats results winners",
    "ScoutSeat": "cards captured tokens scout_show chosen held points",
    "RoundResult": "round reason ender captured tokens hand waived scores",
    "Step": "version head by events",
    "LobbyTable": "table status options seats spectators age_s",
    "LobbySeat": "name bot",
}
ERROR_CODES: Final = {
    "bad_message": False,
    "unknown_kind": False,
    "hello_first": False,
    "hello_twice": False,
    "token_unknown": False,
    "bad_name": False,
    "not_house": False,
    "too_fast": True,
    "too_many_tables": False,
    "id_reused": False,
    "no_such_table": False,
    "table_closed": False,
    "not_seated": False,
    "already_seated": False,
    "no_free_seat": True,
    "no_such_seat": False,
    "seat_reserved": True,
    "not_allowed": False,
    "already_started": False,
    "not_started": True,
    "not_over": True,
    "no_reveal_due": False,
    "wrong_nonce": False,
    "no_decision": True,
    "stale_decision": False,
    "invalid_move": False,
    "illegal_move": False,
    "no_break": False,
    "not_away": True,
    "version_ahead": False,
    "going_away": True,
    "store_down": True,
    "internal": True,
}
CLOSE_NUMBERS: Final = {
    4000: "going_away",
    4001: "too_slow",
    4002: "silent",
    4003: "internal",
    4004: "full",
    4100: "token_unknown",
    4500: "bad_frame",
    4501: "no_subprotocol",
    4502: "frame_too_large",
    4503: "flooding",
}
LIMITS: Final = {
    "SUBPROTOCOL_MSGPACK": "bigtop.v1.msgpack",
    "SUBPROTOCOL_JSON": "bigtop.v1.json",
    "MAX_FRAME_BYTES": 16384,
    "MAX_DEPTH": 8,
    "MAX_INTEGER": 9007199254740991,
    "MAX_SEATS": 5,
    "MAX_MOVE_CHARS": 64,
    "MAX_LEGAL_MOVES": 2000,
    "MAX_EVENT_STEPS": 200,
    "MAX_LOBBY_TABLES": 100,
    "DEFAULT_MOVE_SECONDS": 60,
    "CORRESPONDENCE_SECONDS": 3600,
}
ANSWERED: Final = {
    "hello": "session",
    "ping": "pong",
    "lobby": "lobby",
    "events": "events",
    "legal": "legal",
}
PUSHED: Final = ["welcome", "view", "presence", "lobby", "bot_wanted", "closed", "going_away"]

EXPORTS: Final = {
    "__init__": "",
    "asyncapi": "SCHEMA_FILE SCHEMA_FORMAT asyncapi",
    "closing": (
        "BAD_FRAME CLOSE_CODES CloseCode FLOODING FRAME_TOO_LARGE FULL GOING_AWAY INTERNAL NO_SUBPROTOCOL "
        "SILENT TOKEN_UNKNOWN TOO_SLOW"
    ),
    "codec": "Codec JsonCodec MessageError MsgpackCodec SUBPROTOCOLS codec_for transcode",
    "commands": (
        "AnyCommand AnyTableCommand AskBot Command Create Events Hello Leave Legal Lobby Mind Next Ping Play "
        "Quick Ready Rematch Reveal ServeBots Sit Stand TableCommand Watch"
    ),
    "document": "files main page",
    "errors": (
        "ALREADY_SEATED ALREADY_STARTED BAD_MESSAGE BAD_NAME ERRORS ErrorCode GOING_AWAY HELLO_FIRST "
        "HELLO_TWICE ID_REUSED ILLEGAL_MOVE INTERNAL INVALID_MOVE NOT_ALLOWED NOT_AWAY NOT_HOUSE NOT_OVER "
        "NOT_SEATED NOT_STARTED NO_BREAK NO_DECISION NO_FREE_SEAT NO_REVEAL_DUE NO_SUCH_SEAT NO_SUCH_TABLE "
        "SEAT_RESERVED STALE_DECISION STORE_DOWN TABLE_CLOSED TOKEN_UNKNOWN TOO_FAST TOO_MANY_TABLES "
        "UNKNOWN_KIND VERSION_AHEAD WRONG_NONCE"
    ),
    "example_views": (
        "ADA BEN BREAK CLOWN COMMITMENT COMMITMENT_ADA COMMITMENT_BEN INVITE NONCE_ADA NONCE_BEN OPEN OPTIONS "
        "ORIENT OVER ROUND_1 ROUND_2 ROUND_3 SEATS SEATS_OPEN SEED TABLE TURN WATCHED head"
    ),
    "examples": "COMMAND_EXAMPLES EVENT_EXAMPLES Example MESSAGE_EXAMPLES NEXT_TABLE PUBLIC_TABLE TOKEN",
    "frames": "COMMAND_LIMITS FrameError FrameLimits MESSAGE_LIMITS read_json read_msgpack",
    "guide": "GUIDE LIMITS",
    "kinds": "ANSWERS COMMANDS EVENTS MESSAGES PUSHES",
    "options": "TableOptions",
    "pushes": (
        "AnyEvent AnyMessage AnyPush AnyReply BotWanted Closed Done Error EventLog GoingAway LegalMoves "
        "Limits LobbyPage LobbySeat LobbyTable Message Milliseconds MyTable Pong Presence Session Step "
        "TableSeat View Welcome"
    ),
    "rendering": "NAMED_VALUES WIDTH field_table form_in_words hexadecimal pretty table",
    "schema": "DIALECT field_descriptions json_schema structs summary",
    "scout": (
        "AnyScoutEvent Chose Count Dealt GameOver RoundOver RoundResult ScoutEvent ScoutSeat ScoutShowed "
        "ScoutView Scouted Showed"
    ),
    "table_events": (
        "AnyTableEvent Back BotAsked BotsOffered Created Minded Readied RematchMade RevealAsked Revealed "
        "SaidNext Sat Started Stood TableClosed TableEvent Voted"
    ),
    "values": (
        "By CORRESPONDENCE_SECONDS Card CommandId DEFAULT_MOVE_SECONDS Decision GameName Hex32 Invite Level "
        "MAX_DEPTH MAX_EVENT_STEPS MAX_FRAME_BYTES MAX_INTEGER MAX_LEGAL_MOVES MAX_LOBBY_TABLES "
        "MAX_MOVE_CHARS MAX_SEATS Name PlayerId SUBPROTOCOL_JSON SUBPROTOCOL_MSGPACK Seat Status TableId "
        "Token Version"
    ),
}
