import type { Card } from "../../game/scout/cards";
import { others } from "../../game/seats";
import type { View } from "../../protocol/types";
import { tell } from "../../state/app";
import { words } from "../../words";
import { clock, useSecondsLeft } from "../clock";
import { Bot } from "../icons";
import { CardFace, Fan } from "./Card";
import { Stats } from "./Stats";

interface Props {
  view: View;
  away: readonly boolean[];
  deadlineAt: number | null;
  own: number | null;
  online: boolean;
  /** All hands, in a replay. */
  hands?: readonly (readonly Card[])[];
}

/** The other seats, in the order of play around the ring. */
export function Seats({ view, away, deadlineAt, own, online, hands }: Props) {
  const known = words.value.table;
  return (
    <ol class="seats" aria-label={known.seats}>
      {others(own, view.seats.length).map((seat, at) => (
        <Seat
          key={seat}
          view={view}
          seat={seat}
          at={at}
          away={online && (away[seat] ?? false)}
          deadlineAt={deadlineAt}
          hand={hands?.[seat]}
        />
      ))}
    </ol>
  );
}

interface SeatProps {
  view: View;
  seat: number;
  at: number;
  away: boolean;
  deadlineAt: number | null;
  hand: readonly Card[] | undefined;
}

function Seat({ view, seat, at, away, deadlineAt, hand }: SeatProps) {
  const known = words.value.table;
  const game = view.game!;
  const sits = view.seats[seat]!;
  const has = game.seats[seat]!;
  const acts = view.status === "running" && view.to_act.includes(seat);
  const left = useSecondsLeft(acts ? deadlineAt : null);
  const owner = game.owner === seat && game.active.length > 0 && game.phase !== "orient";
  const winner = game.winners?.includes(seat) ?? false;
  const absent = away && view.status !== "over";
  const states = ["seat", acts && "acts", (absent || sits.minded || sits.left) && "absent", winner && "winner"];
  const votable =
    absent && !sits.minded && !sits.left && view.you !== null && view.options.move_seconds == null && acts;
  return (
    <li class={states.filter(Boolean).join(" ")} data-at={at} data-seat={seat} aria-current={acts ? "true" : undefined}>
      <div class="seat-head">
        <span class="seat-name">
          {sits.bot && (
            <>
              <Bot />
              <span class="for-ears">{known.bot} </span>
            </>
          )}
          <span class="seat-called">{sits.name ?? "–"}</span>
        </span>
        <span class="tags">
          {owner && (
            <span class="tag owner">
              <span class="tag-mark" aria-hidden="true">
                ★
              </span>
              <span class="tag-word">{known.owner}</span>
            </span>
          )}
          {sits.left ? (
            <span class="tag">{known.left}</span>
          ) : sits.minded ? (
            <span class="tag">{known.minded}</span>
          ) : (
            absent && <span class="tag">{known.away}</span>
          )}
          {game.phase === "orient" && (
            <span class="tag">
              {has.chosen ? "✓ " : "… "}
              <span class="tag-word">{has.chosen ? known.chosen : known.choosing}</span>
            </span>
          )}
        </span>
      </div>
      {acts && game.phase === "play" && (
        <span class="seat-turn">
          ▶ <span class="for-ears">{known.theirTurn(sits.name ?? "")}</span>
          {left !== null && <span aria-hidden="true">{clock(left)}</span>}
        </span>
      )}
      {hand ? (
        <div
          class="open-hand"
          style={{ "--n": Math.max(1, hand.length) }}
          role="img"
          aria-label={`${known.cards(hand.length)}: ${hand.map(([up]) => up).join(", ")}`}
        >
          {hand.map((card) => (
            <CardFace key={card.join()} card={card} track />
          ))}
        </div>
      ) : (
        <span class="seat-hand">
          <Fan cards={has.cards} />
          <b aria-hidden="true">{has.cards}</b>
          <span class="for-ears">{known.cards(has.cards)}. </span>
        </span>
      )}
      <Stats seat={has} players={view.seats.length} />
      {votable && (
        <button class="button small" onClick={() => void tell({ kind: "mind", table: view.table, seat })}>
          {known.mind}
          {sits.votes > 0 && ` (${known.mindNote(sits.votes)})`}
        </button>
      )}
    </li>
  );
}
