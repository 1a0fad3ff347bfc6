/** Cards as they lie: the upper value, which counts, then the other half. */
export type Card = readonly [up: number, down: number];

export function turned([up, down]: Card): Card {
  return [down, up];
}

export function ups(cards: readonly Card[]): number[] {
  return cards.map(([up]) => up);
}

/** The same text for a card whichever way it lies; no card is there twice. */
export function cardKey([up, down]: Card): string {
  return up < down ? `${up}/${down}` : `${down}/${up}`;
}
