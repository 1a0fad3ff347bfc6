/** Dragging an end of the active set, or the scouted card, to a place in the hand. Everything works without it, too. */
import { useSignal, type Signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Card } from "../../game/scout/cards";
import { nearestGap } from "../../game/scout/hand";
import { scoutedCard } from "../../game/scout/rules";
import type { Moving } from "./moving";
import { CardFace } from "./Card";

/** A drag begins once the pointer has moved so many pixels; before that it is a touch. */
const SLACK = 8;
/** So far from the hand a card can be let go and still find a gap. */
const REACH = 60;

interface Drag {
  card: Card;
  x: number;
  y: number;
  gap: number | null;
}

export interface Dragging {
  current: Signal<Drag | null>;
  /** Handlers for a card that can be dragged. */
  from(end: "left" | "right" | "ghost"): {
    onPointerDown(event: PointerEvent): void;
    onPointerMove(event: PointerEvent): void;
    onPointerUp(event: PointerEvent): void;
    onPointerCancel(): void;
    onClickCapture(event: Event): void;
  };
}

export function useDragging(moving: Moving | null): Dragging {
  const current = useSignal<Drag | null>(null);
  const begin = useRef<{ x: number; y: number } | null>(null);
  const dragged = useRef(false);
  return {
    current,
    from: (end) => ({
      onPointerDown: (event) => {
        dragged.current = false;
        if (event.button !== 0 || !moving?.acting) return;
        begin.current = { x: event.clientX, y: event.clientY };
      },
      onPointerMove: (event) => {
        const from = begin.current;
        if (!from || !moving) return;
        const [x, y] = [event.clientX, event.clientY];
        if (!dragged.current) {
          if (Math.hypot(x - from.x, y - from.y) < SLACK) return;
          (event.currentTarget as Element).setPointerCapture(event.pointerId);
          dragged.current = true;
          if (end !== "ghost" && moving.draft.end !== end) moving.takeEnd(end);
        }
        const side = end === "ghost" ? moving.draft.end : moving.turn.table.length === 1 ? "left" : end;
        const turn = end === "ghost" || moving.draft.end === end ? moving.draft.turn : false;
        if (side === null) return;
        const card = scoutedCard(moving.turn.table, { right: side === "right", turn, gap: 0 });
        current.value = { card, x, y, gap: gapAt(x, y) };
      },
      onPointerUp: () => {
        const gap = current.peek()?.gap ?? null;
        begin.current = null;
        current.value = null;
        if (dragged.current && gap !== null) moving?.place(gap);
      },
      onPointerCancel: () => {
        begin.current = null;
        current.value = null;
      },
      onClickCapture: (event) => {
        if (!dragged.current) return;
        dragged.current = false;
        event.stopPropagation();
        event.preventDefault();
      },
    }),
  };
}

/** The card beneath the pointer while it is dragged. */
export function Dragged({ dragging }: { dragging: Dragging }) {
  const drag = dragging.current.value;
  if (!drag) return null;
  return (
    <div class="dragged" aria-hidden="true" style={{ transform: `translate(${drag.x}px, ${drag.y}px)` }}>
      <CardFace card={drag.card} />
    </div>
  );
}

function gapAt(x: number, y: number): number | null {
  const rects = [...document.querySelectorAll("[data-hand]")].map((card) => card.getBoundingClientRect());
  if (rects.length === 0) return document.querySelector(".hand") ? 0 : null;
  const top = Math.min(...rects.map((rect) => rect.top));
  const bottom = Math.max(...rects.map((rect) => rect.bottom));
  return y < top - REACH || y > bottom + REACH ? null : nearestGap(rects, x, y);
}
