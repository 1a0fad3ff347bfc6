/** What a seat may do at its turn, and why not. The server decides; this tells the person before. */
import { turned, ups, type Card } from "./cards";
import type { Move, Scout, Show } from "./moves";
import { kindOf, strength } from "./sets";

/** What the rules look at, of one seat's turn. */
export interface Turn {
  players: number;
  hand: readonly Card[];
  /** The active set. */
  table: readonly Card[];
  /** The seat's own tokens; with two players a Scout costs one. */
  tokens: number;
  /** Whether the seat still has its Scout & Show. */
  scoutShow: boolean;
}

export type ShowProblem =
  | { kind: "notASet" }
  /** What would be needed: at least so many cards, or with as many cards something better. */
  | { kind: "notStronger"; table: number[] };
export type ScoutProblem = "nothing" | "noTokens";
export type ScoutShowProblem = ScoutProblem | "twoPlayers" | "used";

/** Why `cards`, which are neighbours in the hand, cannot beat `table`; `null` if they can. */
export function showProblem(cards: readonly Card[], table: readonly Card[]): ShowProblem | null {
  const values = ups(cards);
  if (kindOf(values) === null) return { kind: "notASet" };
  if (strength(values) <= strength(ups(table))) return { kind: "notStronger", table: ups(table) };
  return null;
}

/** Why the seat cannot Scout; `null` if it can. */
export function scoutProblem(turn: Turn): ScoutProblem | null {
  if (turn.table.length === 0) return "nothing";
  return turn.players === 2 && turn.tokens === 0 ? "noTokens" : null;
}

/** Why the seat cannot Scout & Show, whatever it would show; `null` if that depends on the Show. */
export function scoutShowProblem(turn: Turn): ScoutShowProblem | null {
  if (turn.players === 2) return "twoPlayers";
  if (!turn.scoutShow) return "used";
  return scoutProblem(turn);
}

/** The card that a Scout takes, as it will lie in the hand. */
export function scoutedCard(table: readonly Card[], scout: Scout): Card {
  const card = table[scout.right ? table.length - 1 : 0];
  if (card === undefined) throw new Error("There is nothing to scout.");
  return scout.turn ? turned(card) : card;
}

/** Hand and table after a Scout. */
export function afterScout(
  hand: readonly Card[],
  table: readonly Card[],
  scout: Scout,
): { hand: Card[]; table: Card[] } {
  const card = scoutedCard(table, scout);
  return {
    hand: [...hand.slice(0, scout.gap), card, ...hand.slice(scout.gap)],
    table: scout.right ? table.slice(0, -1) : table.slice(1),
  };
}

/** Every legal Show of a hand onto a table. */
export function legalShows(hand: readonly Card[], table: readonly Card[]): Show[] {
  const shows: Show[] = [];
  const floor = strength(ups(table));
  const values = ups(hand);
  for (let first = 0; first < values.length; first += 1) {
    for (let count = 1; first + count <= values.length; count += 1) {
      const offered = strength(values.slice(first, first + count));
      if (offered === 0) break; // no longer set begins with what is none
      if (offered > floor) shows.push({ first, count });
    }
  }
  return shows;
}

/** Every Scout that is open to the seat. */
export function legalScouts(turn: Turn): Scout[] {
  if (scoutProblem(turn) !== null) return [];
  const scouts: Scout[] = [];
  for (const right of turn.table.length > 1 ? [false, true] : [false])
    for (const turned of [false, true])
      for (let gap = 0; gap <= turn.hand.length; gap += 1) scouts.push({ right, turn: turned, gap });
  return scouts;
}

/** Every legal move of a seat's turn. */
export function legalMoves(turn: Turn): Move[] {
  const scouts = legalScouts(turn);
  const moves: Move[] = [
    ...legalShows(turn.hand, turn.table).map((show): Move => ({ kind: "show", show })),
    ...scouts.map((scout): Move => ({ kind: "scout", scout })),
  ];
  if (scoutShowProblem(turn) !== null) return moves;
  for (const scout of scouts) {
    const after = afterScout(turn.hand, turn.table, scout);
    for (const show of legalShows(after.hand, after.table)) moves.push({ kind: "scoutShow", scout, show });
  }
  return moves;
}

/** The indexes of cards that take part in some legal Show: these are lifted a little. */
export function playable(hand: readonly Card[], table: readonly Card[]): ReadonlySet<number> {
  const cards = new Set<number>();
  for (const { first, count } of legalShows(hand, table))
    for (let at = first; at < first + count; at += 1) cards.add(at);
  return cards;
}
