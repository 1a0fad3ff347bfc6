/** What the person has chosen, kept from visit to visit. */
import { effect, signal, type Signal } from "@preact/signals";
import { shelf } from "./shelf";

function kept<T>(key: string, initial: T, read: (text: string) => T): Signal<T> {
  const text = shelf.get(key);
  const value = signal(text === null ? initial : read(text));
  let first = true;
  effect(() => {
    const now = String(value.value);
    if (!first) shelf.put(key, now);
    first = false;
  });
  return value;
}

const yes = (text: string) => text === "true";

export const sound = kept("sound", false, yes);
export const vibration = kept("vibration", false, yes);
export const bots = kept("bots", 3, (text) => Math.min(4, Math.max(1, Number(text) || 3)));
export const level = kept("level", "", (text) => text);
export const playerName = kept("name", "", (text) => text);
