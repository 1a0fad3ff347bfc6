/** Sets and their strength. */

export type SetKind = "single" | "match" | "run";

/** What `values`, from left to right, are; `null` if they are no set. */
export function kindOf(values: readonly number[]): SetKind | null {
  const [first, second] = values;
  if (first === undefined) return null;
  if (second === undefined) return "single";
  const step = second - first;
  if (Math.abs(step) > 1) return null;
  for (let at = 2; at < values.length; at += 1) if (values[at]! - values[at - 1]! !== step) return null;
  return step === 0 ? "match" : "run";
}

/**
 * One number, greater for whatever beats something else: more cards, then match over run, then the higher smallest
 * value. 0 for nothing and for what is no set.
 */
export function strength(values: readonly number[]): number {
  const kind = kindOf(values);
  if (kind === null) return 0;
  return values.length * 100 + (kind === "run" ? 0 : 50) + Math.min(...values);
}
