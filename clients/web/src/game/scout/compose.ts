/**
 * Composing a move step by step; nothing is sent before it is confirmed.
 *
 *     rest ── touch an end ──> placing ── touch a gap ──> placed ── touch a card ──> showing
 *      │ touch cards: a Show                  confirm: a Scout         confirm: a Scout & Show
 *
 * `back` goes back one step. A draft holds only what was chosen, so that it can be laid over any newer view.
 */
import type { Card } from "./cards";
import { write, type Move, type Scout } from "./moves";
import {
  afterScout,
  scoutProblem,
  scoutShowProblem,
  scoutedCard,
  showProblem,
  type ScoutShowProblem,
  type ShowProblem,
  type Turn,
} from "./rules";

/** Neighbouring cards, from the left: indexes in the hand as it is shown, so after the Scout if there is one. */
export interface Span {
  from: number;
  to: number;
}

export interface Draft {
  end: "left" | "right" | null;
  turn: boolean;
  gap: number | null;
  /** The person goes on to a Show after the Scout. */
  onward: boolean;
  span: Span | null;
}

export const EMPTY: Draft = { end: null, turn: false, gap: null, onward: false, span: null };

export type Stage = "rest" | "placing" | "placed" | "showing";

export function stageOf(draft: Draft): Stage {
  if (draft.end === null) return "rest";
  if (draft.gap === null) return "placing";
  return draft.onward ? "showing" : "placed";
}

/** Take an end of the active set; the same end again lays it back, the other end is taken instead. */
export function takeEnd(draft: Draft, turn: Turn, end: "left" | "right"): Draft {
  if (scoutProblem(turn) !== null) return draft;
  if (draft.end === end) return EMPTY;
  return { ...EMPTY, end: turn.table.length === 1 ? "left" : end };
}

/** Put the scouted card at a gap, also if it is in the hand already. The gaps are those of the hand without it. */
export function place(draft: Draft, turn: Turn, gap: number): Draft {
  if (draft.end === null || gap < 0 || gap > turn.hand.length) return draft;
  return { ...draft, gap, span: null };
}

/** Move the scouted card in the hand by so many places. */
export function shift(draft: Draft, turn: Turn, by: number): Draft {
  return draft.gap === null ? draft : place(draft, turn, draft.gap + by);
}

/** Turn the scouted card over. */
export function flip(draft: Draft): Draft {
  return draft.end === null ? draft : { ...draft, turn: !draft.turn };
}

/** Go on to the Show of a Scout & Show. */
export function goOn(draft: Draft, turn: Turn): Draft {
  if (draft.gap === null || scoutShowProblem(turn) !== null) return draft;
  return { ...draft, onward: true };
}

/**
 * Touch a card of the hand as it is shown. The first touch chooses one card, the second a span; a neighbour of a span is
 * added, an end of it left out, and any other card begins anew. The scouted card is turned until the Show is chosen.
 */
export function touch(draft: Draft, turn: Turn, index: number): Draft {
  const stage = stageOf(draft);
  if (stage === "placing") return draft;
  if (stage === "placed") {
    if (index === draft.gap) return flip(draft);
    const onward = goOn(draft, turn);
    return onward === draft ? draft : { ...onward, span: { from: index, to: index } };
  }
  return { ...draft, span: touched(draft.span, index) };
}

/** Choose all cards between two, as by dragging across them or with the shift key. */
export function choose(draft: Draft, turn: Turn, one: number, other: number): Draft {
  const stage = stageOf(draft);
  if (stage === "placing") return draft;
  const onward = stage === "placed" ? goOn(draft, turn) : draft;
  if (stage === "placed" && onward === draft) return draft;
  return { ...onward, span: { from: Math.min(one, other), to: Math.max(one, other) } };
}

function touched(span: Span | null, index: number): Span | null {
  if (span === null) return { from: index, to: index };
  const { from, to } = span;
  if (from === to) return index === from ? null : { from: Math.min(from, index), to: Math.max(to, index) };
  if (index === from - 1) return { from: index, to };
  if (index === to + 1) return { from, to: index };
  if (index === from) return { from: from + 1, to };
  if (index === to) return { from, to: to - 1 };
  return { from: index, to: index };
}

/** Back one step. */
export function back(draft: Draft): Draft {
  if (draft.span !== null) return { ...draft, span: null };
  switch (stageOf(draft)) {
    case "showing":
      return { ...draft, onward: false };
    case "placed":
      return { ...draft, gap: null };
    default:
      return EMPTY;
  }
}

/** What the person sees, and what the button does. */
export interface Preview {
  stage: Stage;
  hand: Card[];
  table: Card[];
  /** Where the scouted card lies in `hand`. */
  ghost: number | null;
  /** The scouted card as it will lie; it is held while it has no place yet. */
  card: Card | null;
  span: Span | null;
  chosen: Card[];
  /** The move in notation; `null` while there is none, or a problem. */
  move: string | null;
  problem: ShowProblem | { kind: "scoutShow"; why: ScoutShowProblem } | null;
  captures: number;
}

export function preview(draft: Draft, turn: Turn): Preview {
  const stage = stageOf(draft);
  const scout: Scout | null =
    draft.end === null ? null : { right: draft.end === "right", turn: draft.turn, gap: draft.gap ?? 0 };
  const after = scout && afterScout(turn.hand, turn.table, scout);
  const hand = after && draft.gap !== null ? after.hand : [...turn.hand];
  const table = after ? after.table : [...turn.table];
  const span = draft.span;
  const chosen = span ? hand.slice(span.from, span.to + 1) : [];
  const view = { stage, hand, table, ghost: draft.gap, card: scout && scoutedCard(turn.table, scout), span, chosen };
  const none = { ...view, move: null, problem: null, captures: 0 };
  if (span) {
    const why = scout ? scoutShowProblem(turn) : null;
    const problem = why ? ({ kind: "scoutShow", why } as const) : showProblem(chosen, table);
    if (problem) return { ...none, problem };
    const show = { first: span.from, count: span.to - span.from + 1 };
    const move: Move = scout ? { kind: "scoutShow", scout, show } : { kind: "show", show };
    return { ...view, move: write(move), problem: null, captures: table.length };
  }
  if (stage === "placed" && scout) return { ...none, move: write({ kind: "scout", scout }) };
  return none;
}

/** Whether a draft can still be laid over a turn: it cannot once the table has changed beneath it. */
export function fits(draft: Draft, turn: Turn): boolean {
  if (draft.end !== null && turn.table.length === 0) return false;
  if (draft.end === "right" && turn.table.length < 2) return false;
  if (draft.gap !== null && draft.gap > turn.hand.length) return false;
  const size = turn.hand.length + (draft.gap === null ? 0 : 1);
  return draft.span === null || draft.span.to < size;
}
