import { beforeEach, describe, expect, test } from "vitest";
import { delay } from "../src/net/backoff";
import { Dialogue } from "../src/net/dialogue";
import { Nonces, commitment } from "../src/net/nonces";
import type { AnyMessage, Session, View, Welcome } from "../src/protocol/types";

const TABLE = "7kq2m0x9v4ad";
const WELCOME: Welcome = {
  kind: "welcome",
  server: "bigtop",
  limits: { frame_bytes: 1, commands_per_second: 1, burst: 1, hello_ms: 1 },
};

let shelf: Map<string, string>;
let dialogue: Dialogue;
let drawn: number;

function nonces(): Nonces {
  const box = {
    get: (key: string) => shelf.get(key) ?? null,
    put: (key: string, value: string) => void shelf.set(key, value),
    drop: (key: string) => void shelf.delete(key),
  };
  return new Nonces(box, (bytes) => new Uint8Array(bytes).fill((drawn += 1)));
}

beforeEach(() => {
  shelf = new Map();
  drawn = 0;
  let number = 0;
  dialogue = new Dialogue(null, "Ada", () => `id-${(number += 1)}`, nonces());
});

function session(more: Partial<Session> = {}): Session {
  return { kind: "session", re: "?", player: "ada", name: "Ada", token: null, tables: [], ...more };
}

function view(more: Partial<View> = {}): View {
  const seat = { name: "Ada", player: "ada", bot: false, asked: null, ready: true, commitment: null, nonce: null };
  const rest = { minded: false, left: false, next: false, votes: 0, reserved: null };
  return {
    kind: "view",
    table: TABLE,
    version: 1,
    status: "open",
    you: 0,
    seats: [{ ...seat, ...rest }],
    ...more,
  } as View;
}

/** Open a connection up to `ready`, and give what was sent after `hello`. */
function connect(more: Partial<Session> = {}) {
  dialogue.opened();
  dialogue.received(WELCOME);
  const [hello] = dialogue.outgoing();
  dialogue.received(session({ re: hello!.id, ...more }));
  return dialogue.outgoing();
}

function hear(...messages: AnyMessage[]) {
  for (const message of messages) dialogue.received(message);
  return dialogue.happened();
}

describe("hello", () => {
  test("waits for the server, then says who is there", () => {
    dialogue.opened();
    expect(dialogue.outgoing()).toEqual([]);
    dialogue.received(WELCOME);
    expect(dialogue.outgoing()).toMatchObject([{ kind: "hello", token: null, name: "Ada", bot: false, house: null }]);
  });

  test("resumes with the token, and keeps the name that the server knows", () => {
    connect({ token: "t".repeat(40) });
    dialogue.lost(null);
    dialogue.opened();
    dialogue.received(WELCOME);
    expect(dialogue.outgoing()).toMatchObject([{ kind: "hello", token: "t".repeat(40), name: null }]);
  });

  test("tells another name with a new connection", () => {
    connect({ token: "t".repeat(40) });
    dialogue.rename("Ben");
    expect(dialogue.hangUp).toBe(true);
    dialogue.lost(null);
    dialogue.opened();
    dialogue.received(WELCOME);
    expect(dialogue.outgoing()).toMatchObject([{ kind: "hello", name: "Ben" }]);
  });

  test("goes without the name that the server does not like", () => {
    dialogue.opened();
    dialogue.received(WELCOME);
    const [hello] = dialogue.outgoing();
    dialogue.received({ kind: "error", re: hello!.id, code: "bad_name", message: "", retry: false });
    expect([dialogue.hangUp, dialogue.phase]).toEqual([true, "hello"]);
    dialogue.lost(null);
    dialogue.opened();
    dialogue.received(WELCOME);
    expect(dialogue.outgoing()).toMatchObject([{ name: null }]);
  });

  test("starts afresh where the token is unknown, and says so", () => {
    dialogue.token = "old".padEnd(32, "x");
    dialogue.ask({ kind: "quick", id: "q" });
    dialogue.opened();
    dialogue.received(WELCOME);
    const [hello] = dialogue.outgoing();
    const happened = hear({ kind: "error", re: hello!.id, code: "token_unknown", message: "", retry: false });
    expect(happened).toMatchObject([{ kind: "replied", id: "q", reply: { code: "token_unknown" } }]);
    expect([dialogue.hangUp, dialogue.token]).toEqual([true, null]);
    dialogue.lost(4100);
    expect(connect({ token: "new" })).toEqual([]);
    expect(dialogue.happened()).toMatchObject([{ kind: "resumed", afresh: true }]);
  });
});

describe("commands", () => {
  test("wait for the session, and are sent once", () => {
    dialogue.ask({ kind: "quick", id: "q" });
    expect(dialogue.outgoing()).toEqual([]);
    expect(connect()).toMatchObject([{ kind: "quick", id: "q" }]);
    expect(dialogue.outgoing()).toEqual([]);
  });

  test("are sent again with the same id after a lost connection, until they are answered", () => {
    connect();
    dialogue.ask({ kind: "quick", id: "q" });
    expect(dialogue.outgoing()).toHaveLength(1);
    dialogue.lost(null);
    expect(connect()).toMatchObject([{ kind: "quick", id: "q" }]);
    expect(hear({ kind: "done", re: "q", table: TABLE })).toMatchObject([
      { kind: "resumed" },
      { kind: "resumed" },
      { kind: "replied", id: "q" },
    ]);
    dialogue.lost(null);
    expect(connect({ tables: [{ table: TABLE, seat: 0, status: "open", to_act: true }] })).toEqual([]);
  });

  test("rest when the server says so, and are sent again with the same id", () => {
    connect();
    dialogue.happened();
    dialogue.ask({ kind: "quick", id: "q" });
    dialogue.outgoing();
    expect(hear({ kind: "error", re: "q", code: "too_fast", message: "", retry: true, after_ms: 70 })).toEqual([
      { kind: "later", id: "q", afterMs: 70, tries: 1 },
    ]);
    expect(dialogue.outgoing()).toEqual([]);
    dialogue.again("q");
    expect(dialogue.outgoing()).toMatchObject([{ id: "q" }]);
  });

  test("that are refused are answered with the refusal", () => {
    connect();
    dialogue.happened();
    dialogue.ask({ kind: "play", id: "p", table: TABLE, decision: 1, move: "keep" });
    expect(hear({ kind: "error", re: "p", code: "stale_decision", message: "", retry: false })).toMatchObject([
      { kind: "replied", id: "p", reply: { code: "stale_decision" } },
    ]);
  });
});

describe("what was followed", () => {
  test("is asked for again: watched tables with their invite, and the lobby", () => {
    connect();
    dialogue.ask({ kind: "watch", id: "w", table: TABLE, invite: "amber-otter-42" });
    dialogue.ask({ kind: "lobby", id: "l", follow: true });
    hear({ kind: "done", re: "w", table: TABLE }, { kind: "lobby", re: "l", tables: [] });
    dialogue.lost(null);
    expect(connect()).toMatchObject([
      { kind: "watch", table: TABLE, invite: "amber-otter-42" },
      { kind: "lobby", follow: true },
    ]);
  });

  test("that is gone meanwhile is told as closed", () => {
    connect();
    dialogue.ask({ kind: "watch", id: "w", table: TABLE });
    hear({ kind: "done", re: "w", table: TABLE });
    dialogue.lost(null);
    const [watch] = connect();
    dialogue.happened();
    expect(hear({ kind: "error", re: watch!.id, code: "no_such_table", message: "", retry: false })).toEqual([
      { kind: "closed", table: TABLE, reason: "no_such_table" },
    ]);
  });

  test("never goes back in time", () => {
    connect();
    dialogue.happened();
    expect(hear(view({ version: 5 }), view({ version: 4 }), view({ version: 5 }))).toMatchObject([
      { version: 5 },
      { version: 5 },
    ]);
  });
});

describe("the end of a connection", () => {
  test.each([
    [null, "offline"],
    [4000, "offline"],
    [4004, "offline"],
    [4500, "stopped"],
    [4503, "stopped"],
  ])("by %s", (code, phase) => {
    connect();
    dialogue.lost(code);
    expect(dialogue.phase).toBe(phase);
  });

  test("by a restart tells when to come back", () => {
    connect();
    hear({ kind: "going_away", reason: "", after_ms: 1500 });
    dialogue.lost(4000);
    expect(dialogue.afterMs).toBe(1500);
  });
});

describe("nonces", () => {
  const revealing = (given: string) =>
    view({ version: 2, status: "revealing", seats: [{ ...view().seats[0]!, commitment: given }] });

  test("are revealed once, when the table asks for what was committed to", () => {
    connect();
    const given = dialogue.nonces.commit(TABLE);
    hear(revealing(given), revealing(given));
    const sent = dialogue.outgoing();
    expect(sent).toMatchObject([{ kind: "reveal", table: TABLE, nonce: "01".repeat(32) }]);
    expect(commitment("01".repeat(32))).toBe(given);
  });

  test("are not revealed for somebody else's commitment", () => {
    connect();
    dialogue.nonces.commit(TABLE);
    hear(revealing("f".repeat(64)));
    expect(dialogue.outgoing()).toEqual([]);
  });

  test("outlast the page", () => {
    const given = nonces().commit(TABLE);
    expect(nonces().commit(TABLE)).toBe(given);
    expect(nonces().reveal(revealing(given))).toBe("01".repeat(32));
  });

  test("are new once they were told", () => {
    const own = nonces();
    const first = own.commit(TABLE);
    own.reveal(revealing(first));
    expect(own.commit(TABLE)).not.toBe(first);
  });

  test("are committed to with SHA-256", () => {
    // The example of docs/protocol.md.
    const nonce = "52cf1163a524ceb0329e4db59cb6788f999d1e83d1e8ad66f3badf5175f8ae37";
    expect(commitment(nonce)).toBe("cf8e5defdc05f838fd9d8b814b197f604d66b7e9d117ceb6f05dfd63d8f9d082");
  });
});

test("delays grow from 200 ms to 10 s, shortened by chance by up to a half", () => {
  expect([0, 1, 2].map((attempt) => delay(attempt, 1))).toEqual([200, 400, 800]);
  expect(delay(0, 0)).toBe(100);
  expect(delay(1000, 1)).toBe(10_000);
});
