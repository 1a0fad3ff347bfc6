/** Every text of the page, in English. `Words` is made from this file, so that another language lacks none of them. */
import type { SetKind } from "../game/scout/sets";
import type { Problem, Summary } from "./about";
import type { Cast } from "./cast";
import { enEvents } from "./en.events";
import { who, whose } from "./en.names";
import { enRules } from "./en.rules";
import { listed } from "./rich";
import type { ErrorCode } from "../protocol/types";

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

const SETS: Record<SetKind, (values: readonly number[]) => string> = {
  single: ([value]) => `single ${value}`,
  match: (values) =>
    `${["", "", "pair", "three", "four", "five", "six", "seven", "eight", "nine"][values.length]} ${values.join("-")}`,
  run: (values) => `run ${values.join("-")}`,
};

/** What beats a set, in words. */
function beats({ kind, values }: Summary): string {
  const size = values.length;
  if (kind === "single") return values[0]! < 10 ? "a higher single or two cards" : "two cards";
  const ways = [`${size + 1} cards`];
  if (kind === "run" && Math.max(...values) < 10) ways.unshift("a higher run");
  if (kind === "run") ways.unshift(`${size} equal cards`);
  if (kind === "match" && values[0]! < 10) ways.unshift(`${size} equal, higher cards`);
  return listed(ways, "or");
}

const errors: Record<ErrorCode, string> = {
  bad_message: "The server did not understand this page. Load it again.",
  unknown_kind: "The server does not know this command. Load the page again.",
  hello_first: "The server did not understand this page. Load it again.",
  hello_twice: "The server did not understand this page. Load it again.",
  token_unknown: "The server does not know you any more; you are a new guest now.",
  bad_name: "A name has 1 to 24 visible characters.",
  not_house: "The house key is wrong.",
  too_fast: "That was too fast; wait a moment.",
  too_many_tables: "You have too many tables. Leave one first.",
  id_reused: "Something went wrong; please try again.",
  no_such_table: "There is no such table, or you need its invite code.",
  table_closed: "The table is closed.",
  not_seated: "You have no seat at this table.",
  already_seated: "You already have a seat at this table.",
  no_free_seat: "No seat is free there any more.",
  no_such_seat: "The table has no such seat.",
  seat_reserved: "That seat is kept for somebody else.",
  not_allowed: "You may not do that at this table.",
  already_started: "The match has already started.",
  not_started: "The match has not started yet.",
  not_over: "The match is not over yet.",
  no_reveal_due: "Something went wrong; please try again.",
  wrong_nonce: "Something went wrong while shuffling; please try again.",
  no_decision: "Nothing is asked of you now.",
  stale_decision: "This move has been made already, on another device or by the minder.",
  invalid_move: "That is no move of this game.",
  illegal_move: "The rules do not allow this move now.",
  no_break: "The next round has begun already.",
  not_away: "That player has not been away for long enough.",
  version_ahead: "Something went wrong; load the page again.",
  going_away: "The server is restarting; try again in a moment.",
  store_down: "The server cannot store anything now; try again in a moment.",
  internal: "The server made a mistake; nothing was changed.",
};

/** Why the engine refuses a move. */
const moves: Record<string, string> = {
  game_over: "The match is over.",
  not_your_turn: "It is not your turn.",
  wrong_phase: "Something else is asked of you now.",
  no_such_cards: "There are no such cards in your hand.",
  not_a_set: "These cards are neither all equal nor a run.",
  not_stronger: "This does not beat the set on the table.",
  nothing_to_scout: "No set lies on the table; you must show.",
  one_card_set: "Only one card lies there; take it from the left.",
  no_such_gap: "There is no such place in your hand.",
  no_tokens: "You have no scout token left.",
  no_scout_show: "There is no Scout & Show with two players.",
  scout_show_used: "You have used your Scout & Show in this round.",
  wrong_start: "Another seat starts this round.",
  wrong_cards: "The deal does not consist of the right cards.",
  too_long: "That is no move of this game.",
  bad_character: "That is no move of this game.",
  unknown_move: "That is no move of this game.",
  bad_show: "That is no move of this game.",
  bad_scout: "That is no move of this game.",
  bad_deal: "That is no move of this game.",
};

const closed: Record<string, string> = {
  empty: "The table is closed: nobody is left.",
  abandoned: "The table is closed: nobody has played for long.",
  operator: "The operator closed the table.",
  store: "The table is closed: the server lost part of it.",
  no_such_table: "The table is gone.",
};

export const en = {
  code: "en",
  language: "English",
  app: {
    name: "Bigtop",
    lobby: "Lobby",
    rules: "Rules",
    back: "Back to the table",
    settings: "Settings",
    chooseLanguage: "Language",
    sound: "Sound when it is your turn",
    vibration: "Vibrate when it is your turn",
    skipLink: "Skip to the content",
    close: "Close",
    copy: "Copy",
    copied: "Copied",
    notFound: "There is nothing at this address.",
    toLobby: "To the lobby",
    loading: "One moment …",
    failed: "Something went wrong; please try again.",
  },
  connection: {
    connecting: "Connecting …",
    lost: "The connection is lost. Trying again …",
    restarting: "The server restarts. One moment …",
    back: "Connected again.",
    afresh: "Connected again, but the server does not know you any more: you are a new guest.",
    stopped: "The server ended the connection for good. Load the page again.",
  },
  lobby: {
    title: "A card game under the big top",
    lead: "SCOUT: a quick, sly climbing game for 2 to 5. Your hand is never sorted, only upgraded.",
    name: "Your name",
    saveName: "Save",
    botsNow: "Play against bots now",
    opponents: "Bots",
    level: "They play",
    levels: { "": "well", greedy: "plainly", random: "at random" } as Record<string, string>,
    quick: "Play with people",
    quickNote: "Sits you down at the next free seat.",
    create: "New table",
    howMany: "Players",
    clock: "Time for a move",
    clocks: {
      "30": "30 seconds",
      "60": "1 minute",
      "180": "3 minutes",
      "3600": "1 hour",
      "86400": "1 day",
      "259200": "3 days",
      none: "no limit",
    } as Record<string, string>,
    private: "Private: only with the link",
    open: "Open the table",
    join: "Join by link or code",
    joinPlaceholder: "https://… or table code",
    joinButton: "Go",
    joinWrong: "That is neither a link nor a table's code.",
    mine: "Your tables",
    yourTurn: "Your turn",
    tables: "Tables",
    none: "No table is open. Make the first one!",
    free: (seats: number) => count(seats, "free seat"),
    spectators: (spectators: number) => (spectators === 1 ? "1 watches" : `${spectators} watch`),
    sit: "Sit down",
    watch: "Watch",
    goOn: "Go on",
    replay: "Replay",
    result: "Result",
    leave: "Leave",
    bot: "bot",
    age: (seconds: number) =>
      seconds < 60
        ? "just now"
        : seconds < 3600
          ? `${Math.floor(seconds / 60)} min`
          : `${Math.floor(seconds / 3600)} h`,
    status: {
      open: "waits for players",
      revealing: "is being shuffled",
      running: "running",
      break: "between rounds",
      over: "over",
      closed: "closed",
    },
  },
  waiting: {
    title: "The table fills up",
    free: "free",
    sit: "Sit here",
    askBot: "Bot, please",
    botsForAll: "Fill up with bots",
    botComes: "waits for a bot",
    remove: (name: string) => `Remove ${name}`,
    reserved: (name: string) => `kept for ${name}`,
    ready: "ready",
    notReady: "not ready",
    beReady: "I'm ready",
    stand: "Stand up",
    starts: "The match begins when all seats are taken and ready.",
    shuffling: "All are ready; the cards are being shuffled together.",
    offered: "Nobody else has come yet. You may ask for bots.",
    invite: "Invite others",
    inviteNote: "Whoever has this link can join and watch.",
    qr: "QR code of the invite link",
    watching: "You are watching.",
    seat: (seat: number) => `Seat ${seat + 1}`,
  },
  table: {
    label: "Table",
    ring: "On the table",
    round: (round: number, rounds: number) => `Round ${round} of ${rounds}`,
    seats: "Players",
    hand: (cards: number) => `Your hand, ${count(cards, "card")}`,
    handEmpty: "Your hand is empty.",
    you: "You",
    bot: "bot",
    away: "away",
    minded: "minded",
    left: "left",
    owner: "owns the set",
    chosen: "has chosen",
    choosing: "is choosing",
    cards: (cards: number) => count(cards, "card"),
    captured: (cards: number) => `${cards} captured`,
    tokens: (tokens: number) => count(tokens, "scout token"),
    points: (points: number) => count(points, "point"),
    scoutShow: "S&S",
    scoutShowLeft: "Scout & Show unused",
    scoutShowUsed: "Scout & Show used",
    score: "Score",
    spectators: (spectators: number) => (spectators === 1 ? "1 watches" : `${spectators} watch`),
    yourTurn: "Your turn",
    theirTurn: (name: string) => `${name}'s turn`,
    titleTurn: "● Your turn",
    choose: "Which way up?",
    chooseNote: "Keep your hand as dealt, or turn all of it. The order stays.",
    asDealt: "As dealt",
    asTurned: "Turned",
    keep: "Keep this hand",
    turn: "Take this hand",
    keepsNow: "You chose. Waiting for the others …",
    waitingFor: (names: string) => `Waiting for ${names}`,
    noSet: "No set lies on the table. Show anything.",
    noSetTheirs: "No set lies on the table.",
    setOf: (cast: Cast, owner: number, summary: Summary) =>
      `${owner === cast.you ? "Your" : whose(cast, owner)} ${SETS[summary.kind](summary.values)}`,
    beatIt: (summary: Summary) => `Scout an end, or beat it with ${beats(summary)}.`,
    beatOnly: (summary: Summary) => `Beat it with ${beats(summary)}.`,
    skip: (moves: number) => `Skip ${count(moves, "move")}`,
    minderPlays: "The minder plays for you.",
    takeBack: "Play myself again",
    mind: "Let the minder play",
    mindNote: (votes: number) => count(votes, "vote"),
    leave: "Leave the match",
    leaveSure: "Leave for good? The minder then plays your cards to the end.",
    leaveYes: "Leave for good",
    leaveNo: "Stay",
    sit: "Sit down",
    watching: "You are watching",
    closed: (reason: string) => closed[reason] ?? `The table is closed (${reason}).`,
    need: "This table is private, or it is gone. If you have an invite code, enter it.",
    code: "Invite code",
    enter: "Enter",
  },
  card: {
    label: (up: number, down: number) => `${up}, other half ${down}`,
    inHand: (up: number, down: number, at: number, of: number) => `${up}, other half ${down}, card ${at} of ${of}`,
    scouted: (up: number, down: number, at: number, of: number) =>
      `scouted ${up}, other half ${down}, would be card ${at} of ${of}`,
    end: (up: number, down: number, right: boolean) =>
      `Scout the ${up} from the ${right ? "right" : "left"}, other half ${down}`,
    gapFirst: "Put it first",
    gapLast: "Put it last",
    gap: (before: number, after: number) => `Put it between ${before} and ${after}`,
  },
  action: {
    show: (values: readonly number[], captures: number) =>
      `Show ${values.join("-")}${captures ? `, take ${captures}` : ""}`,
    scout: (up: number) => `Scout the ${up}`,
    scoutShow: (up: number, values: readonly number[], captures: number) =>
      `Scout the ${up}, show ${values.join("-")}${captures ? `, take ${captures}` : ""}`,
    showNothing: "Show …",
    onward: "… and show",
    back: "Back",
    flip: "Turn it",
    moveLeft: "Move it left",
    moveRight: "Move it right",
    sending: "Sending …",
    help: {
      rest: "Touch the first and the last card to show.",
      restScout: "Touch cards to show, or an end to scout.",
      placing: "Touch the gap where it goes.",
      placed: "Touch it to turn it, others to show at once.",
      placedOnly: "Touch it to turn it.",
      showing: "Touch the first and the last card to show.",
      wait: "Choose cards ahead, if you like.",
    },
    why: (problem: Problem): string => {
      switch (problem.kind) {
        case "notASet":
          return "Neither all equal nor a run.";
        case "notStronger":
          return `Too weak: needs ${beats(problem.summary)}.`;
        case "nothing":
          return "Nothing lies there to scout.";
        case "noTokens":
          return "You have no scout token left.";
        case "twoPlayers":
          return "No Scout & Show with two players.";
        case "used":
          return "Scout & Show is used up in this round.";
        case "notYourTurn":
          return "Wait for your turn.";
        case "minded":
          return "The minder plays for you.";
        case "offline":
          return "The connection is lost.";
      }
    },
  },
  log: {
    title: "What happened",
    empty: "Nothing yet.",
    minder: " (The minder played.)",
    unknown: "Something happened that this page does not know.",
    events: enEvents,
  },
  results: {
    round: (round: number) => `Round ${round} is over`,
    reason: (cast: Cast, reason: "emptied" | "unbeaten", ender: number) =>
      reason === "emptied"
        ? `${ender === cast.you ? "You" : who(cast, ender)} played the last card.`
        : `Nobody beat ${whose(cast, ender)} set.`,
    match: "The match is over",
    youWin: "You win!",
    youShare: "You share the win!",
    wins: (names: string) => `${names} wins`,
    share: (names: string) => `${names} share the win`,
    player: "Player",
    captured: "Captured",
    tokens: "Tokens",
    hand: "Hand",
    waived: "free",
    total: "Total",
    roundShort: (round: number) => `R${round}`,
    next: "Next round",
    nextSaid: "Waiting for the others …",
    nextIn: (time: string) => `goes on by itself in ${time}`,
    readyFor: "has seen it",
    rematch: "Play again",
    joinRematch: "Join the rematch",
    watchRematch: "Watch the rematch",
    replay: "Watch the replay",
    lobby: "To the lobby",
    rounds: "Points of each round",
    showTable: "Look at the table",
    showResult: "Look at the result",
  },
  replay: {
    title: "Replay",
    first: "To the beginning",
    previous: "One back",
    play: "Play",
    pause: "Pause",
    next: "One on",
    last: "To the end",
    position: "Move",
    of: (at: number, all: number) => `${at} of ${all}`,
    speed: "Speed",
    share: "Copy the link to this moment",
    none: "There is no record of this table: the match is not over, it is too old, or it is for its players only.",
    bad: "This record cannot be read.",
  },
  errors,
  moves,
  rules: enRules,
  and: "and",
  who,
};

export type Words = typeof en;
