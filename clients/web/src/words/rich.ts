/** Sentences with cards in them. */
import type { Card } from "../game/scout/cards";

export type Part = string | { cards: readonly Card[] } | { values: readonly number[] };
export type Rich = readonly Part[];

/** A sentence as a template, in which lists of cards become pictures. */
export function rich(texts: TemplateStringsArray, ...parts: (Part | number | Rich)[]): Rich {
  const all: Part[] = [];
  texts.forEach((text, at) => {
    if (text) all.push(text);
    const part = parts[at];
    if (part === undefined) return;
    if (typeof part === "number") all.push(String(part));
    else if (Array.isArray(part)) all.push(...(part as Rich));
    else all.push(part as Part);
  });
  return all;
}

/** The same for ears and for logs without pictures. */
export function plain(sentence: Rich): string {
  return sentence
    .map((part) =>
      typeof part === "string"
        ? part
        : "cards" in part
          ? part.cards.map(([up]) => up).join("-")
          : part.values.join("-"),
    )
    .join("");
}

/** `A, B and C`. */
export function listed(items: readonly string[], and: string): string {
  return items.length < 2 ? (items[0] ?? "") : `${items.slice(0, -1).join(", ")} ${and} ${items.at(-1)}`;
}
