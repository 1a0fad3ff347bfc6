/** Alle Texte der Seite, auf Deutsch. */
import type { SetKind } from "../game/scout/sets";
import type { Summary } from "./about";
import { deEvents } from "./de.events";
import { who } from "./de.names";
import { deRules } from "./de.rules";
import type { Words } from "./en";
import { listed } from "./rich";

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

const SETS: Record<SetKind, (values: readonly number[]) => string> = {
  single: ([value]) => `einzelne ${value}`,
  match: (values) => `Gleiche ${values.join("-")}`,
  run: (values) => `Folge ${values.join("-")}`,
};

/** Was einen Satz schlägt. */
function beats({ kind, values }: Summary): string {
  const size = values.length;
  if (kind === "single") return values[0]! < 10 ? "einer höheren oder zwei Karten" : "zwei Karten";
  const ways = [`${size + 1} Karten`];
  if (kind === "run" && Math.max(...values) < 10) ways.unshift("einer höheren Folge");
  if (kind === "run") ways.unshift(`${size} Gleichen`);
  if (kind === "match" && values[0]! < 10) ways.unshift(`${size} höheren Gleichen`);
  return listed(ways, "oder");
}

const again = "Etwas ist schiefgegangen; bitte versuche es noch einmal.";
const reload = "Der Server hat diese Seite nicht verstanden. Lade sie neu.";
const noMove = "Das ist kein Zug in diesem Spiel.";

const closed: Record<string, string> = {
  empty: "Der Tisch ist geschlossen: Niemand ist mehr da.",
  abandoned: "Der Tisch ist geschlossen: Lange hat niemand gespielt.",
  operator: "Der Betreiber hat den Tisch geschlossen.",
  store: "Der Tisch ist geschlossen: Der Server hat einen Teil davon verloren.",
  no_such_table: "Den Tisch gibt es nicht mehr.",
};

export const de: Words = {
  code: "de",
  language: "Deutsch",
  app: {
    name: "Bigtop",
    lobby: "Lobby",
    rules: "Regeln",
    back: "Zurück zum Tisch",
    settings: "Einstellungen",
    chooseLanguage: "Sprache",
    sound: "Ton, wenn du am Zug bist",
    vibration: "Vibrieren, wenn du am Zug bist",
    skipLink: "Zum Inhalt",
    close: "Schließen",
    copy: "Kopieren",
    copied: "Kopiert",
    notFound: "Unter dieser Adresse gibt es nichts.",
    toLobby: "Zur Lobby",
    loading: "Einen Moment …",
    failed: again,
  },
  connection: {
    connecting: "Verbinde …",
    lost: "Die Verbindung ist weg. Neuer Versuch …",
    restarting: "Der Server startet neu. Einen Moment …",
    back: "Wieder verbunden.",
    afresh: "Wieder verbunden, aber der Server kennt dich nicht mehr: Du bist ein neuer Gast.",
    stopped: "Der Server hat die Verbindung endgültig beendet. Lade die Seite neu.",
  },
  lobby: {
    title: "Ein Kartenspiel unterm Zirkuszelt",
    lead: "SCOUT: ein flottes, listiges Ablegespiel für 2 bis 5. Deine Hand wird nie sortiert, nur verbessert.",
    name: "Dein Name",
    saveName: "Merken",
    botsNow: "Sofort gegen Bots spielen",
    opponents: "Bots",
    level: "Sie spielen",
    levels: { "": "gut", greedy: "schlicht", random: "zufällig" },
    quick: "Mit Leuten spielen",
    quickNote: "Setzt dich auf den nächsten freien Platz.",
    create: "Neuer Tisch",
    howMany: "Mitspielende",
    clock: "Zeit je Zug",
    clocks: {
      "30": "30 Sekunden",
      "60": "1 Minute",
      "180": "3 Minuten",
      "3600": "1 Stunde",
      "86400": "1 Tag",
      "259200": "3 Tage",
      none: "unbegrenzt",
    },
    private: "Privat: nur mit dem Link",
    open: "Tisch aufmachen",
    join: "Mit Link oder Code dazukommen",
    joinPlaceholder: "https://… oder Tischcode",
    joinButton: "Los",
    joinWrong: "Das ist weder ein Link noch der Code eines Tisches.",
    mine: "Deine Tische",
    yourTurn: "Dein Zug",
    tables: "Tische",
    none: "Gerade ist kein Tisch offen. Mach den ersten auf!",
    free: (seats) => count(seats, "freier Platz", "freie Plätze"),
    spectators: (spectators) => (spectators === 1 ? "1 schaut zu" : `${spectators} schauen zu`),
    sit: "Mitspielen",
    watch: "Zuschauen",
    goOn: "Weiter",
    replay: "Nachspielen",
    result: "Ergebnis",
    leave: "Verlassen",
    bot: "Bot",
    age: (seconds) =>
      seconds < 60
        ? "gerade eben"
        : seconds < 3600
          ? `${Math.floor(seconds / 60)} Min.`
          : `${Math.floor(seconds / 3600)} Std.`,
    status: {
      open: "wartet auf Leute",
      revealing: "wird gemischt",
      running: "läuft",
      break: "zwischen zwei Runden",
      over: "zu Ende",
      closed: "geschlossen",
    },
  },
  waiting: {
    title: "Der Tisch füllt sich",
    free: "frei",
    sit: "Hier setzen",
    askBot: "Einen Bot, bitte",
    botsForAll: "Mit Bots auffüllen",
    botComes: "wartet auf einen Bot",
    remove: (name) => `${name} entfernen`,
    reserved: (name) => `für ${name} freigehalten`,
    ready: "bereit",
    notReady: "nicht bereit",
    beReady: "Ich bin bereit",
    stand: "Aufstehen",
    starts: "Die Partie beginnt, wenn alle Plätze besetzt und alle bereit sind.",
    shuffling: "Alle sind bereit; die Karten werden gemeinsam gemischt.",
    offered: "Noch ist sonst niemand da. Du kannst Bots dazuholen.",
    invite: "Andere einladen",
    inviteNote: "Wer diesen Link hat, kann mitspielen und zuschauen.",
    qr: "QR-Code des Einladungslinks",
    watching: "Du schaust zu.",
    seat: (seat) => `Platz ${seat + 1}`,
  },
  table: {
    label: "Tisch",
    ring: "In der Manege",
    round: (round, rounds) => `Runde ${round} von ${rounds}`,
    seats: "Mitspielende",
    hand: (cards) => `Deine Hand, ${count(cards, "Karte", "Karten")}`,
    handEmpty: "Deine Hand ist leer.",
    you: "Du",
    bot: "Bot",
    away: "weg",
    minded: "Aushilfe",
    left: "gegangen",
    owner: "Satz liegt",
    chosen: "hat gewählt",
    choosing: "wählt noch",
    cards: (cards) => count(cards, "Karte", "Karten"),
    captured: (cards) => `${cards} erbeutet`,
    tokens: (tokens) => count(tokens, "Scout-Marke", "Scout-Marken"),
    points: (points) => count(points, "Punkt", "Punkte"),
    scoutShow: "S&S",
    scoutShowLeft: "Scout & Show noch frei",
    scoutShowUsed: "Scout & Show verbraucht",
    score: "Punkte",
    spectators: (spectators) => (spectators === 1 ? "1 schaut zu" : `${spectators} schauen zu`),
    yourTurn: "Dein Zug",
    theirTurn: (name) => `${name} ist am Zug`,
    titleTurn: "● Dein Zug",
    choose: "Wie herum?",
    chooseNote: "Behalte deine Hand, wie sie ist, oder drehe sie ganz. Die Reihenfolge bleibt.",
    asDealt: "Wie ausgeteilt",
    asTurned: "Gedreht",
    keep: "Diese Hand behalten",
    turn: "Diese Hand nehmen",
    keepsNow: "Du hast gewählt. Warten auf die anderen …",
    waitingFor: (names) => `Warten auf ${names}`,
    noSet: "In der Manege liegt nichts. Zeige, was du willst.",
    noSetTheirs: "In der Manege liegt nichts.",
    setOf: (cast, owner, summary) =>
      `${owner === cast.you ? "Von dir" : `Von ${who(cast, owner)}`}: ${SETS[summary.kind](summary.values)}`,
    beatIt: (summary) => `Scoute ein Ende oder schlage es mit ${beats(summary)}.`,
    beatOnly: (summary) => `Schlage es mit ${beats(summary)}.`,
    skip: (moves) => `${count(moves, "Zug", "Züge")} überspringen`,
    minderPlays: "Die Aushilfe spielt für dich.",
    takeBack: "Selbst weiterspielen",
    mind: "Aushilfe spielen lassen",
    mindNote: (votes) => count(votes, "Stimme", "Stimmen"),
    leave: "Partie verlassen",
    leaveSure: "Endgültig gehen? Dann spielt die Aushilfe deine Karten zu Ende.",
    leaveYes: "Endgültig gehen",
    leaveNo: "Bleiben",
    sit: "Mitspielen",
    watching: "Du schaust zu",
    closed: (reason) => closed[reason] ?? `Der Tisch ist geschlossen (${reason}).`,
    need: "Dieser Tisch ist privat, oder es gibt ihn nicht mehr. Wenn du einen Einladungscode hast, gib ihn ein.",
    code: "Einladungscode",
    enter: "Eintreten",
  },
  card: {
    label: (up, down) => `${up}, andere Hälfte ${down}`,
    inHand: (up, down, at, of) => `${up}, andere Hälfte ${down}, Karte ${at} von ${of}`,
    scouted: (up, down, at, of) => `gescoutete ${up}, andere Hälfte ${down}, wäre Karte ${at} von ${of}`,
    end: (up, down, right) => `Die ${up} von ${right ? "rechts" : "links"} scouten, andere Hälfte ${down}`,
    gapFirst: "Ganz nach links stecken",
    gapLast: "Ganz nach rechts stecken",
    gap: (before, after) => `Zwischen ${before} und ${after} stecken`,
  },
  action: {
    show: (values, captures) => `${values.join("-")} zeigen${captures ? `, ${captures} erbeuten` : ""}`,
    scout: (up) => `${up} scouten`,
    scoutShow: (up, values, captures) =>
      `${up} scouten, ${values.join("-")} zeigen${captures ? `, ${captures} erbeuten` : ""}`,
    showNothing: "Zeigen …",
    onward: "… und zeigen",
    back: "Zurück",
    flip: "Drehen",
    moveLeft: "Nach links",
    moveRight: "Nach rechts",
    sending: "Wird gesendet …",
    help: {
      rest: "Berühre die erste und die letzte Karte, die du zeigen willst.",
      restScout: "Karten berühren: zeigen. Ein Ende: scouten.",
      placing: "Berühre die Lücke, in die sie soll.",
      placed: "Sie berühren: drehen. Andere: sofort zeigen.",
      placedOnly: "Berühre sie, um sie zu drehen.",
      showing: "Berühre die erste und die letzte Karte, die du zeigen willst.",
      wait: "Du kannst schon Karten wählen.",
    },
    why: (problem) => {
      switch (problem.kind) {
        case "notASet":
          return "Weder lauter gleiche noch eine Folge.";
        case "notStronger":
          return `Zu schwach: Das geht nur mit ${beats(problem.summary)}.`;
        case "nothing":
          return "Da liegt nichts zum Scouten.";
        case "noTokens":
          return "Du hast keine Scout-Marke mehr.";
        case "twoPlayers":
          return "Zu zweit gibt es kein Scout & Show.";
        case "used":
          return "Scout & Show ist in dieser Runde verbraucht.";
        case "notYourTurn":
          return "Warte, bis du am Zug bist.";
        case "minded":
          return "Die Aushilfe spielt für dich.";
        case "offline":
          return "Die Verbindung ist weg.";
      }
    },
  },
  log: {
    title: "Was geschah",
    empty: "Noch nichts.",
    minder: " (Die Aushilfe hat gespielt.)",
    unknown: "Etwas ist geschehen, das diese Seite nicht kennt.",
    events: deEvents,
  },
  results: {
    round: (round) => `Runde ${round} ist vorbei`,
    reason: (cast, reason, ender) =>
      reason === "emptied"
        ? `${ender === cast.you ? "Du hast" : `${who(cast, ender)} hat`} die letzte Karte gezeigt.`
        : `Niemand hat den Satz von ${ender === cast.you ? "dir" : who(cast, ender)} geschlagen.`,
    match: "Die Partie ist vorbei",
    youWin: "Du gewinnst!",
    youShare: "Du teilst dir den Sieg!",
    wins: (names) => `${names} gewinnt`,
    share: (names) => `${names} teilen sich den Sieg`,
    player: "Wer",
    captured: "Erbeutet",
    tokens: "Marken",
    hand: "Hand",
    waived: "frei",
    total: "Gesamt",
    roundShort: (round) => `R${round}`,
    next: "Nächste Runde",
    nextSaid: "Warten auf die anderen …",
    nextIn: (time) => `geht in ${time} von selbst weiter`,
    readyFor: "hat es gesehen",
    rematch: "Noch einmal spielen",
    joinRematch: "Wieder mitspielen",
    watchRematch: "Bei der nächsten Partie zuschauen",
    replay: "Partie nachspielen",
    lobby: "Zur Lobby",
    rounds: "Punkte jeder Runde",
    showTable: "Tisch ansehen",
    showResult: "Ergebnis ansehen",
  },
  replay: {
    title: "Nachspielen",
    first: "Zum Anfang",
    previous: "Eins zurück",
    play: "Abspielen",
    pause: "Anhalten",
    next: "Eins weiter",
    last: "Zum Ende",
    position: "Zug",
    of: (at, all) => `${at} von ${all}`,
    speed: "Tempo",
    share: "Link zu dieser Stelle kopieren",
    none: "Von diesem Tisch gibt es keine Aufzeichnung: Die Partie ist nicht zu Ende, zu lange her oder nur für die, die mitgespielt haben.",
    bad: "Diese Aufzeichnung lässt sich nicht lesen.",
  },
  errors: {
    bad_message: reload,
    unknown_kind: "Der Server kennt diesen Befehl nicht. Lade die Seite neu.",
    hello_first: reload,
    hello_twice: reload,
    token_unknown: "Der Server kennt dich nicht mehr; du bist jetzt ein neuer Gast.",
    bad_name: "Ein Name hat 1 bis 24 sichtbare Zeichen.",
    not_house: "Der Hausschlüssel ist falsch.",
    too_fast: "Das ging zu schnell; warte einen Moment.",
    too_many_tables: "Du sitzt an zu vielen Tischen. Verlasse erst einen.",
    id_reused: again,
    no_such_table: "Diesen Tisch gibt es nicht, oder du brauchst seinen Einladungscode.",
    table_closed: "Der Tisch ist geschlossen.",
    not_seated: "Du hast an diesem Tisch keinen Platz.",
    already_seated: "Du sitzt schon an diesem Tisch.",
    no_free_seat: "Dort ist kein Platz mehr frei.",
    no_such_seat: "Diesen Platz hat der Tisch nicht.",
    seat_reserved: "Dieser Platz wird für jemand anderen freigehalten.",
    not_allowed: "Das darfst du an diesem Tisch nicht.",
    already_started: "Die Partie hat schon begonnen.",
    not_started: "Die Partie hat noch nicht begonnen.",
    not_over: "Die Partie ist noch nicht zu Ende.",
    no_reveal_due: again,
    wrong_nonce: "Beim Mischen ist etwas schiefgegangen; bitte versuche es noch einmal.",
    no_decision: "Du bist gerade nicht gefragt.",
    stale_decision: "Dieser Zug ist schon gemacht, auf einem anderen Gerät oder von der Aushilfe.",
    invalid_move: noMove,
    illegal_move: "Die Regeln erlauben diesen Zug jetzt nicht.",
    no_break: "Die nächste Runde hat schon begonnen.",
    not_away: "Dieser Spieler ist noch nicht lange genug weg.",
    version_ahead: "Etwas ist schiefgegangen; lade die Seite neu.",
    going_away: "Der Server startet neu; versuche es gleich noch einmal.",
    store_down: "Der Server kann gerade nichts speichern; versuche es gleich noch einmal.",
    internal: "Der Server hat einen Fehler gemacht; es wurde nichts verändert.",
  },
  moves: {
    game_over: "Die Partie ist vorbei.",
    not_your_turn: "Du bist nicht am Zug.",
    wrong_phase: "Gerade ist etwas anderes gefragt.",
    no_such_cards: "Solche Karten hast du nicht auf der Hand.",
    not_a_set: "Diese Karten sind weder alle gleich noch eine Folge.",
    not_stronger: "Das schlägt den Satz in der Manege nicht.",
    nothing_to_scout: "In der Manege liegt nichts; du musst zeigen.",
    one_card_set: "Da liegt nur eine Karte; nimm sie von links.",
    no_such_gap: "Diese Stelle gibt es auf deiner Hand nicht.",
    no_tokens: "Du hast keine Scout-Marke mehr.",
    no_scout_show: "Zu zweit gibt es kein Scout & Show.",
    scout_show_used: "Du hast dein Scout & Show in dieser Runde verbraucht.",
    wrong_start: "Diese Runde beginnt jemand anderes.",
    wrong_cards: "Es wurden nicht die richtigen Karten ausgeteilt.",
    too_long: noMove,
    bad_character: noMove,
    unknown_move: noMove,
    bad_show: noMove,
    bad_scout: noMove,
    bad_deal: noMove,
  },
  rules: deRules,
  and: "und",
  who,
};
