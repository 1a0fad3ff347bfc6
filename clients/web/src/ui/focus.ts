import { useEffect } from "preact/hooks";

/** Whether the person last used the keyboard. */
let keyboard = false;

if (typeof document !== "undefined") {
  document.addEventListener("keydown", () => (keyboard = true), true);
  document.addEventListener("pointerdown", () => (keyboard = false), true);
}

/**
 * When `what` changes and nothing has the focus, the first button in `place` gets it: whoever plays with the keyboard
 * would otherwise have to come from the top of the page at every turn.
 */
export function useFocusIfLost(place: { current: HTMLElement | null }, what: unknown): void {
  useEffect(() => {
    const focused = document.activeElement;
    if (!keyboard || !what) return;
    if (focused !== null && focused !== document.body && focused.id !== "main") return;
    const first = place.current?.querySelector<HTMLElement>("button:not(:disabled):not([tabindex='-1'])");
    first?.focus({ preventScroll: true });
  }, [what]);
}
