/**
 * One player's dialogue with a server, across all connections it takes; no I/O.
 *
 * What happens is put in (`opened`, `received`, `lost`, `ask`), what is to be done is taken out: `outgoing` gives the
 * commands to send, `happened` what the page should hear of. The caller owes four things: to send what `outgoing` gives
 * after each call, in order; to close the connection when `hangUp` is set; to connect again after `lost` unless the phase
 * is `stopped`, no earlier than `afterMs`; and to call `again` some time after each `later`.
 *
 * Commands survive a lost connection: after the next `hello` every unanswered one is sent again with the same id, which
 * the server answers as it did before, or carries out now. So each is done once.
 *
 *     offline ── opened ──> greeting ── welcome ──> hello ── session ──> ready
 *        ^                                                                 │
 *        └──────────────────────── lost ───────────────────────────────────┘    stopped from anywhere, for good
 */
import type {
  AnyCommand,
  Closed,
  Done,
  Error as Refusal,
  EventLog,
  GoingAway,
  LegalMoves,
  LobbyPage,
  AnyMessage,
  Pong,
  Presence,
  Session,
  View,
  Welcome,
} from "../protocol/types";
import { PATIENT, afterClose } from "./codes";
import type { Nonces } from "./nonces";

export type Phase = "offline" | "greeting" | "hello" | "ready" | "stopped";
export type Reply = Done | EventLog | LegalMoves | LobbyPage | Pong | Refusal;
export type Happening =
  | { kind: "replied"; id: string; reply: Reply }
  /** The command is to be sent again in a while: not before `afterMs`; `tries` tells how often it was sent. */
  | { kind: "later"; id: string; afterMs: number; tries: number }
  /** The server knows the player; `afresh`: as somebody new, after it did not know the token. */
  | { kind: "resumed"; session: Session; afresh: boolean }
  | View
  | Presence
  | LobbyPage
  | Closed
  | GoingAway;

interface Pending {
  command: AnyCommand;
  /** Made here, not by the person: nobody waits for the answer. */
  own: boolean;
  tries: number;
  resting: boolean;
}

const MAX_TRIES = 12;
const AGENT = "bigtop-web";

export class Dialogue {
  phase: Phase = "offline";
  hangUp = false;
  afterMs = 0;
  publicUrl: string | null = null;
  /** Why it stopped: a close code, or the code of an error; `null` while it has not. */
  failure: number | string | null = null;
  private helloId = "";
  private introduced = false;
  private afresh = false;
  private lobby = false;
  private readonly pending = new Map<string, Pending>();
  private readonly watched = new Map<string, string | null>();
  private readonly versions = new Map<string, number>();
  private out: AnyCommand[] = [];
  private happenings: Happening[] = [];

  constructor(
    public token: string | null,
    private name: string | null,
    private readonly makeId: () => string,
    readonly nonces: Nonces,
  ) {}

  outgoing(): AnyCommand[] {
    const out = this.out;
    this.out = [];
    return out;
  }

  happened(): Happening[] {
    const happenings = this.happenings;
    this.happenings = [];
    return happenings;
  }

  newId(): string {
    return this.makeId();
  }

  /** Send a command as soon as possible, and again until it is answered. */
  ask(command: AnyCommand): void {
    this.enter(command, false);
  }

  /** Send a command again that was to be sent `later`. */
  again(id: string): void {
    const pending = this.pending.get(id);
    if (pending?.resting && this.phase === "ready") this.send(pending);
  }

  /** Take another name; it is told with a new `hello`, so the connection is to be closed and opened again. */
  rename(name: string): void {
    this.name = name;
    this.introduced = false;
    this.hangUp = this.phase !== "offline" && this.phase !== "stopped";
  }

  opened(): void {
    this.phase = "greeting";
    this.hangUp = false;
    this.afterMs = 0;
  }

  /** The connection was closed, with the server's close `code` if it gave one. */
  lost(code: number | null): void {
    this.out = [];
    if (this.phase === "stopped") return;
    this.phase = "offline";
    const after = afterClose(code);
    if (after === "afresh") this.startAfresh();
    else if (after === "stop") this.stop(code ?? 0);
  }

  received(message: AnyMessage): void {
    switch (message.kind) {
      case "welcome":
        return this.welcomed(message);
      case "session":
        return this.resumed(message);
      case "view":
        return this.saw(message);
      case "presence":
        this.happenings.push(message);
        return;
      case "going_away":
        this.afterMs = message.after_ms;
        this.happenings.push(message);
        return;
      case "closed":
        this.forgetTable(message.table);
        this.happenings.push(message);
        return;
      case "lobby":
        if (message.re === null) this.happenings.push(message);
        else this.answered(message);
        return;
      case "error":
        if (message.re === this.helloId && this.phase === "hello") this.helloRefused(message);
        else this.answered(message);
        return;
      case "done":
      case "events":
      case "legal":
      case "pong":
        return this.answered(message);
      default:
        return; // a kind that is newer than this page
    }
  }

  private welcomed(welcome: Welcome): void {
    if (this.phase !== "greeting") return;
    this.phase = "hello";
    this.publicUrl = welcome.public_url ?? null;
    this.helloId = this.makeId();
    const known = this.introduced && this.token !== null;
    this.out.push({
      kind: "hello",
      id: this.helloId,
      token: this.token,
      name: known ? null : this.name,
      bot: false,
      house: null,
      agent: AGENT,
    });
  }

  private resumed(session: Session): void {
    if (this.phase !== "hello") return;
    this.phase = "ready";
    this.introduced = true;
    if (session.token !== null) this.token = session.token;
    this.happenings.push({ kind: "resumed", session, afresh: this.afresh });
    this.afresh = false;
    this.askForWhatWasFollowed(new Set(session.tables.map((table) => table.table)));
    for (const pending of this.pending.values()) {
      pending.tries = 0;
      this.send(pending);
    }
  }

  /** What the server keeps for a connection only; it sends the views of the player's own tables by itself. */
  private askForWhatWasFollowed(seated: ReadonlySet<string>): void {
    const commands = [...this.pending.values()].map((pending) => pending.command);
    const asked = new Set(commands.map((command) => (command.kind === "watch" ? command.table : "")));
    for (const [table, invite] of this.watched) {
      if (!seated.has(table) && !asked.has(table)) this.put({ kind: "watch", id: this.makeId(), table, invite }, true);
    }
    if (this.lobby && !commands.some((command) => command.kind === "lobby")) {
      this.put({ kind: "lobby", id: this.makeId(), follow: true }, true);
    }
  }

  private helloRefused(error: Refusal): void {
    this.hangUp = true;
    if (error.code === "token_unknown") this.startAfresh();
    else if (error.code === "bad_name" && this.name !== null) this.name = null;
    else if (error.retry) this.afterMs = error.after_ms ?? 0;
    else this.stop(error.code);
  }

  /** The server knows no such player: commands in flight were that player's, and cannot be repeated. */
  private startAfresh(): void {
    if (this.token === null) return;
    this.token = null;
    this.afresh = true;
    this.versions.clear();
    const unanswered = [...this.pending];
    this.pending.clear();
    for (const [id, pending] of unanswered) {
      if (pending.own) continue;
      const reply: Refusal = { kind: "error", re: id, code: "token_unknown", message: "", retry: false };
      this.happenings.push({ kind: "replied", id, reply });
    }
  }

  private stop(failure: number | string): void {
    this.phase = "stopped";
    this.failure = failure;
    this.out = [];
  }

  /** Never give an older view after a newer one. */
  private saw(view: View): void {
    if (view.version < (this.versions.get(view.table) ?? 0)) return;
    this.versions.set(view.table, view.version);
    this.happenings.push(view);
    const nonce = this.nonces.reveal(view);
    if (nonce !== null) this.enter({ kind: "reveal", id: this.makeId(), table: view.table, nonce }, true);
  }

  private answered(reply: Reply): void {
    const pending = reply.re === null ? undefined : this.pending.get(reply.re);
    if (pending === undefined) return;
    const command = pending.command;
    if (reply.kind === "error" && PATIENT.has(reply.code) && (pending.own || pending.tries < MAX_TRIES)) {
      pending.resting = true;
      this.happenings.push({ kind: "later", id: command.id, afterMs: reply.after_ms ?? 0, tries: pending.tries });
      return;
    }
    this.pending.delete(command.id);
    if (reply.kind === "lobby") this.happenings.push(reply);
    if (reply.kind !== "error") this.remember(command, reply);
    else if (pending.own && command.kind === "watch") {
      this.forgetTable(command.table);
      this.happenings.push({ kind: "closed", table: command.table, reason: reply.code });
    }
    if (!pending.own) this.happenings.push({ kind: "replied", id: command.id, reply });
  }

  /** What has to be asked for again on the next connection. */
  private remember(command: AnyCommand, reply: Reply): void {
    if (command.kind === "lobby") this.lobby = command.follow ?? false;
    else if (command.kind === "leave") this.forgetTable(command.table);
    else if (reply.kind === "done" && reply.table) {
      const entered =
        command.kind === "watch" ||
        command.kind === "sit" ||
        command.kind === "create" ||
        command.kind === "quick" ||
        command.kind === "rematch";
      if (!entered) return;
      const invite = command.kind === "watch" || command.kind === "sit" ? (command.invite ?? null) : null;
      this.watched.set(reply.table, reply.invite ?? invite);
    }
  }

  private forgetTable(table: string): void {
    this.watched.delete(table);
    this.versions.delete(table);
    this.nonces.forget(table);
  }

  private enter(command: AnyCommand, own: boolean): void {
    const pending = this.put(command, own);
    if (this.phase === "ready") this.send(pending);
  }

  private put(command: AnyCommand, own: boolean): Pending {
    const pending = { command, own, tries: 0, resting: false };
    this.pending.set(command.id, pending);
    return pending;
  }

  private send(pending: Pending): void {
    pending.resting = false;
    pending.tries += 1;
    this.out.push(pending.command);
  }
}
