import type { LobbyTable, View } from "../../protocol/types";
import { leave, sit } from "../../state/app";
import { replayPath, tablePath } from "../../state/router";
import { words } from "../../words";
import { Bot, Eye, Lock } from "../icons";
import { clock } from "../clock";

interface Seat {
  name: string | null;
  bot: boolean;
}

/** Where the player sits; what waits for the player stands first. */
export function MyTables({ tables }: { tables: readonly View[] }) {
  const known = words.value.lobby;
  if (tables.length === 0) return null;
  return (
    <section class="tables" aria-labelledby="mine">
      <h2 id="mine">{known.mine}</h2>
      <ul>
        {tables.map((view) => {
          const turn = view.decision !== null;
          return (
            <li key={view.table} class={turn ? "table-line turn" : "table-line"}>
              <Seats seats={view.seats} />
              <span class={turn ? "state turn-word" : "state"}>
                {turn ? known.yourTurn : known.status[view.status]}
                {view.options.private && <Lock />}
              </span>
              <span class="line-buttons">
                {view.status === "over" && (
                  <>
                    <a class="button small" href={replayPath(view.table)}>
                      {known.replay}
                    </a>
                    <button class="button small quiet" onClick={() => void leave(view.table)}>
                      {known.leave}
                    </button>
                  </>
                )}
                <a class={turn ? "button small gold" : "button small"} href={tablePath(view.table)}>
                  {view.status === "over" ? known.result : known.goOn}
                </a>
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** All public tables, as they are now. */
export function PublicTables({ tables }: { tables: readonly LobbyTable[] | null }) {
  const known = words.value.lobby;
  return (
    <section class="tables" aria-labelledby="tables">
      <h2 id="tables">{known.tables}</h2>
      {tables === null ? (
        <p class="note">{words.value.app.loading}</p>
      ) : tables.length === 0 ? (
        <p class="note">{known.none}</p>
      ) : (
        <ul>
          {tables.map((table) => {
            const free = table.seats.filter((seat) => seat.name === null).length;
            return (
              <li key={table.table} class="table-line">
                <Seats seats={table.seats} />
                <span class="state">
                  {table.status === "open" && free > 0 ? known.free(free) : known.status[table.status]}
                  <span class="note">
                    {" · "}
                    {limit(table.options.move_seconds)}
                    {" · "}
                    {known.age(table.age_s)}
                  </span>
                  {table.spectators > 0 && (
                    <span class="watchers" title={known.spectators(table.spectators)}>
                      <Eye /> {table.spectators}
                      <span class="for-ears">{known.spectators(table.spectators)}</span>
                    </span>
                  )}
                </span>
                <span class="line-buttons">
                  <a class="button small quiet" href={tablePath(table.table)}>
                    {known.watch}
                  </a>
                  {table.status === "open" && free > 0 && (
                    <button class="button small" onClick={() => void sit(table.table, null)}>
                      {known.sit}
                    </button>
                  )}
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

function limit(seconds: number | null | undefined): string {
  const { clocks } = words.value.lobby;
  if (seconds == null) return clocks["none"] ?? "";
  return clocks[String(seconds)] ?? clock(seconds);
}

function Seats({ seats }: { seats: readonly Seat[] }) {
  const known = words.value;
  return (
    <span class="line-seats">
      {seats.map((seat, at) => (
        <span key={at} class={seat.name === null ? "line-seat free" : "line-seat"}>
          {seat.bot && (
            <>
              <Bot />
              <span class="for-ears">{known.lobby.bot} </span>
            </>
          )}
          {seat.name ?? known.waiting.free}
        </span>
      ))}
    </span>
  );
}
