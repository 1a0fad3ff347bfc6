import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { turned as over, type Card } from "../../game/scout/cards";
import type { View } from "../../protocol/types";
import { tell } from "../../state/app";
import { words } from "../../words";
import { useFocusIfLost } from "../focus";
import { CardFace } from "./Card";

/** Both ways to hold the hand, side by side. */
export function Orientation({ view, hand, turned }: { view: View; hand: readonly Card[]; turned: boolean | null }) {
  const known = words.value.table;
  const sending = useSignal<number | null>(null);
  const { decision, table } = view;
  const place = useRef<HTMLDivElement>(null);
  useFocusIfLost(place, decision);
  if (decision === null) {
    return (
      <div class="orientation chosen">
        <p>{known.keepsNow}</p>
        <Row cards={hand} label={known.hand(hand.length)} />
      </div>
    );
  }
  const choose = (move: "keep" | "turn") => {
    sending.value = decision;
    void tell({ kind: "play", table, decision, move }).then((done) => {
      if (done === null) sending.value = null;
    });
  };
  const busy = sending.value === decision || turned !== null;
  return (
    <div class="orientation" ref={place}>
      <p>
        <strong>{known.choose}</strong> {known.chooseNote}
      </p>
      <div class="ways-up">
        <div class="way-up">
          <h2>{known.asDealt}</h2>
          <Row cards={hand} label={known.asDealt} />
          <button class="button gold" disabled={busy} onClick={() => choose("keep")}>
            {known.keep}
          </button>
        </div>
        <div class="way-up">
          <h2>{known.asTurned}</h2>
          <Row cards={hand.map(over)} label={known.asTurned} />
          <button class="button gold" disabled={busy} onClick={() => choose("turn")}>
            {known.turn}
          </button>
        </div>
      </div>
    </div>
  );
}

function Row({ cards, label }: { cards: readonly Card[]; label: string }) {
  const ups = cards.map(([up]) => up).join(", ");
  return (
    <div class="row-of-cards" role="img" aria-label={`${label}: ${ups}`} style={{ "--n": cards.length }}>
      {cards.map((card) => (
        <CardFace key={card.join()} card={card} />
      ))}
    </div>
  );
}
