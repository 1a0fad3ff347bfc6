/** What outlasts the page: kept in the browser's storage, or in memory where the browser has none for us. */
import type { Shelf } from "../net/nonces";

const PREFIX = "bigtop.";

export const shelf: Shelf = open();

function open(): Shelf {
  try {
    const storage = window.localStorage;
    storage.setItem(`${PREFIX}probe`, "1");
    storage.removeItem(`${PREFIX}probe`);
    return {
      get: (key) => storage.getItem(PREFIX + key),
      put: (key, value) => {
        try {
          storage.setItem(PREFIX + key, value);
        } catch {
          // Full: what is kept there is a convenience, and the page goes on without it.
        }
      },
      drop: (key) => storage.removeItem(PREFIX + key),
    };
  } catch {
    const kept = new Map<string, string>();
    return {
      get: (key) => kept.get(key) ?? null,
      put: (key, value) => void kept.set(key, value),
      drop: (key) => void kept.delete(key),
    };
  }
}
