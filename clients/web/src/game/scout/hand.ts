/** How a hand is laid out: cards overlap as they grow in number, and wrap before they become too narrow to touch. */

export interface HandLayout {
  rows: number;
  perRow: number;
  /** From one card's left edge to the next one's, in pixels. */
  pitch: number;
  cardWidth: number;
  cardHeight: number;
}

/** A finger needs so many pixels. */
export const TOUCH = 44;
const GAP = 6;
const WIDE = 700;

export function layoutHand(cards: number, width: number): HandLayout {
  const wide = width >= WIDE;
  const full = wide ? 84 : 58;
  const count = Math.max(1, cards);
  const most = Math.max(1, Math.floor((width - (full - TOUCH)) / TOUCH));
  const comfortable = Math.max(1, Math.floor((width + GAP) / (full + GAP)));
  const limit = wide ? most : Math.max(comfortable, Math.min(7, most));
  const rows = Math.ceil(count / limit);
  const perRow = Math.ceil(count / rows);
  const pitch = perRow === 1 ? full + GAP : Math.min(full + GAP, Math.floor((width - full) / (perRow - 1)));
  const cardHeight = wide ? (rows > 1 ? 100 : 124) : rows > 3 ? 54 : rows > 2 ? 70 : 84;
  return { rows, perRow, pitch: Math.max(TOUCH, pitch), cardWidth: full, cardHeight };
}

/** Which gap lies nearest to a point, given each card's rectangle: before card 0, …, after the last one. */
export function nearestGap(
  rects: readonly { left: number; right: number; top: number; bottom: number }[],
  x: number,
  y: number,
): number {
  let best = 0;
  let least = Infinity;
  rects.forEach((rect, at) => {
    const outside = Math.max(rect.top - y, y - rect.bottom, 0);
    for (const [gap, edge] of [
      [at, rect.left],
      [at + 1, rect.right],
    ] as const) {
      const distance = outside * 4 + Math.abs(x - edge);
      if (distance < least) [least, best] = [distance, gap];
    }
  });
  return best;
}
