/** The course of a match with all hands open, for replays: a state, and what a deal or a move makes of it. */
import type { AnyEvent, RoundResult, ScoutView } from "../../protocol/types";
import { turned, type Card } from "./cards";
import { write, type Move, type Scout, type Show } from "./moves";
import { afterScout, legalShows } from "./rules";

export interface Deal {
  start: number;
  hands: Card[][];
}

export interface State {
  players: number;
  round: number;
  phase: ScoutView["phase"];
  start: number | null;
  turn: number | null;
  hands: readonly (readonly Card[])[];
  turned: readonly (boolean | null)[];
  active: readonly Card[];
  owner: number | null;
  scouts: number;
  captured: readonly number[];
  tokens: readonly number[];
  scoutShow: readonly boolean[];
  results: readonly RoundResult[];
}

/** A state and what happened to make it, as it is told. */
export interface Made {
  state: State;
  events: AnyEvent[];
}

export function initial(players: number): State {
  return {
    players,
    round: 0,
    phase: "deal",
    start: null,
    turn: null,
    hands: all(players, []),
    turned: all(players, null),
    active: [],
    owner: null,
    scouts: 0,
    captured: all(players, 0),
    tokens: all(players, 0),
    scoutShow: all(players, players > 2),
    results: [],
  };
}

export function deal(before: State, { start, hands }: Deal): Made {
  const { players } = before;
  const round = before.round + 1;
  const state: State = {
    ...initial(players),
    round,
    phase: "orient",
    start,
    hands,
    tokens: all(players, players === 2 ? 3 : 0),
    results: before.results,
  };
  return { state, events: [{ kind: "dealt", round, start, cards: hands[0]?.length ?? 0 }] };
}

/** The state after a legal move of a seat. */
export function apply(before: State, seat: number, move: Move): Made {
  const text = write(move);
  if (move.kind === "orient") {
    return { state: orient(before, seat, move.turn), events: [{ kind: "chose", seat, move: text }] };
  }
  const { active, owner } = before;
  if (move.kind === "show") {
    const state = show(before, seat, move.show);
    const event: AnyEvent = { kind: "showed", seat, cards: state.active, captured: active.length, move: text };
    return finished(before, state, event);
  }
  const card = active[move.scout.right ? active.length - 1 : 0];
  if (card === undefined || owner === null) throw new Error("There is nothing to scout.");
  const about = { seat, card, right: move.scout.right, owner, move: text };
  const scouted = scout(before, seat, move.scout);
  if (move.kind === "scout") {
    return finished(before, afterPlainScout(scouted, seat), { kind: "scouted", ...about, token: before.players > 2 });
  }
  const state = show({ ...scouted, scoutShow: put(scouted.scoutShow, seat, false) }, seat, move.show);
  return finished(before, state, {
    kind: "scout_showed",
    ...about,
    cards: state.active,
    captured: active.length - 1,
  });
}

/** The state as a spectator's view, for the parts of the page that show views. */
export function viewOf(state: State): ScoutView {
  const points = totals(state);
  return {
    game: "scout",
    viewer: null,
    round: state.round,
    rounds: state.players,
    phase: state.phase,
    start: state.start,
    turn: state.turn,
    hand: null,
    turned: null,
    active: state.active,
    owner: state.owner,
    scouts: state.scouts,
    gone: [],
    seats: state.hands.map((hand, seat) => ({
      cards: hand.length,
      captured: state.captured[seat]!,
      tokens: state.tokens[seat]!,
      scout_show: state.scoutShow[seat]!,
      chosen: state.turned[seat] !== null,
      held: [],
      points: points[seat]!,
    })),
    results: state.results,
    winners: state.phase === "over" ? winners(points) : null,
  };
}

export function totals(state: State): number[] {
  return state.hands.map((_, seat) => state.results.reduce((sum, result) => sum + result.scores[seat]!, 0));
}

function winners(points: readonly number[]): number[] {
  const most = Math.max(...points);
  return points.flatMap((each, seat) => (each === most ? [seat] : []));
}

function orient(before: State, seat: number, turn: boolean): State {
  const choices = put(before.turned, seat, turn);
  const done = !choices.includes(null);
  return {
    ...before,
    hands: turn ? put(before.hands, seat, before.hands[seat]!.map(turned)) : before.hands,
    turned: choices,
    phase: done ? "play" : "orient",
    turn: done ? before.start : null,
  };
}

function show(before: State, seat: number, { first, count }: Show): State {
  const hand = before.hands[seat]!;
  const left = [...hand.slice(0, first), ...hand.slice(first + count)];
  const state: State = {
    ...before,
    hands: put(before.hands, seat, left),
    captured: put(before.captured, seat, before.captured[seat]! + before.active.length),
    active: hand.slice(first, first + count),
    owner: seat,
    scouts: 0,
    turn: (seat + 1) % before.players,
  };
  return left.length === 0 ? over(state, "emptied", seat) : unlessStuck(state);
}

function scout(before: State, seat: number, taken: Scout): State {
  const { hand, table } = afterScout(before.hands[seat]!, before.active, taken);
  const [payer, change] = before.players === 2 ? [seat, -1] : [before.owner!, 1];
  return {
    ...before,
    hands: put(before.hands, seat, hand),
    active: table,
    tokens: put(before.tokens, payer, before.tokens[payer]! + change),
    scouts: before.scouts + 1,
  };
}

function afterPlainScout(state: State, seat: number): State {
  if (state.players === 2) return unlessStuck(state); // the same player stays on turn
  if (state.scouts === state.players - 1) return over(state, "unbeaten", state.owner!);
  return { ...state, turn: (seat + 1) % state.players };
}

/** With two players the round ends when the player on turn can neither Show nor Scout. */
function unlessStuck(state: State): State {
  const seat = state.turn;
  if (state.players > 2 || seat === null) return state;
  if (state.tokens[seat]! > 0 && state.active.length > 0) return state;
  return legalShows(state.hands[seat]!, state.active).length > 0 ? state : over(state, "unbeaten", state.owner!);
}

function over(state: State, reason: RoundResult["reason"], ender: number): State {
  const waived = reason === "unbeaten" ? ender : null;
  const hand = state.hands.map((cards) => cards.length);
  const scores = hand.map((left, seat) => state.captured[seat]! + state.tokens[seat]! - (seat === waived ? 0 : left));
  const { round, captured, tokens } = state;
  const result: RoundResult = { round, reason, ender, captured, tokens, hand, waived, scores };
  const last = round === state.players;
  return { ...state, phase: last ? "over" : "deal", turn: null, results: [...state.results, result] };
}

function finished(before: State, state: State, event: AnyEvent): Made {
  const events = [event];
  const result = state.results[before.results.length];
  if (result !== undefined) events.push({ kind: "round_over", result });
  if (state.phase === "over") {
    const points = totals(state);
    events.push({ kind: "game_over", points, winners: winners(points) });
  }
  return { state, events };
}

function all<T>(count: number, value: T): T[] {
  return Array.from({ length: count }, () => value);
}

function put<T>(values: readonly T[], index: number, value: T): T[] {
  return values.map((old, at) => (at === index ? value : old));
}
