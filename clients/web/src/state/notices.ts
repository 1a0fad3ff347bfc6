/** Short messages to the person: shown for a while, and read out. */
import { signal } from "@preact/signals";

export interface Notice {
  id: number;
  text: string;
  bad: boolean;
}

const SHOWN_MS = 6000;
let last = 0;

export const notices = signal<readonly Notice[]>([]);
/** What a screen reader should say now. */
export const announcement = signal("");

export function notify(text: string, bad = false): void {
  const id = (last += 1);
  notices.value = [...notices.value.filter((notice) => notice.text !== text), { id, text, bad }];
  setTimeout(() => dismiss(id), SHOWN_MS);
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}

export function announce(text: string): void {
  announcement.value = text;
}
