import type { TableSeat, View } from "../../protocol/types";
import { inviteLink, leave, sit, tell } from "../../state/app";
import type { TableStore } from "../../state/table";
import { words } from "../../words";
import { Log } from "../Log";
import { Bot } from "../icons";
import { Invite } from "./Invite";

/** A table before the match: who sits where, and how to fill it. */
export function WaitingRoom({ view, invite, store }: { view: View; invite: string | null; store: TableStore }) {
  const known = words.value.waiting;
  const free = view.seats.flatMap((seat, at) => (seat.name === null && seat.asked === null ? [at] : []));
  const seated = view.you !== null;
  const ready = view.you !== null && view.seats[view.you]!.ready;
  const fill = () => {
    for (const seat of free) void tell({ kind: "ask_bot", table: view.table, seat, level: "" });
  };
  return (
    <main id="main" tabIndex={-1} class="page waiting">
      <div class="waiting-seats">
        <h1>{known.title}</h1>
        <p>
          {view.status === "revealing" ? known.shuffling : view.bots_offered && seated ? known.offered : known.starts}
        </p>
        <ol class="seat-list">
          {view.seats.map((seat, at) => (
            <SeatLine key={at} view={view} seat={seat} at={at} invite={invite} />
          ))}
        </ol>
        <p class="line-buttons">
          {seated && free.length > 0 && view.status === "open" && (
            <button class={view.bots_offered ? "button gold" : "button"} onClick={fill}>
              {known.botsForAll}
            </button>
          )}
          {!seated && free.length > 0 && (
            <button class="button gold" onClick={() => void sit(view.table, invite)}>
              {words.value.table.sit}
            </button>
          )}
          {seated && !ready && (
            <button class="button" onClick={() => void tell({ kind: "ready", table: view.table })}>
              {known.beReady}
            </button>
          )}
          {seated ? (
            <button class="button quiet" onClick={() => void leave(view.table)}>
              {known.stand}
            </button>
          ) : (
            <span class="note">{known.watching}</span>
          )}
        </p>
        {free.length > 0 && <Invite url={inviteLink(view, invite)} />}
      </div>
      <Log store={store} />
    </main>
  );
}

function SeatLine({ view, seat, at, invite }: { view: View; seat: TableSeat; at: number; invite: string | null }) {
  const known = words.value.waiting;
  const seated = view.you !== null;
  const open = view.status === "open";
  const own = view.you === at;
  return (
    <li class={own ? "seat-line mine" : "seat-line"}>
      <span class="seat-name">
        {seat.name === null ? (
          <span class="note">
            {seat.asked !== null ? known.botComes : seat.reserved !== null ? known.reserved(seat.reserved) : known.free}
          </span>
        ) : (
          <>
            {seat.bot && <Bot />}
            {seat.name}
            {own && <span class="tag">{words.value.table.you}</span>}
          </>
        )}
      </span>
      {seat.name !== null && (
        <span class={seat.ready ? "ready" : "note"}>{seat.ready ? `✓ ${known.ready}` : known.notReady}</span>
      )}
      <span class="line-buttons">
        {open && seat.name === null && seat.asked === null && seated && (
          <button
            class="button small quiet"
            onClick={() => void tell({ kind: "ask_bot", table: view.table, seat: at, level: "" })}
          >
            {known.askBot}
            <span class="for-ears"> {known.seat(at)}</span>
          </button>
        )}
        {open && seat.name === null && seat.asked === null && !seated && (
          <button class="button small" onClick={() => void sit(view.table, invite, at)}>
            {known.sit}
            <span class="for-ears"> {known.seat(at)}</span>
          </button>
        )}
        {open && seated && (seat.asked !== null || seat.bot) && !own && (
          <button class="button small quiet" onClick={() => void tell({ kind: "stand", table: view.table, seat: at })}>
            ✕<span class="for-ears"> {known.remove(seat.name ?? known.botComes)}</span>
          </button>
        )}
      </span>
    </li>
  );
}
