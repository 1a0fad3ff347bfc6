/**
 * Cards fly from where they were to where they are: a scouted card into the hand that took it, a set onto the table,
 * beaten cards to whoever beat them. What lies in a hidden hand flies to and from its seat.
 */
import { useLayoutEffect, useRef } from "preact/hooks";

const FLIGHT_MS = 260;

export function useFlights(place: { current: HTMLElement | null }, version: number, actor: number | null): void {
  const before = useRef<{ version: number; rects: Map<string, DOMRect>; cards: Map<string, HTMLElement> } | null>(null);
  useLayoutEffect(() => {
    const root = place.current;
    if (!root) return;
    const cards = new Map<string, HTMLElement>();
    const rects = new Map<string, DOMRect>();
    for (const card of root.querySelectorAll<HTMLElement>("[data-card]")) {
      const key = card.dataset["card"]!;
      cards.set(key, card);
      rects.set(key, card.getBoundingClientRect());
    }
    const last = before.current;
    before.current = { version, rects, cards };
    if (last === null || last.version === version || calm()) return;
    const seat = actor === null ? null : root.querySelector(`[data-seat="${actor}"]`)?.getBoundingClientRect();
    if (!seat) return;
    for (const [key, card] of cards) {
      const from = last.rects.get(key) ?? seat;
      fly(card, from, rects.get(key)!);
    }
    for (const [key, from] of last.rects) if (!rects.has(key)) leave(last.cards.get(key)!, from, seat);
  });
}

function calm(): boolean {
  return document.hidden || window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function fly(card: HTMLElement, from: DOMRect, to: DOMRect): void {
  const [x, y] = [middle(from)[0] - middle(to)[0], middle(from)[1] - middle(to)[1]];
  if (Math.hypot(x, y) < 4) return;
  card.animate(
    [
      { transform: `translate(${x}px, ${y}px)`, zIndex: 5 },
      { transform: "none", zIndex: 5 },
    ],
    {
      duration: FLIGHT_MS,
      easing: "cubic-bezier(.2,.7,.3,1)",
    },
  );
}

/** A card that is gone from sight flies to a seat as a copy. */
function leave(card: HTMLElement, from: DOMRect, seat: DOMRect): void {
  const copy = card.cloneNode(true) as HTMLElement;
  copy.removeAttribute("data-card");
  copy.classList.add("flying");
  const size = { left: `${from.left}px`, top: `${from.top}px`, width: `${from.width}px`, height: `${from.height}px` };
  Object.assign(copy.style, size);
  copy.style.setProperty("--w", `${from.width}px`);
  copy.style.setProperty("--h", `${from.height}px`);
  document.body.append(copy);
  const [x, y] = [middle(seat)[0] - middle(from)[0], middle(seat)[1] - middle(from)[1]];
  const flight = copy.animate(
    [
      { transform: "none", opacity: 1 },
      { transform: `translate(${x}px, ${y}px) scale(.4)`, opacity: 0.3 },
    ],
    { duration: FLIGHT_MS, easing: "ease-in" },
  );
  flight.onfinish = () => copy.remove();
  flight.oncancel = () => copy.remove();
}

function middle(rect: DOMRect): [number, number] {
  return [rect.left + rect.width / 2, rect.top + rect.height / 2];
}
