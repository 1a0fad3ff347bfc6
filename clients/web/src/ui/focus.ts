import { useEffect } from "preact/hooks";

/**
 * When `what` changes and nothing has the focus, the first button in `place` gets it: whoever plays with the keyboard
 * would otherwise have to come from the top of the page at every turn.
 */
export function useFocusIfLost(place: { current: HTMLElement | null }, what: unknown): void {
  useEffect(() => {
    const focused = document.activeElement;
    if (!what || (focused !== null && focused !== document.body && focused.id !== "main")) return;
    const first = place.current?.querySelector<HTMLElement>("button:not(:disabled):not([tabindex='-1'])");
    first?.focus({ preventScroll: true });
  }, [what]);
}
