/** What sentences are about, as values: the words for them are in the languages. */
import type { ScoutShowProblem } from "../game/scout/rules";
import { kindOf, type SetKind } from "../game/scout/sets";

/** What a set is. */
export interface Summary {
  kind: SetKind;
  values: readonly number[];
}

export type Problem =
  | { kind: "notASet" }
  | { kind: "notStronger"; summary: Summary }
  | { kind: ScoutShowProblem }
  | { kind: "notYourTurn" }
  | { kind: "minded" }
  | { kind: "offline" };

export function summaryOf(values: readonly number[]): Summary | null {
  const kind = kindOf(values);
  return kind && { kind, values };
}
