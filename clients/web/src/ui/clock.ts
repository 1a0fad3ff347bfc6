import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** Ticks while somebody looks at a clock. */
const now = signal(performance.now());
let lookers = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** Whole seconds until a time of `performance.now()`, never below 0; `null` without a limit. */
export function useSecondsLeft(at: number | null): number | null {
  useEffect(() => {
    if (at === null) return undefined;
    now.value = performance.now();
    if ((lookers += 1) === 1) timer = setInterval(() => (now.value = performance.now()), 250);
    return () => {
      if ((lookers -= 1) === 0) clearInterval(timer);
    };
  }, [at]);
  return at === null ? null : Math.max(0, Math.ceil((at - now.value) / 1000));
}

/** `0:42`, `2:05`, `3 h`, `2 d`. */
export function clock(seconds: number): string {
  if (seconds >= 2 * 86400) return `${Math.floor(seconds / 86400)} d`;
  if (seconds >= 2 * 3600) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
