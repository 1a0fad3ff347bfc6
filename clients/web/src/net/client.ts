/** The dialogue with the server, kept up over WebSockets. */
import { decode, encode } from "@msgpack/msgpack";
import type { AnyCommand, AnyMessage, Error as Refusal } from "../protocol/types";
import { delay } from "./backoff";
import { TROUBLE } from "./codes";
import { Dialogue, type Happening, type Reply } from "./dialogue";
import { Nonces, type Shelf } from "./nonces";

const SUBPROTOCOL = "bigtop.v1.msgpack";
/** How long a server may take to greet and to answer `hello`. */
const HELLO_MS = 15_000;
/** After so long a silence the browser asks for a sign of life. */
const QUIET_MS = 25_000;
/** How long the sign of life may take; then the connection counts as lost. */
const PONG_MS = 10_000;
/** A connection that was held so long has worked, whatever ended it. */
const STEADY_MS = 60_000;

/** Raised by commands that the server refuses. */
export class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.code);
  }
}

type Omitted<C> = C extends AnyCommand ? Omit<C, "id"> : never;
/** A command without its id. */
export type Request = Omitted<AnyCommand>;
export type Listener = (happening: Happening) => void;

interface Waiting {
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

export class Client {
  readonly dialogue: Dialogue;
  private socket: WebSocket | null = null;
  private attempt = 0;
  private readyAt = 0;
  private heardAt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private readonly waiting = new Map<string, Waiting>();

  /**
   * `shelf` keeps the token and nonces; `listen` hears of all that happens; `online` of each change of whether the
   * server can be talked to.
   */
  constructor(
    private readonly url: string,
    private readonly shelf: Shelf,
    name: string | null,
    private readonly listen: Listener,
    private readonly online: (online: boolean) => void,
  ) {
    const prefix = hex(random(8));
    let number = 0;
    this.dialogue = new Dialogue(
      shelf.get("token"),
      name,
      () => `${prefix}-${(number += 1)}`,
      new Nonces(shelf, random),
    );
  }

  /** Connect, and stay connected. */
  start(): void {
    this.connect();
    window.addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.hurry();
    });
  }

  /** Send a command and wait for its answer, over lost connections if need be. Raises `Refused`. */
  request(request: Request): Promise<Reply> {
    const command = { ...request, id: this.dialogue.newId() } as AnyCommand;
    return new Promise((resolve, reject) => {
      this.waiting.set(command.id, { resolve, reject });
      this.dialogue.ask(command);
      this.flush();
    });
  }

  /** Be called by another name from now on. */
  rename(name: string): void {
    this.dialogue.rename(name);
    this.flush();
  }

  private connect(): void {
    if (this.dialogue.token === null) this.dialogue.token = this.shelf.get("token"); // another tab may have got one
    const socket = new WebSocket(this.url, [SUBPROTOCOL]);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    this.watch(HELLO_MS);
    socket.onopen = () => this.dialogue.opened();
    socket.onmessage = (event: MessageEvent<ArrayBuffer | string>) => {
      if (typeof event.data === "string") return;
      this.heardAt = Date.now();
      this.dialogue.received(decode(new Uint8Array(event.data)) as AnyMessage);
      this.flush();
    };
    socket.onclose = (event) => this.lost(socket, event.code >= 4000 ? event.code : null);
  }

  /** Give up on a connection that is too slow to greet, and ask quiet ones for a sign of life. */
  private watch(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const quiet = Date.now() - this.heardAt;
      if (this.dialogue.phase !== "ready") this.drop();
      else if (quiet < QUIET_MS) this.watch(QUIET_MS - quiet);
      else this.ping();
    }, ms);
  }

  private ping(): void {
    const asked = Date.now();
    const socket = this.socket;
    void this.request({ kind: "ping" }).catch(() => undefined);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.socket !== socket) return;
      if (this.heardAt < asked) this.drop();
      else this.watch(QUIET_MS);
    }, PONG_MS);
  }

  /** Close without waiting for the other side, which may be gone. */
  private drop(): void {
    const socket = this.socket;
    if (socket === null) return;
    socket.close();
    this.lost(socket, null);
  }

  private lost(socket: WebSocket, code: number | null): void {
    if (this.socket !== socket) return;
    this.socket = null;
    clearTimeout(this.timer);
    const troubled = code !== null && TROUBLE.has(code) && Date.now() - this.readyAt < STEADY_MS;
    if (this.dialogue.phase === "ready" && !troubled) this.attempt = 0;
    this.dialogue.lost(code);
    this.online(false);
    this.tell();
    if (this.dialogue.phase === "stopped") {
      for (const waiting of this.waiting.values()) waiting.reject(new Error("stopped"));
      this.waiting.clear();
      return;
    }
    const wait = Math.max(delay(this.attempt, Math.random()), this.dialogue.afterMs);
    this.attempt += 1;
    this.retry = setTimeout(() => this.connect(), wait);
  }

  /** The network or the person is back: do not wait out a long delay, and find out whether a connection still holds. */
  private hurry(): void {
    if (this.dialogue.phase === "ready") {
      if (Date.now() - this.heardAt > PONG_MS) this.ping();
    } else if (this.socket === null && this.dialogue.phase !== "stopped" && this.dialogue.afterMs === 0) {
      clearTimeout(this.retry);
      this.connect();
    }
  }

  private flush(): void {
    this.tell();
    const socket = this.socket;
    if (socket === null) return;
    for (const command of this.dialogue.outgoing()) socket.send(encode(command));
    if (this.dialogue.hangUp) this.drop();
  }

  private tell(): void {
    for (const happening of this.dialogue.happened()) {
      if (happening.kind === "replied") this.replied(happening.id, happening.reply);
      else if (happening.kind === "later") this.later(happening.id, happening.tries, happening.afterMs);
      else {
        if (happening.kind === "resumed") this.resumed();
        this.listen(happening);
      }
    }
  }

  private resumed(): void {
    const token = this.dialogue.token;
    if (token !== null) this.shelf.put("token", token);
    this.readyAt = Date.now();
    this.watch(QUIET_MS);
    this.online(true);
  }

  private replied(id: string, reply: Reply): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (reply.kind === "error") waiting?.reject(new Refused(reply));
    else waiting?.resolve(reply);
  }

  private later(id: string, tries: number, afterMs: number): void {
    setTimeout(
      () => {
        this.dialogue.again(id);
        this.flush();
      },
      Math.max(delay(tries, Math.random()), afterMs),
    );
  }
}

function random(bytes: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(bytes));
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
