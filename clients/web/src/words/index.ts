/** The words in the person's language. */
import { computed, signal } from "@preact/signals";
import { shelf } from "../state/shelf";
import { chooseLanguage, type Language } from "./choose";
import { de } from "./de";
import { en, type Words } from "./en";

export type { Language };
export const LANGUAGES: Record<Language, Words> = { en, de };

export const language = signal<Language>(first());

export const words = computed<Words>(() => LANGUAGES[language.value]);

export function speak(chosen: Language): void {
  language.value = chosen;
  shelf.put("language", chosen);
}

function first(): Language {
  const kept = shelf.get("language");
  if (kept === "en" || kept === "de") return kept;
  return chooseLanguage(navigator.languages ?? [navigator.language]);
}
