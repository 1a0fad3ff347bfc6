import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Card } from "../../game/scout/cards";
import { cardKey } from "../../game/scout/cards";
import { layoutHand, nearestGap } from "../../game/scout/hand";
import { playable } from "../../game/scout/rules";
import { words } from "../../words";
import { useFocusIfLost } from "../focus";
import { Turn as TurnIcon } from "../icons";
import { CardFace } from "./Card";
import type { Dragging } from "./dragging";
import type { Moving } from "./moving";

interface Props {
  hand: readonly Card[];
  moving: Moving | null;
  dragging: Dragging;
}

/** The own hand: cards to be touched, and while a scouted card is held, the gaps between them. */
export function Hand({ hand, moving, dragging }: Props) {
  const known = words.value;
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const layout = layoutHand(hand.length, width);
  const stage = moving?.preview.stage ?? "rest";
  const placing = stage === "placing";
  const size = {
    "--w": `${layout.cardWidth}px`,
    "--h": `${layout.cardHeight}px`,
    "--pitch": `${layout.pitch}px`,
    "--per-row": layout.perRow,
  };
  useFocusIfLost(place, moving?.acting && moving.preview.stage === "rest" ? `turn ${hand.length}` : null);
  useFocusFollows(place, stage, moving?.preview.ghost ?? null);
  const lifted =
    moving?.acting && (stage === "rest" || stage === "showing") ? playable(hand, moving.preview.table) : null;
  const drop = dragging.current.value?.gap ?? null;
  if (hand.length === 0) return <p class="hand-empty">{known.table.handEmpty}</p>;
  return (
    <div
      ref={place}
      class={`hand hand-${stage}${layout.pitch < layout.cardWidth ? " tight" : ""}`}
      role="group"
      aria-label={known.table.hand(hand.length)}
      style={size}
      onKeyDown={(event) => arrows(event, place.current, moving)}
    >
      <div
        class="hand-cards"
        onClick={(event) =>
          placing && event.target === event.currentTarget && moving?.place(gapNear(place.current, event))
        }
      >
        {hand.map((card, at) => (
          <span
            class="cell"
            key={moving?.preview.ghost === at ? "ghost" : cardKey(card)}
            data-row-start={at % layout.perRow === 0}
          >
            {placing && moving && <Gap hand={hand} gap={at} moving={moving} marked={drop === at} />}
            {!placing && drop === at && moving?.preview.ghost !== at && <span class="drop-mark" />}
            {moving && !placing ? (
              <HandCard
                card={card}
                at={at}
                of={hand.length}
                moving={moving}
                dragging={dragging}
                lifted={lifted?.has(at) ?? false}
              />
            ) : (
              <span
                class="hand-card"
                data-hand={at}
                role="img"
                aria-label={known.card.inHand(...card, at + 1, hand.length)}
              >
                <CardFace card={card} track />
              </span>
            )}
            {placing && moving && at === hand.length - 1 && (
              <Gap hand={hand} gap={hand.length} moving={moving} marked={drop === hand.length} />
            )}
          </span>
        ))}
      </div>
    </div>
  );
}

interface CardProps {
  card: Card;
  at: number;
  of: number;
  moving: Moving;
  dragging: Dragging;
  lifted: boolean;
}

function HandCard({ card, at, of, moving, dragging, lifted }: CardProps) {
  const known = words.value;
  const { span, ghost, stage } = moving.preview;
  const chosen = span !== null && at >= span.from && at <= span.to;
  const isGhost = ghost === at;
  const label = isGhost ? known.card.scouted(...card, at + 1, of) : known.card.inHand(...card, at + 1, of);
  const states = [
    "hand-card",
    chosen && "chosen",
    isGhost && "ghost",
    lifted && "lifted",
    stage === "placed" && "still",
  ];
  const drag = isGhost ? dragging.from("ghost") : across(moving, at);
  const focusable = at === (span?.to ?? ghost ?? 0);
  return (
    <button
      class={states.filter(Boolean).join(" ")}
      data-hand={isGhost ? undefined : at}
      data-at={at}
      aria-pressed={chosen}
      aria-label={label}
      tabIndex={focusable ? 0 : -1}
      onClick={(event) => (event.shiftKey && span ? moving.choose(span.from, at) : moving.touch(at))}
      {...drag}
    >
      <CardFace card={card} track />
      {isGhost && stage === "placed" && (
        <span class="ghost-mark">
          <TurnIcon />
        </span>
      )}
    </button>
  );
}

function Gap({ hand, gap, moving, marked }: { hand: readonly Card[]; gap: number; moving: Moving; marked: boolean }) {
  const known = words.value.card;
  const [before, after] = [hand[gap - 1]?.[0], hand[gap]?.[0]];
  const label = before === undefined ? known.gapFirst : after === undefined ? known.gapLast : known.gap(before, after);
  return (
    <button
      class={`gap${gap === hand.length ? " gap-last" : ""}${marked ? " marked" : ""}`}
      data-at={gap}
      aria-label={label}
      tabIndex={gap === 0 ? 0 : -1}
      onClick={() => moving.place(gap)}
    >
      <span class="gap-mark" />
    </button>
  );
}

/** Dragging across neighbouring cards chooses them all. */
function across(moving: Moving, at: number) {
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      dragStart = { at, x: event.clientX };
      // The click that may follow is still to know of the drag.
      window.addEventListener("pointerup", () => setTimeout(() => (dragStart = null)), { once: true });
    },
    onPointerMove: (event: PointerEvent) => {
      if (!dragStart || event.buttons === 0 || Math.abs(event.clientX - dragStart.x) < 12) return;
      (event.currentTarget as Element).releasePointerCapture?.(event.pointerId);
      const under = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-at]");
      const to = under ? Number(under.getAttribute("data-at")) : NaN;
      if (Number.isNaN(to) || (to === dragStart.at && !dragStart.moved)) return;
      dragStart.moved = true;
      moving.choose(dragStart.at, to);
    },
    onClickCapture: (event: Event) => {
      if (dragStart?.moved) event.stopPropagation();
    },
  };
}

let dragStart: { at: number; x: number; moved?: boolean } | null = null;

/** Arrow keys go from card to card, or from gap to gap; with shift they choose; with the scouted card, they move it. */
function arrows(event: KeyboardEvent, place: HTMLElement | null, moving: Moving | null): void {
  const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
  if (step === undefined || !place || !moving) return;
  const items = [...place.querySelectorAll<HTMLElement>("button[data-at]")];
  const here = items.indexOf(document.activeElement as HTMLElement);
  if (here < 0) return;
  event.preventDefault();
  const { stage, ghost, span } = moving.preview;
  if (stage === "placed" && here === ghost && Number.isFinite(step)) {
    moving.shift(step);
    return;
  }
  const to = Math.min(items.length - 1, Math.max(0, here + step));
  items[to]?.focus();
  if (event.shiftKey && stage !== "placing") {
    const anchor = span && here === span.to ? span.from : span && here === span.from ? span.to : here;
    moving.choose(anchor, to);
  }
}

function gapNear(place: HTMLElement | null, event: MouseEvent): number {
  const cards = [...(place?.querySelectorAll("[data-hand]") ?? [])].map((card) => card.getBoundingClientRect());
  return nearestGap(cards, event.clientX, event.clientY);
}

/** When the stage changes under somebody who uses the keyboard, the focus goes on to what is due next. */
function useFocusFollows(place: { current: HTMLElement | null }, stage: string, ghost: number | null): void {
  const before = useRef(`${stage} ${ghost}`);
  useLayoutEffect(() => {
    const now = `${stage} ${ghost}`;
    const [stageBefore] = before.current.split(" ");
    if (before.current === now) return;
    before.current = now;
    const due =
      stage === "placing"
        ? ".gap"
        : stage === "placed" || (stage === "showing" && stageBefore === "placed")
          ? ".ghost"
          : null;
    if (due) place.current?.querySelector<HTMLElement>(due)?.focus({ preventScroll: true });
  });
}

function useWidth(place: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(() => Math.min(window.innerWidth - 16, 1200));
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, []);
  return width;
}
