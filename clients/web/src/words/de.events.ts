/** Was am Tisch geschieht, auf Deutsch. */
import type { Scouted, ScoutShowed } from "../protocol/types";
import type { Cast } from "./cast";
import type { EventWords } from "./en.events";
import { Who, from, who } from "./de.names";
import { listed, rich } from "./rich";

/** Die passende Form: `du zeigst`, `Ada zeigt`. */
function does(cast: Cast, seat: number, second: string, third: string): string {
  return seat === cast.you ? second : third;
}

function took(cast: Cast, seat: number, captured: number): string {
  if (captured === 0) return "";
  const verb = does(cast, seat, "erbeutest", "erbeutet");
  return ` und ${verb} ${captured === 1 ? "die Karte" : `${captured} Karten`}`;
}

function token(event: Scouted | ScoutShowed, cast: Cast): string {
  return `${who(cast, event.owner)} ${does(cast, event.owner, "bekommst", "bekommt")} eine Marke`;
}

export const deEvents: EventWords = {
  created: () => rich`Der Tisch ist offen.`,
  sat: (event, cast) =>
    rich`${Who(cast, event.seat)}${event.bot ? ", ein Bot," : ""} ${does(cast, event.seat, "setzt dich", "setzt sich")}.`,
  stood: (event, cast) => {
    const name = Who(cast, event.seat);
    const lost = does(cast, event.seat, "verlierst", "verliert");
    switch (event.reason) {
      case "stood":
        return rich`${name} ${does(cast, event.seat, "stehst", "steht")} auf.`;
      case "cleared":
        return rich`Platz ${event.seat + 1} ist wieder frei.`;
      case "unready":
        return rich`${name} ${does(cast, event.seat, "warst", "war")} nicht rechtzeitig bereit und ${lost} den Platz.`;
      case "unrevealed":
        return rich`${name} ${does(cast, event.seat, "hast", "hat")} nicht rechtzeitig geantwortet und ${lost} den Platz.`;
    }
  },
  bot_asked: (event) => rich`Platz ${event.seat + 1} wartet auf einen Bot.`,
  bots_offered: () => rich`Noch ist sonst niemand da: Du kannst Bots dazuholen.`,
  readied: (event, cast) => rich`${Who(cast, event.seat)} ${does(cast, event.seat, "bist", "ist")} bereit.`,
  reveal_asked: () => rich`Alle sind bereit; die Karten werden gemeinsam gemischt.`,
  revealed: (event, cast) => rich`${Who(cast, event.seat)} ${does(cast, event.seat, "hast", "hat")} gemischt.`,
  started: (event, cast) =>
    rich`Die Partie beginnt. Reihenfolge: ${listed(
      event.seats.map((_, seat) => who(cast, seat)),
      "und",
    )}.`,
  minded: (event, cast) => {
    const name = Who(cast, event.seat);
    const have = does(cast, event.seat, "hast", "hat");
    switch (event.reason) {
      case "time":
        return rich`Die Zeit ${from(cast, event.seat)} ist um; jetzt spielt die Aushilfe.`;
      case "left":
        return rich`${name} ${have} den Tisch endgültig verlassen; jetzt spielt die Aushilfe.`;
      case "voted":
        return rich`${name} ${does(cast, event.seat, "warst", "war")} lange weg; jetzt spielt die Aushilfe.`;
    }
  },
  back: (event, cast) => rich`${Who(cast, event.seat)} ${does(cast, event.seat, "bist", "ist")} wieder da.`,
  said_next: (event, cast) =>
    rich`${Who(cast, event.seat)} ${does(cast, event.seat, "bist", "ist")} bereit für die nächste Runde.`,
  voted: (event, cast) =>
    rich`${Who(cast, event.seat)} ${does(cast, event.seat, "stimmst", "stimmt")} dafür, dass die Aushilfe für ${event.against === cast.you ? "dich" : who(cast, event.against)} spielt.`,
  rematch_made: (event, cast) =>
    rich`${Who(cast, event.seat)} ${does(cast, event.seat, "möchtest", "möchte")} noch einmal spielen.`,
  table_closed: () => rich`Der Tisch ist geschlossen.`,
  dealt: (event, cast) =>
    rich`Runde ${event.round}: ${event.cards} Karten für jeden. ${Who(cast, event.start)} ${does(cast, event.start, "beginnst", "beginnt")}.`,
  chose: (event, cast) =>
    event.move === null
      ? rich`${Who(cast, event.seat)} ${does(cast, event.seat, "hast", "hat")} gewählt.`
      : event.move === "turn"
        ? rich`${Who(cast, event.seat)} ${does(cast, event.seat, "drehst", "dreht")} die Hand.`
        : rich`${Who(cast, event.seat)} ${does(cast, event.seat, "behältst", "behält")} die Hand, wie sie ist.`,
  showed: (event, cast) =>
    rich`${Who(cast, event.seat)} ${does(cast, event.seat, "zeigst", "zeigt")} ${{ cards: event.cards }}${took(cast, event.seat, event.captured)}.`,
  scouted: (event, cast) =>
    rich`${Who(cast, event.seat)} ${does(cast, event.seat, "scoutest", "scoutet")} ${{ cards: [event.card] }} ${from(cast, event.owner)}${event.token ? `; ${token(event, cast)}` : ""}.`,
  scout_showed: (event, cast) =>
    rich`${Who(cast, event.seat)} ${does(cast, event.seat, "scoutest", "scoutet")} ${{ cards: [event.card] }} ${from(cast, event.owner)}, ${does(cast, event.seat, "zeigst", "zeigt")} sofort ${{ cards: event.cards }}${took(cast, event.seat, event.captured)}; ${token(event, cast)}.`,
  round_over: ({ result }, cast) =>
    result.reason === "emptied"
      ? rich`Runde ${result.round} ist vorbei: ${who(cast, result.ender)} ${does(cast, result.ender, "hast", "hat")} die letzte Karte gezeigt.`
      : rich`Runde ${result.round} ist vorbei: Niemand hat den Satz ${from(cast, result.ender)} geschlagen.`,
  game_over: (event, cast) => {
    const points = event.points[event.winners[0] ?? 0] ?? 0;
    const names = listed(
      event.winners.map((seat) => who(cast, seat)),
      "und",
    );
    const you = event.winners.length === 1 && event.winners[0] === cast.you;
    const verb = event.winners.length > 1 ? "teilen sich den Sieg" : you ? "gewinnst" : "gewinnt";
    return rich`Die Partie ist vorbei: ${names} ${verb} mit ${points} ${points === 1 ? "Punkt" : "Punkten"}.`;
  },
};
