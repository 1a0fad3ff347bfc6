/** How long to wait before the next attempt. Nothing here sleeps or makes randomness. */

const FIRST_MS = 200;
const FACTOR = 2;
const CAP_MS = 10_000;

/**
 * Milliseconds to wait before an `attempt`, counted from 0; `chance` is drawn from 0 to 1 by the caller.
 *
 * The first attempt comes within 200 ms, so that a restart is hardly noticed; the jitter keeps many browsers from coming
 * back all at once.
 */
export function delay(attempt: number, chance: number): number {
  const longest = Math.min(CAP_MS, FIRST_MS * FACTOR ** Math.min(attempt, 32));
  return (longest * (1 + chance)) / 2;
}
