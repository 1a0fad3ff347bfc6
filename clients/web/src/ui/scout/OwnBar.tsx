import type { View } from "../../protocol/types";
import { tell } from "../../state/app";
import { words } from "../../words";
import { listed } from "../../words/rich";
import { castOf } from "../../words/cast";
import { clock, useSecondsLeft } from "../clock";
import { Stats } from "./Stats";

/** The own seat: whose turn it is, in words, and what one has. */
export function OwnBar({ view, own, deadlineAt }: { view: View; own: number; deadlineAt: number | null }) {
  const known = words.value;
  const game = view.game!;
  const seat = game.seats[own]!;
  const minded = view.seats[own]!.minded && view.status === "running";
  const mine = view.decision !== null;
  const left = useSecondsLeft(view.status === "running" ? deadlineAt : null);
  const time = left === null ? "" : ` · ${clock(left)}`;
  const cast = castOf(view);
  const others = view.to_act.filter((each) => each !== own).map((each) => cast.names[each] ?? "");
  const orienting = game.phase === "orient";
  const text = mine
    ? orienting
      ? known.table.choose
      : known.table.yourTurn
    : others.length === 0
      ? ""
      : orienting
        ? known.table.waitingFor(listed(others, known.and))
        : known.table.theirTurn(others[0]!);
  return (
    <div class="own-bar" data-seat={own}>
      {text && (
        <span class={mine ? "turn-pill" : "turn-pill theirs"} role="status">
          {text}
          <span aria-hidden="true" class={left !== null && left <= 10 && mine ? "time short" : "time"}>
            {time}
          </span>
        </span>
      )}
      <strong class="own-name">{cast.names[own]}</strong>
      <Stats seat={seat} players={view.seats.length} own />
      {minded && (
        <span class="minded-note">
          {known.table.minderPlays}{" "}
          <button class="button small gold" onClick={() => void tell({ kind: "legal", table: view.table, limit: 1 })}>
            {known.table.takeBack}
          </button>
        </span>
      )}
    </div>
  );
}
