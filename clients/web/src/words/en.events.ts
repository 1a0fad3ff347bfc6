/** What happens at a table, as English sentences. */
import type { AnyEvent, Scouted, ScoutShowed } from "../protocol/types";
import type { Cast } from "./cast";
import { Who, who, whose } from "./en.names";
import { listed, rich, type Rich } from "./rich";

type Kinds = AnyEvent["kind"];
export type EventWords = { [K in Kinds]: (event: Extract<AnyEvent, { kind: K }>, cast: Cast) => Rich };

/** The form of a verb that fits: `you show`, `Ada shows`. */
function does(cast: Cast, seat: number, second: string, third: string): string {
  return seat === cast.you ? second : third;
}

function taking(captured: number): string {
  return captured ? ` and ${captured === 1 ? "takes the card" : `takes ${captured} cards`}` : "";
}

function took(cast: Cast, seat: number, captured: number): string {
  const text = taking(captured);
  return seat === cast.you ? text.replace("takes", "take") : text;
}

function token(event: Scouted | ScoutShowed, cast: Cast): string {
  return `${who(cast, event.owner)} ${does(cast, event.owner, "get", "gets")} a token`;
}

export const enEvents: EventWords = {
  created: () => rich`The table is open.`,
  sat: (event, cast) =>
    rich`${Who(cast, event.seat)}${event.bot ? ", a bot," : ""} ${does(cast, event.seat, "sit", "sits")} down.`,
  stood: (event, cast) => {
    const [name, was] = [Who(cast, event.seat), does(cast, event.seat, "were", "was")];
    switch (event.reason) {
      case "stood":
        return rich`${name} ${does(cast, event.seat, "stand", "stands")} up.`;
      case "cleared":
        return rich`Seat ${event.seat + 1} is free again.`;
      case "unready":
        return rich`${name} ${was} not ready in time and ${does(cast, event.seat, "lose", "loses")} the seat.`;
      case "unrevealed":
        return rich`${name} did not answer in time and ${does(cast, event.seat, "lose", "loses")} the seat.`;
    }
  },
  bot_asked: (event) => rich`Seat ${event.seat + 1} waits for a bot.`,
  bots_offered: () => rich`Nobody else has come yet: you may ask for bots.`,
  readied: (event, cast) => rich`${Who(cast, event.seat)} ${does(cast, event.seat, "are", "is")} ready.`,
  reveal_asked: () => rich`All are ready; the cards are being shuffled together.`,
  revealed: (event, cast) => rich`${Who(cast, event.seat)} ${does(cast, event.seat, "have", "has")} shuffled.`,
  started: (event, cast) =>
    rich`The match begins. In the order of play: ${listed(
      event.seats.map((_, seat) => who(cast, seat)),
      "and",
    )}.`,
  minded: (event, cast) => {
    const name = Who(cast, event.seat);
    const have = does(cast, event.seat, "have", "has");
    switch (event.reason) {
      case "time":
        return rich`${event.seat === cast.you ? "Your" : `${name}'s`} time has run out; now the minder plays.`;
      case "left":
        return rich`${name} ${have} left for good; now the minder plays.`;
      case "voted":
        return rich`${name} ${have} been away for long; now the minder plays.`;
    }
  },
  back: (event, cast) => rich`${Who(cast, event.seat)} ${does(cast, event.seat, "are", "is")} back.`,
  said_next: (event, cast) =>
    rich`${Who(cast, event.seat)} ${does(cast, event.seat, "are", "is")} ready for the next round.`,
  voted: (event, cast) =>
    rich`${Who(cast, event.seat)} ${does(cast, event.seat, "vote", "votes")} that the minder plays for ${who(cast, event.against)}.`,
  rematch_made: (event, cast) => rich`${Who(cast, event.seat)} ${does(cast, event.seat, "ask", "asks")} for a rematch.`,
  table_closed: () => rich`The table is closed.`,
  dealt: (event, cast) =>
    rich`Round ${event.round}: ${event.cards} cards each. ${Who(cast, event.start)} ${does(cast, event.start, "begin", "begins")}.`,
  chose: (event, cast) =>
    event.move === null
      ? rich`${Who(cast, event.seat)} ${does(cast, event.seat, "have", "has")} chosen.`
      : event.move === "turn"
        ? rich`${Who(cast, event.seat)} ${does(cast, event.seat, "turn", "turns")} the hand.`
        : rich`${Who(cast, event.seat)} ${does(cast, event.seat, "keep", "keeps")} the hand.`,
  showed: (event, cast) =>
    rich`${Who(cast, event.seat)} ${does(cast, event.seat, "show", "shows")} ${{ cards: event.cards }}${took(cast, event.seat, event.captured)}.`,
  scouted: (event, cast) =>
    rich`${Who(cast, event.seat)} ${does(cast, event.seat, "scout", "scouts")} ${{ cards: [event.card] }} from ${whose(cast, event.owner)} set${event.token ? `; ${token(event, cast)}` : ""}.`,
  scout_showed: (event, cast) =>
    rich`${Who(cast, event.seat)} ${does(cast, event.seat, "scout", "scouts")} ${{ cards: [event.card] }} from ${whose(cast, event.owner)} set and at once ${does(cast, event.seat, "show", "shows")} ${{ cards: event.cards }}${took(cast, event.seat, event.captured)}; ${token(event, cast)}.`,
  round_over: ({ result }, cast) =>
    result.reason === "emptied"
      ? rich`Round ${result.round} is over: ${who(cast, result.ender)} played the last card.`
      : rich`Round ${result.round} is over: nobody beat ${whose(cast, result.ender)} set.`,
  game_over: (event, cast) => {
    const points = event.points[event.winners[0] ?? 0] ?? 0;
    const names = listed(
      event.winners.map((seat) => who(cast, seat)),
      "and",
    );
    const alone = event.winners[0] !== cast.you && event.winners.length === 1;
    return rich`The match is over: ${names} ${event.winners.length > 1 ? "share the win" : alone ? "wins" : "win"} with ${points} ${points === 1 ? "point" : "points"}.`;
  },
};
