import type { Card } from "../../game/scout/cards";
import { cardKey } from "../../game/scout/cards";

/**
 * A card's picture. What it is, is said by whatever it is part of; the values are drawn by the style sheet, so that they
 * are no text that would be read out on its own.
 */
export function CardFace({ card, track = false }: { card: Card; track?: boolean }) {
  const [up, down] = card;
  return (
    <span class={`card v${up}`} aria-hidden="true" data-card={track ? cardKey(card) : undefined}>
      <span class="card-up" data-value={up} />
      <span class={`card-down i${down}`} data-value={down} />
    </span>
  );
}

/** A value in a sentence. */
export function Chip({ value }: { value: number }) {
  return <span class={`chip v${value}`}>{value}</span>;
}

/** A fan of card backs, as wide as there are cards, up to a point. */
export function Fan({ cards }: { cards: number }) {
  return (
    <span class="fan" aria-hidden="true">
      {Array.from({ length: Math.min(cards, 12) }, (_, at) => (
        <span class="back" key={at} />
      ))}
    </span>
  );
}
