/** The move that the person composes, laid over what is on the screen. */
import { useSignal } from "@preact/signals";
import {
  EMPTY,
  back,
  choose,
  fits,
  flip,
  goOn,
  place,
  preview,
  shift,
  takeEnd,
  touch,
  type Draft,
  type Preview,
} from "../../game/scout/compose";
import { scoutProblem, scoutShowProblem, type Turn } from "../../game/scout/rules";
import type { View } from "../../protocol/types";
import { link, tell } from "../../state/app";
import { summaryOf, type Problem } from "../../words/about";

export interface Moving {
  turn: Turn;
  draft: Draft;
  preview: Preview;
  /** It is this person's turn, and nothing stands in the way of acting. */
  acting: boolean;
  /** The ends of the active set can be taken now. */
  scoutable: boolean;
  /** A Show may follow a Scout. */
  onwardAllowed: boolean;
  /** Why the composed move cannot be made; `null` if it can, or if none is composed. */
  problem: Problem | null;
  sending: boolean;
  takeEnd(end: "left" | "right"): void;
  place(gap: number): void;
  shift(by: number): void;
  flip(): void;
  goOn(): void;
  touch(index: number): void;
  choose(one: number, other: number): void;
  back(): void;
  confirm(): void;
}

/** `null` unless the person has a hand and the round is being played. */
export function useMoving(view: View, ready: boolean): Moving | null {
  const kept = useSignal<{ draft: Draft; of: string }>({ draft: EMPTY, of: "" });
  const sending = useSignal<number | null>(null);
  const game = view.game;
  const own = view.you;
  const playing = game !== null && own !== null && game.hand !== null && game.phase === "play";
  const turn: Turn = {
    players: view.seats.length,
    hand: game?.hand ?? [],
    table: game?.active ?? [],
    tokens: own === null ? 0 : (game?.seats[own]?.tokens ?? 0),
    scoutShow: own === null ? false : (game?.seats[own]?.scout_show ?? false),
  };
  const of = JSON.stringify([view.table, turn.hand]);
  const mine = view.decision !== null;
  // A draft outlives what others do, as long as it still makes sense; the own move and a new hand end it. It names the
  // hand that it is of: an effect that empties it would come late, and undo a touch that came before.
  const last = kept.value.of === of ? kept.value.draft : EMPTY;
  const draft = fits(last, turn) && (mine || last.end === null) ? last : EMPTY;
  if (!playing) return null;

  const minded = view.seats[own]!.minded;
  const online = link.value === "online";
  const acting = mine && !minded && ready && online;
  const seen = preview(draft, turn);
  const set = (next: Draft) => {
    kept.value = { draft: next, of };
  };
  const composed = seen.problem
    ? seen.problem.kind === "scoutShow"
      ? { kind: seen.problem.why }
      : seen.problem.kind === "notStronger"
        ? { kind: "notStronger" as const, summary: summaryOf(seen.problem.table)! }
        : seen.problem
    : null;
  const hindrance: Problem | null = !mine
    ? { kind: "notYourTurn" }
    : minded
      ? { kind: "minded" }
      : !online
        ? { kind: "offline" }
        : null;
  return {
    turn,
    draft,
    preview: seen,
    acting,
    scoutable: acting && scoutProblem(turn) === null,
    onwardAllowed: scoutShowProblem(turn) === null,
    problem: composed ?? (seen.move ? hindrance : null),
    sending: sending.value === view.decision && mine,
    takeEnd: (end) => acting && set(takeEnd(draft, turn, end)),
    place: (gap) => set(place(draft, turn, gap)),
    shift: (by) => set(shift(draft, turn, by)),
    flip: () => set(flip(draft)),
    goOn: () => set(goOn(draft, turn)),
    touch: (index) => set(touch(draft, turn, index)),
    choose: (one, other) => set(choose(draft, turn, one, other)),
    back: () => set(back(draft)),
    confirm: () => {
      const { decision, table } = view;
      if (seen.move === null || decision === null || !acting || sending.peek() === decision) return;
      sending.value = decision;
      void tell({ kind: "play", table, decision, move: seen.move }).then((done) => {
        if (done === null) {
          sending.value = null;
          set(EMPTY);
        }
      });
    },
  };
}
