/** The page's one connection, and all that the server says over it. */
import { computed, effect, signal } from "@preact/signals";
import type { Done, LobbyTable, TableOptions, View } from "../protocol/types";
import { Client, Refused, type Request } from "../net/client";
import type { Happening, Reply } from "../net/dialogue";
import { words } from "../words";
import { plain } from "../words/rich";
import { announce, notify } from "./notices";
import { go, tablePath } from "./router";
import { playerName } from "./settings";
import { shelf } from "./shelf";
import { alertTurn } from "./alert";
import { TableStore, type Line } from "./table";

export type Link = "connecting" | "online" | "lost" | "restarting" | "stopped";

export const link = signal<Link>("connecting");
export const me = signal<{ player: string; name: string } | null>(null);
export const lobby = signal<readonly LobbyTable[] | null>(null);
export const publicUrl = signal<string>(typeof location === "undefined" ? "" : location.origin);
const stores = signal<ReadonlyMap<string, TableStore>>(new Map());

/** So many finished tables are listed. */
const KEPT_OVER = 5;

/** The tables at which the player sits: those that wait for the player first, finished ones last. */
export const myTables = computed<View[]>(() => {
  const views = [...stores.value.values()].flatMap((store) => {
    const view = store.newest.value?.view;
    return view && store.gone.value === null && sits(view) ? [view] : [];
  });
  const over = views.filter((view) => view.status === "over").slice(0, -KEPT_OVER);
  return views.filter((view) => !over.includes(view)).sort((one, other) => rank(one) - rank(other));
});

let client: Client;

export function start(): void {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const name = playerName.peek() || null;
  client = new Client(`${scheme}//${location.host}/ws`, shelf, name, hear, (online) => {
    if (online) {
      if (link.peek() !== "connecting" && link.peek() !== "online") notify(words.peek().connection.back);
      link.value = "online";
      return;
    }
    if (client.dialogue.phase === "stopped") link.value = "stopped";
    else if (link.peek() === "online") link.value = "lost";
  });
  client.start();
}

export function storeOf(table: string): TableStore {
  const known = stores.peek().get(table);
  if (known) return known;
  const store = new TableStore(
    table,
    async (id, since) => {
      const reply = await client.request({ kind: "events", table: id, since });
      if (reply.kind !== "events") throw new Error(reply.kind);
      return reply;
    },
    told,
  );
  stores.value = new Map(stores.peek()).set(table, store);
  return store;
}

/** Send a command; what goes wrong is told to the person. `null` if it did. */
export async function tell(request: Request): Promise<Reply | null> {
  try {
    return await client.request(request);
  } catch (error) {
    notify(explain(error), true);
    return null;
  }
}

/** Send a command without telling the person what goes wrong. */
export async function attempt(request: Request): Promise<Reply> {
  return client.request(request);
}

/** Why something did not work, in the person's language. */
export function explain(error: unknown): string {
  if (!(error instanceof Refused)) return words.peek().app.failed;
  const { code, detail, message } = error.refusal;
  const known = words.peek();
  const move = detail ? known.moves[detail] : undefined;
  return move ?? (known.errors as Record<string, string>)[code] ?? message;
}

export function rename(name: string): void {
  playerName.value = name;
  link.value = "connecting"; // the new name is told with a new connection
  client.rename(name);
}

/** A table with bots that starts at once. */
export async function playBots(bots: number, level: string): Promise<void> {
  await create({ game: "scout", seats: bots + 1, private: false, move_seconds: 180 }, bots, level);
}

export async function create(options: TableOptions, bots = 0, level = ""): Promise<void> {
  enter(await tell({ kind: "create", options, seat: 0, bots, level }));
}

export async function quick(): Promise<void> {
  enter(await tell({ kind: "quick", game: "scout", seats: null }));
}

/** Sit down at a table, and go there; with a link to a table at which one sits already, just go there. */
export async function sit(table: string, invite: string | null, seat: number | null = null): Promise<void> {
  try {
    await client.request({ kind: "sit", table, seat, invite });
  } catch (error) {
    if (!(error instanceof Refused) || error.refusal.code !== "already_seated") {
      notify(explain(error), true);
      return;
    }
  }
  go(tablePath(table, invite));
}

/** Have the page of public tables sent whenever it changes, or no more. */
export function followLobby(follow: boolean): void {
  client.request({ kind: "lobby", follow }).catch(() => undefined);
}

export async function rematch(table: string): Promise<void> {
  enter(await tell({ kind: "rematch", table }));
}

export async function leave(table: string): Promise<void> {
  const done = await tell({ kind: "leave", table });
  if (done) {
    storeOf(table).close("left");
    go("/");
  }
}

/** The link by which others come to a table; `invite` is the code by which a spectator came. */
export function inviteLink(view: View, invite: string | null): string {
  return publicUrl.value + tablePath(view.table, view.invite ?? invite);
}

export function tokenOf(): string | null {
  return client.dialogue.token;
}

function enter(reply: Reply | null): void {
  const done = reply?.kind === "done" ? (reply satisfies Done) : null;
  if (done?.table) go(tablePath(done.table));
}

function hear(happening: Happening): void {
  switch (happening.kind) {
    case "resumed": {
      const { session, afresh } = happening;
      me.value = { player: session.player, name: session.name };
      if (client.dialogue.publicUrl) publicUrl.value = client.dialogue.publicUrl;
      if (afresh) {
        stores.value = new Map();
        notify(words.peek().connection.afresh, true);
      }
      return;
    }
    case "view":
      storeOf(happening.table).saw(happening);
      beReady(happening);
      return;
    case "presence":
      storeOf(happening.table).presence.value = happening;
      return;
    case "lobby":
      lobby.value = happening.tables;
      return;
    case "closed":
      storeOf(happening.table).close(happening.reason);
      return;
    case "going_away":
      link.value = "restarting";
      return;
    default:
      return;
  }
}

/** Whoever sits at an open table is ready without being asked, with a nonce of the browser's own in the shuffles. */
const readying = new Set<string>();

function beReady(view: View): void {
  if (view.status !== "open" || view.you === null || view.seats[view.you]?.ready || readying.has(view.table)) return;
  readying.add(view.table);
  const commitment = client.dialogue.nonces.commit(view.table);
  client
    .request({ kind: "ready", table: view.table, commitment })
    .catch(() => undefined)
    .finally(() => readying.delete(view.table));
}

function told(line: Line, store: TableStore): void {
  announce(plain(sentence(line)));
  const shown = store.shown.peek()?.view;
  if (shown?.decision != null && shown.you !== null && !shown.seats[shown.you]?.minded)
    alertTurn(shown.table, shown.decision);
}

/** One line of the log in the person's language. */
export function sentence(line: Line) {
  const known = words.value;
  const tellers = known.log.events as Record<
    string,
    (event: Line["event"], cast: Line["cast"]) => ReturnType<typeof known.log.events.created>
  >;
  const teller = tellers[line.event.kind];
  const said = teller ? teller(line.event, line.cast) : [known.log.unknown];
  const first = said[0];
  const capital = typeof first === "string" ? [first.charAt(0).toUpperCase() + first.slice(1), ...said.slice(1)] : said;
  return line.minder ? [...capital, known.log.minder] : capital;
}

function sits(view: View): boolean {
  return view.you !== null && !view.seats[view.you]!.left && view.status !== "closed";
}

function rank(view: View): number {
  if (view.decision !== null) return 0;
  return { running: 1, break: 1, revealing: 2, open: 2, over: 3, closed: 4 }[view.status];
}

effect(() => {
  const known = words.value;
  if (typeof document !== "undefined") document.documentElement.lang = known.code;
});
