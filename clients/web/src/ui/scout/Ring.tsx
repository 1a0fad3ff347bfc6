import type { ComponentChildren } from "preact";
import type { ScoutView } from "../../protocol/types";
import type { Card } from "../../game/scout/cards";
import { words } from "../../words";
import { summaryOf } from "../../words/about";
import type { Cast } from "../../words/cast";
import { CardFace } from "./Card";
import type { Dragging } from "./dragging";
import type { Moving } from "./moving";

interface Props {
  game: ScoutView;
  cast: Cast;
  moving: Moving | null;
  dragging?: Dragging;
  children?: ComponentChildren;
}

/** The ring with the active set; its ends are mint where they can be taken. */
export function Ring({ game, cast, moving, dragging, children }: Props) {
  const known = words.value;
  const cards = game.active;
  const taken = moving?.draft.end ?? null;
  const left = moving?.preview.table ?? cards;
  const summary = summaryOf(left.map(([up]) => up));
  const text = !summary
    ? moving?.acting
      ? moving.draft.end === null
        ? known.table.noSet
        : ""
      : known.table.noSetTheirs
    : known.table.setOf(cast, game.owner ?? 0, summary);
  const hint =
    summary && moving?.acting && taken === null
      ? moving.scoutable
        ? known.table.beatIt(summary)
        : known.table.beatOnly(summary)
      : "";
  return (
    <section class="ring" aria-label={known.table.ring}>
      <div class={cards.length ? "ring-floor" : "ring-floor empty"} data-cards={cards.length}>
        <div class="active" style={{ "--n": Math.max(1, cards.length) }}>
          {cards.map((card, at) => {
            const end = at === 0 ? "left" : at === cards.length - 1 ? "right" : null;
            const gone = taken !== null && end === (cards.length === 1 ? "left" : taken);
            return end !== null && moving?.scoutable && dragging ? (
              <End key={card.join()} card={card} end={end} gone={gone} moving={moving} dragging={dragging} />
            ) : (
              <span key={card.join()} class="slot" role="img" aria-label={known.card.label(...card)}>
                <CardFace card={card} track />
              </span>
            );
          })}
        </div>
      </div>
      <p class="ring-words">
        <strong>{text}</strong> {hint && <span class="ring-hint">{hint}</span>}
      </p>
      {children}
    </section>
  );
}

interface EndProps {
  card: Card;
  end: "left" | "right";
  gone: boolean;
  moving: Moving;
  dragging: Dragging;
}

function End({ card, end, gone, moving, dragging }: EndProps) {
  const known = words.value;
  return (
    <button
      class={gone ? "slot end gone" : "slot end"}
      aria-pressed={gone}
      aria-label={known.card.end(...card, end === "right")}
      onClick={() => moving.takeEnd(end)}
      {...dragging.from(end)}
    >
      <CardFace card={card} track={!gone} />
    </button>
  );
}
