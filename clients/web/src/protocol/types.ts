// Made from docs/protocol/schema.json by `npm run types`.

/** What a client may say. */
export type AnyCommand = Hello | Ping | Lobby | Create | Quick | ServeBots | Watch | Sit | Stand | AskBot | Ready | Reveal | Play | Next | Leave | Mind | Rematch | Events | Legal;

/** What a server may say. */
export type AnyMessage = Welcome | Session | Pong | Done | Error | View | Presence | EventLog | LegalMoves | LobbyPage | BotWanted | Closed | GoingAway;

/** The first frame of every connection: who is there. Answered with `session`.
 *
 * With a token it resumes: the player's seats are theirs again, and a view of each of their tables follows. Without one a new guest is made. */
export interface Hello {
  /** Always `hello`. */
  kind: "hello";
  /** Made by the client, new for each command. */
  id: string;
  /** From an earlier `session`; null for a new guest. */
  token?: string | null;
  /** How the player wants to be called; null keeps the name, or has the server choose one. */
  name?: string | null;
  /** The player is a program, and is shown as one. */
  bot?: boolean;
  /** The key of the server's own bots; null for everybody else. */
  house?: string | null;
  /** The client's name and version, for the server's operator. */
  agent?: string;
}

/** Asks for a sign of life. Answered with `pong`. */
export interface Ping {
  /** Always `ping`. */
  kind: "ping";
  /** Made by the client, new for each command. */
  id: string;
}

/** Asks for the page of public tables. Answered with `lobby`. */
export interface Lobby {
  /** Always `lobby`. */
  kind: "lobby";
  /** Made by the client, new for each command. */
  id: string;
  /** Also send the page whenever it changes, at most once a second, until `lobby` with false. */
  follow?: boolean;
}

/** Creates a table. Answered with `done`, which names it; its view follows. */
export interface Create {
  /** Always `create`. */
  kind: "create";
  /** Made by the client, new for each command. */
  id: string;
  /** What kind of table. */
  options?: TableOptions;
  /** Where the creator sits down; null to stay a spectator. */
  seat?: number | null;
  /** For how many of the other seats a bot is asked, the last seats first. */
  bots?: number;
  /** Which kind of bot. */
  level?: string;
}

/** What a table is created with. */
export interface TableOptions {
  /** The game. */
  game?: "scout";
  /** How many seats the table has. */
  seats?: number;
  /** Only whoever has the invite code finds, joins or watches it, and its record stays with its seats. */
  private?: boolean;
  /** The limit for each move and each orientation choice, 5 seconds to 30 days; null for none. From an hour on, and without a limit, the table is played by correspondence. */
  move_seconds?: number | null;
}

/** Sits down at a public table that waits for players and whose people are present, or at a new one.
 *
 * Answered with `done`, which names table and seat. The client then says `ready`. A full table starts after 10 s with those who are ready; after 20 s of waiting, bots are offered. */
export interface Quick {
  /** Always `quick`. */
  kind: "quick";
  /** Made by the client, new for each command. */
  id: string;
  /** The game. */
  game?: "scout";
  /** For how many players; null for any number. */
  seats?: number | null;
}

/** Offers to fill seats that ask for a bot; answered with `done`, then with `bot_wanted` for each such seat.
 *
 * The house bots hear of every table, other bots of public ones. */
export interface ServeBots {
  /** Always `serve_bots`. */
  kind: "serve_bots";
  /** Made by the client, new for each command. */
  id: string;
  /** The kinds of bot on offer, best first. */
  levels: readonly (string)[];
}

/** Asks for the views of a table, as its seat or as a spectator. Answered with `done`; the newest view follows. */
export interface Watch {
  /** Always `watch`. */
  kind: "watch";
  /** Made by the client, new for each command. */
  id: string;
  /** The table it is for. */
  table: string;
  /** The code of a private table; not needed by its seats. */
  invite?: string | null;
}

/** Takes a free seat before the start. The player then also gets its views. */
export interface Sit {
  /** Always `sit`. */
  kind: "sit";
  /** Made by the client, new for each command. */
  id: string;
  /** The table it is for. */
  table: string;
  /** Which seat; null for the first free one. */
  seat?: number | null;
  /** The code of a private table. */
  invite?: string | null;
}

/** Gives up a seat before the start. */
export interface Stand {
  /** Always `stand`. */
  kind: "stand";
  /** Made by the client, new for each command. */
  id: string;
  /** The table it is for. */
  table: string;
  /** A seat held by, or asked for, a bot, to free it again; null for the own seat. */
  seat?: number | null;
}

/** Asks for a bot on a free seat before the start; for those who sit there, and for the creator. */
export interface AskBot {
  /** Always `ask_bot`. */
  kind: "ask_bot";
  /** Made by the client, new for each command. */
  id: string;
  /** The table it is for. */
  table: string;
  /** Which seat; null for the first free one. */
  seat?: number | null;
  /** Which kind of bot; empty for any. */
  level?: string;
}

/** Says that this seat is ready. The match starts when all seats are taken and ready. */
export interface Ready {
  /** Always `ready`. */
  kind: "ready";
  /** Made by the client, new for each command. */
  id: string;
  /** The table it is for. */
  table: string;
  /** SHA-256 of 32 random bytes of the client's own, which then go into every shuffle; they are asked for with status `revealing` and told with `reveal`. Null to leave the shuffles to the others. */
  commitment?: string | null;
}

/** Tells the 32 bytes that were committed to with `ready`, within 10 s after all were ready. */
export interface Reveal {
  /** Always `reveal`. */
  kind: "reveal";
  /** Made by the client, new for each command. */
  id: string;
  /** The table it is for. */
  table: string;
  /** The 32 bytes. */
  nonce: string;
}

/** Makes a move. */
export interface Play {
  /** Always `play`. */
  kind: "play";
  /** Made by the client, new for each command. */
  id: string;
  /** The table it is for. */
  table: string;
  /** The number of the decision that it answers, from the view. A move for an earlier one is stale. */
  decision: number;
  /** In the game's notation, for example `show 3-5`. */
  move: string;
}

/** Asks for the next round. It is dealt when all present people have asked, or after 20 s. */
export interface Next {
  /** Always `next`. */
  kind: "next";
  /** Made by the client, new for each command. */
  id: string;
  /** The table it is for. */
  table: string;
  /** The round whose result was read, from 1. */
  round: number;
}

/** Leaves for good: a seat before the start is freed, one in a running match is minded to the end; a spectator gets no more views. */
export interface Leave {
  /** Always `leave`. */
  kind: "leave";
  /** Made by the client, new for each command. */
  id: string;
  /** The table it is for. */
  table: string;
}

/** Votes, at a table without a limit, to have a seat minded whose player has been away for 10 minutes. */
export interface Mind {
  /** Always `mind`. */
  kind: "mind";
  /** Made by the client, new for each command. */
  id: string;
  /** The table it is for. */
  table: string;
  /** The seat whose player is away. */
  seat: number;
}

/** Asks for another match with the same seats, once this one is over. Answered with `done`, which names the new table, where the asker sits in the old seat; bots are asked again. */
export interface Rematch {
  /** Always `rematch`. */
  kind: "rematch";
  /** Made by the client, new for each command. */
  id: string;
  /** The table it is for. */
  table: string;
}

/** Asks for what happened since a version, as this player may know it. Answered with `events`. */
export interface Events {
  /** Always `events`. */
  kind: "events";
  /** Made by the client, new for each command. */
  id: string;
  /** The table it is for. */
  table: string;
  /** The last version that is known. */
  since?: number;
  /** The most steps wanted. */
  limit?: number;
}

/** Asks for the moves that are open to the own seat. Answered with `legal`. */
export interface Legal {
  /** Always `legal`. */
  kind: "legal";
  /** Made by the client, new for each command. */
  id: string;
  /** The table it is for. */
  table: string;
  /** How many moves to leave out first. */
  offset?: number;
  /** The most moves wanted. */
  limit?: number;
}

/** The first message on every connection. */
export interface Welcome {
  /** Always `welcome`. */
  kind: "welcome";
  /** The server's name and version. */
  server: string;
  /** What it takes. */
  limits: Limits;
  /** The address to be named in links to this server, without a slash at its end; null where its operator named none, and then the address of this connection has to do. */
  public_url?: string | null;
}

/** What the server takes. */
export interface Limits {
  /** The largest frame. */
  frame_bytes: number;
  /** How many commands a connection may send in the long run. */
  commands_per_second: number;
  /** How many at once. */
  burst: number;
  /** How long the server waits for `hello`. */
  hello_ms: number;
}

/** Answers `hello`. */
export interface Session {
  /** Always `session`. */
  kind: "session";
  /** The command's id. */
  re: string;
  /** The player's public id. */
  player: string;
  /** The player's name. */
  name: string;
  /** The secret that resumes this player's seats; only when it is new. */
  token: string | null;
  /** Where the player sits; a view of each follows. */
  tables: readonly (MyTable)[];
}

/** A table at which the player sits. */
export interface MyTable {
  /** Which. */
  table: string;
  /** The own seat there. */
  seat: number;
  /** What it waits for. */
  status: "break" | "closed" | "open" | "over" | "revealing" | "running";
  /** Whether it waits for the player. */
  to_act: boolean;
}

/** Answers `ping`. */
export interface Pong {
  /** Always `pong`. */
  kind: "pong";
  /** The command's id. */
  re: string;
}

/** The command was carried out, and what it changed is stored. */
export interface Done {
  /** Always `done`. */
  kind: "done";
  /** The command's id. */
  re: string;
  /** The table it concerned, if any. */
  table?: string | null;
  /** The table's version that it made, or that it found where it had nothing to change. */
  version?: number | null;
  /** The player's seat there, if any. */
  seat?: number | null;
  /** The code of a private table, for those who may know it. */
  invite?: string | null;
}

/** The command was refused and changed nothing. */
export interface Error {
  /** Always `error`. */
  kind: "error";
  /** The command's id; null when the frame had none that could be read. */
  re: string | null;
  /** A stable word; see the list of error codes. */
  code: string;
  /** One sentence for a person. */
  message: string;
  /** For `illegal_move` and `invalid_move` the engine's own stable word, for example `not_stronger`. */
  detail?: string | null;
  /** Whether the same command may succeed later. */
  retry: boolean;
  /** How long to wait before trying again. */
  after_ms?: number | null;
}

/** A table as its receiver may know it, whole, and what just happened there. */
export interface View {
  /** Always `view`. */
  kind: "view";
  /** Which table. */
  table: string;
  /** How many entries its log has. */
  version: number;
  /** The head of the chain of its log, which binds the record to what was shown. */
  head: string;
  /** What it waits for. */
  status: "break" | "closed" | "open" | "over" | "revealing" | "running";
  /** What it was created with. */
  options: TableOptions;
  /** Whether quick match made it. */
  quick: boolean;
  /** Binds the server to the seed of all shuffles: SHA-256 of the seed. */
  commitment: string;
  /** The seed, once the match is over. */
  seed: string | null;
  /** The code of a private table, for its seats. */
  invite: string | null;
  /** Its seats. */
  seats: readonly (TableSeat)[];
  /** The receiver's seat; null for a spectator. */
  you: number | null;
  /** The number of the decision that waits for the receiver; null when none does. */
  decision: number | null;
  /** The seats that the table waits for. */
  to_act: readonly (number)[];
  /** How long until the limit that runs for them runs out; null when none runs. */
  deadline_ms: number | null;
  /** Whether a client should offer to ask for bots. */
  bots_offered: boolean;
  /** The table of the rematch, once somebody asked for it. */
  rematch: string | null;
  /** Why the table was closed, if it was. */
  closed: string | null;
  /** The game, once it has started. */
  game: ScoutView | null;
  /** Who caused what happened. */
  by: "minder" | "player" | "server";
  /** What happened with this version; empty when the view is sent for another reason. */
  events: readonly (Created | Sat | Stood | BotAsked | BotsOffered | Readied | RevealAsked | Revealed | Started | Minded | Back | SaidNext | Voted | RematchMade | TableClosed | Dealt | Chose | Showed | Scouted | ScoutShowed | RoundOver | GameOver)[];
}

/** One seat of a table, as everybody may see it. */
export interface TableSeat {
  /** Who sits there; null while it is free. */
  name: string | null;
  /** The player's public id. */
  player: string | null;
  /** Whether it is a program. */
  bot: boolean;
  /** The kind of bot that was asked for this free seat; null when none was. */
  asked: string | null;
  /** Whether it is ready (before the start). */
  ready: boolean;
  /** What it committed to with `ready`. */
  commitment: string | null;
  /** The nonce, once all were revealed. */
  nonce: string | null;
  /** Whether the minder plays it. */
  minded: boolean;
  /** Whether its player left for good. */
  left: boolean;
  /** Whether it has asked for the next round (between rounds). */
  next: boolean;
  /** How many seats want it minded. */
  votes: number;
  /** For whom a free seat of a rematch is kept, by name. */
  reserved: string | null;
}

/** A match of SCOUT as one viewer may know it. */
export interface ScoutView {
  /** Always `scout`. */
  game: "scout";
  /** The seat that looks; null for a spectator. */
  viewer: number | null;
  /** The current or last round, from 1; 0 before the first deal. */
  round: number;
  /** How many rounds the match has. */
  rounds: number;
  /** What the match waits for: a deal, orientation choices, a turn, or nothing more. */
  phase: "deal" | "orient" | "over" | "play";
  /** The seat that begins this round. */
  start: number | null;
  /** The seat whose turn it is, in phase `play`. */
  turn: number | null;
  /** The viewer's own cards from left to right; null for a spectator. */
  hand: readonly (readonly [number, number])[] | null;
  /** The viewer's own orientation choice, once made. */
  turned: boolean | null;
  /** The active set from left to right, as it lies. */
  active: readonly (readonly [number, number])[];
  /** Whose set it is; stays when its last card was scouted. */
  owner: number | null;
  /** Plain Scouts since the last Show. */
  scouts: number;
  /** Cards out of play that this viewer has seen, the smaller half first, in ascending order. */
  gone: readonly (readonly [number, number])[];
  /** One for each seat. */
  seats: readonly (ScoutSeat)[];
  /** The finished rounds. */
  results: readonly (RoundResult)[];
  /** The winning seats, once the match is over. */
  winners: readonly (number)[] | null;
}

/** What everybody may know about one seat in the current round. */
export interface ScoutSeat {
  /** How many cards it holds. */
  cards: number;
  /** How many cards it captured. */
  captured: number;
  /** Its scout tokens. */
  tokens: number;
  /** Whether its Scout & Show is still unused; never with two players. */
  scout_show: boolean;
  /** Whether it has chosen an orientation. */
  chosen: boolean;
  /** Cards that it scouted and has not shown since, the smaller half first. */
  held: readonly (readonly [number, number])[];
  /** Its total of the finished rounds. */
  points: number;
}

/** How one round ended. */
export interface RoundResult {
  /** From 1. */
  round: number;
  /** `emptied`, a hand was empty after a Show, or `unbeaten`, all others scouted in a row. */
  reason: "emptied" | "unbeaten";
  /** The seat that emptied its hand, or whose set was not beaten. */
  ender: number;
  /** Captured cards of each seat. */
  captured: readonly (number)[];
  /** Scout tokens of each seat. */
  tokens: readonly (number)[];
  /** Cards left in each hand. */
  hand: readonly (number)[];
  /** The seat that loses nothing for its hand, if any. */
  waived: number | null;
  /** The points of each seat in this round. */
  scores: readonly (number)[];
}

/** The table was created. */
export interface Created {
  /** Always `created`. */
  kind: "created";
}

/** A player took a seat. */
export interface Sat {
  /** Always `sat`. */
  kind: "sat";
  /** Which. */
  seat: number;
  /** The player's name. */
  name: string;
  /** Whether it is a program. */
  bot: boolean;
}

/** A seat was freed before the start. */
export interface Stood {
  /** Always `stood`. */
  kind: "stood";
  /** Which. */
  seat: number;
  /** The player stood up, was cleared by somebody who may, was not ready in time, or did not reveal in time. */
  reason: "cleared" | "stood" | "unready" | "unrevealed";
}

/** A bot was asked for. */
export interface BotAsked {
  /** Always `bot_asked`. */
  kind: "bot_asked";
  /** For which seat. */
  seat: number;
  /** Which kind of bot; empty for any. */
  level: string;
}

/** Players have waited for 20 s: those who sit here may ask for bots, and a client should offer it. */
export interface BotsOffered {
  /** Always `bots_offered`. */
  kind: "bots_offered";
}

/** A seat is ready. */
export interface Readied {
  /** Always `readied`. */
  kind: "readied";
  /** Which. */
  seat: number;
  /** What it committed to, if anything. */
  commitment: string | null;
}

/** All are ready: those who committed to a nonce have 10 s to tell it. */
export interface RevealAsked {
  /** Always `reveal_asked`. */
  kind: "reveal_asked";
}

/** A seat told its nonce. What it is stands in the record. */
export interface Revealed {
  /** Always `revealed`. */
  kind: "revealed";
  /** Which. */
  seat: number;
}

/** The match started. */
export interface Started {
  /** Always `started`. */
  kind: "started";
  /** The former numbers of the seats that play, in their new order. */
  seats: readonly (number)[];
}

/** From now on the minder plays this seat. */
export interface Minded {
  /** Always `minded`. */
  kind: "minded";
  /** Which. */
  seat: number;
  /** Its time ran out, its player left for good, or the others voted for it. */
  reason: "left" | "time" | "voted";
}

/** A player plays their minded seat themselves again. */
export interface Back {
  /** Always `back`. */
  kind: "back";
  /** Which. */
  seat: number;
}

/** A seat has seen the result of the round. */
export interface SaidNext {
  /** Always `said_next`. */
  kind: "said_next";
  /** Which. */
  seat: number;
}

/** A seat voted to have another one minded. */
export interface Voted {
  /** Always `voted`. */
  kind: "voted";
  /** Who votes. */
  seat: number;
  /** Whose player is away. */
  against: number;
}

/** There is a table for another match with the same seats. */
export interface RematchMade {
  /** Always `rematch_made`. */
  kind: "rematch_made";
  /** Who asked first. */
  seat: number;
  /** The new table. */
  table: string;
}

/** The table is closed for good. */
export interface TableClosed {
  /** Always `table_closed`. */
  kind: "table_closed";
  /** A stable word: `empty`, `abandoned`, `operator`, `store`. */
  reason: string;
}

/** A round was dealt. */
export interface Dealt {
  /** Always `dealt`. */
  kind: "dealt";
  /** From 1. */
  round: number;
  /** The seat that begins. */
  start: number;
  /** How many cards each seat got. */
  cards: number;
}

/** A seat chose its orientation. */
export interface Chose {
  /** Always `chose`. */
  kind: "chose";
  /** Who. */
  seat: number;
  /** `keep` or `turn`, for that seat only; null for everybody else. */
  move: string | null;
}

/** A seat laid down a set. */
export interface Showed {
  /** Always `showed`. */
  kind: "showed";
  /** Who. */
  seat: number;
  /** The set, as it lies. */
  cards: readonly (readonly [number, number])[];
  /** How many cards of the beaten set it took. */
  captured: number;
  /** The move's notation, for that seat only; null for everybody else. */
  move: string | null;
}

/** A seat took an end of the active set into its hand. */
export interface Scouted {
  /** Always `scouted`. */
  kind: "scouted";
  /** Who. */
  seat: number;
  /** The card, as it lay. */
  card: readonly [number, number];
  /** Whether it was the right end. */
  right: boolean;
  /** Whose set it was. */
  owner: number;
  /** Whether the owner gained a scout token for it. */
  token: boolean;
  /** The move's notation, for that seat only; null for everybody else. */
  move: string | null;
}

/** A seat took an end of the active set and at once laid down a set. */
export interface ScoutShowed {
  /** Always `scout_showed`. */
  kind: "scout_showed";
  /** Who. */
  seat: number;
  /** The card taken, as it lay. */
  card: readonly [number, number];
  /** Whether it was the right end. */
  right: boolean;
  /** Whose set it was; that seat gained a scout token. */
  owner: number;
  /** The set laid down, as it lies. */
  cards: readonly (readonly [number, number])[];
  /** How many cards of the set that was left it took. */
  captured: number;
  /** The move's notation, for that seat only; null for everybody else. */
  move: string | null;
}

/** A round ended. */
export interface RoundOver {
  /** Always `round_over`. */
  kind: "round_over";
  /** How. */
  result: RoundResult;
}

/** The last round ended. */
export interface GameOver {
  /** Always `game_over`. */
  kind: "game_over";
  /** Each seat's total. */
  points: readonly (number)[];
  /** The winning seats. */
  winners: readonly (number)[];
}

/** Who is connected at a table. */
export interface Presence {
  /** Always `presence`. */
  kind: "presence";
  /** Which table. */
  table: string;
  /** For each seat whether its player is connected. */
  seats: readonly (boolean)[];
  /** How many others watch. */
  spectators: number;
}

/** Answers `events`: every step after `since`, none left out. */
export interface EventLog {
  /** Always `events`. */
  kind: "events";
  /** The command's id. */
  re: string;
  /** Which table. */
  table: string;
  /** The version after which it begins. */
  since: number;
  /** The steps, in order and without a gap. */
  steps: readonly (Step)[];
  /** Whether there are more; ask again from the last version. */
  more: boolean;
}

/** What happened with one version of a table. */
export interface Step {
  /** The version it made. */
  version: number;
  /** The head of the chain after it. */
  head: string;
  /** Who caused it. */
  by: "minder" | "player" | "server";
  /** What happened. */
  events: readonly (Created | Sat | Stood | BotAsked | BotsOffered | Readied | RevealAsked | Revealed | Started | Minded | Back | SaidNext | Voted | RematchMade | TableClosed | Dealt | Chose | Showed | Scouted | ScoutShowed | RoundOver | GameOver)[];
}

/** Answers `legal`. */
export interface LegalMoves {
  /** Always `legal`. */
  kind: "legal";
  /** The command's id. */
  re: string;
  /** Which table. */
  table: string;
  /** The decision they answer; null when none waits for the player, and then there are no moves. */
  decision: number | null;
  /** In the game's notation. */
  moves: readonly (string)[];
  /** Whether there are more; ask again with a larger offset. */
  more: boolean;
}

/** The public tables, those that wait for players first, then the running ones, the newest first. */
export interface LobbyPage {
  /** Always `lobby`. */
  kind: "lobby";
  /** The command's id; null when it is sent because the page changed. */
  re: string | null;
  /** At most 100 of them. */
  tables: readonly (LobbyTable)[];
}

/** One public table. */
export interface LobbyTable {
  /** Which. */
  table: string;
  /** What it waits for. */
  status: "break" | "closed" | "open" | "over" | "revealing" | "running";
  /** What it was created with. */
  options: TableOptions;
  /** Its seats. */
  seats: readonly (LobbySeat)[];
  /** How many watch. */
  spectators: number;
  /** Seconds since it was created. */
  age_s: number;
}

/** One seat of a table in the lobby. */
export interface LobbySeat {
  /** Who sits there; null while it is free. */
  name: string | null;
  /** Whether it is a program. */
  bot: boolean;
}

/** A seat asks for a bot: whoever serves bots may `sit` there. */
export interface BotWanted {
  /** Always `bot_wanted`. */
  kind: "bot_wanted";
  /** Which table. */
  table: string;
  /** Which seat. */
  seat: number;
  /** Which kind of bot; empty for any. */
  level: string;
  /** The code of a private table. */
  invite: string | null;
}

/** The table is gone; no more views of it follow. */
export interface Closed {
  /** Always `closed`. */
  kind: "closed";
  /** Which table. */
  table: string;
  /** A stable word. */
  reason: string;
}

/** The server stops or restarts; everything acknowledged is stored. Connect again and resume. */
export interface GoingAway {
  /** Always `going_away`. */
  kind: "going_away";
  /** One sentence for a person. */
  reason: string;
  /** When to connect again. */
  after_ms: number;
}

/** What can happen at a table. */
export type AnyEvent = Created | Sat | Stood | BotAsked | BotsOffered | Readied | RevealAsked | Revealed | Started | Minded | Back | SaidNext | Voted | RematchMade | TableClosed | Dealt | Chose | Showed | Scouted | ScoutShowed | RoundOver | GameOver;

/** Why a command is refused. */
export type ErrorCode = "bad_message" | "unknown_kind" | "hello_first" | "hello_twice" | "token_unknown" | "bad_name" | "not_house" | "too_fast" | "too_many_tables" | "id_reused" | "no_such_table" | "table_closed" | "not_seated" | "already_seated" | "no_free_seat" | "no_such_seat" | "seat_reserved" | "not_allowed" | "already_started" | "not_started" | "not_over" | "no_reveal_due" | "wrong_nonce" | "no_decision" | "stale_decision" | "invalid_move" | "illegal_move" | "no_break" | "not_away" | "version_ahead" | "going_away" | "store_down" | "internal";
