import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { APART_MS } from "../src/game/pacing";
import type { AnyEvent, EventLog, Step, View } from "../src/protocol/types";
import { TableStore, type Line } from "../src/state/table";

const TABLE = "7kq2m0x9v4ad";

let log: Step[];
let asked: number[];
let heard: Line[];
let store: TableStore;

beforeEach(() => {
  vi.useFakeTimers();
  log = [];
  asked = [];
  heard = [];
  const fetch = async (table: string, since: number): Promise<EventLog> => {
    asked.push(since);
    const steps = log.filter((step) => step.version > since).slice(0, 2);
    return { kind: "events", re: "e", table, since, steps, more: (steps.at(-1)?.version ?? 0) < log.length };
  };
  store = new TableStore(TABLE, fetch, (line) => heard.push(line));
});

afterEach(() => vi.useRealTimers());

/** Something happens at the table; gives the view that would be pushed to seat 0. */
function happens(...events: AnyEvent[]): View {
  const version = log.length + 1;
  log.push({ version, head: "", by: "player", events });
  const seats = ["Ada", "Ben"].map((name) => ({ name }));
  return {
    kind: "view",
    table: TABLE,
    version,
    seats,
    you: 0,
    deadline_ms: 1000,
    by: "player",
    events,
  } as unknown as View;
}

const shows = (seat: number): AnyEvent => ({ kind: "showed", seat, cards: [[5, 1]], captured: 0, move: null });
const version = () => store.shown.value?.view.version;
const settle = () => vi.advanceTimersByTimeAsync(0);
const told = () => store.lines.value.map((line) => line.id);

test("the first view is shown at once, with what happened before", async () => {
  happens({ kind: "created" });
  happens({ kind: "sat", seat: 0, name: "Ada", bot: false });
  store.saw(happens(shows(1)));
  store.follow();
  await settle();
  expect(version()).toBe(3);
  expect(told()).toEqual(["1.0", "2.0", "3.0"]);
  expect(heard).toEqual([]);
});

test("moves of others follow each other slowly, own ones wait only for what came before", async () => {
  store.saw(happens(shows(1)));
  store.follow();
  await settle();
  store.saw(happens(shows(1)));
  store.saw(happens(shows(1)));
  store.saw(happens(shows(0)));
  await settle();
  expect([version(), store.waiting.value]).toEqual([2, 2]);
  await vi.advanceTimersByTimeAsync(APART_MS - 1);
  expect(version()).toBe(2);
  await vi.advanceTimersByTimeAsync(2);
  expect([version(), store.waiting.value]).toEqual([4, 0]);
  expect(heard.map((line) => line.id)).toEqual(["2.0", "3.0", "4.0"]);
});

test("what waits can be skipped, and nothing is lost in the log", async () => {
  store.saw(happens(shows(1)));
  store.follow();
  await settle();
  for (let at = 0; at < 4; at += 1) store.saw(happens(shows(1)));
  await settle();
  store.skip();
  expect([version(), store.waiting.value]).toEqual([5, 0]);
  expect(told()).toEqual(["1.0", "2.0", "3.0", "4.0", "5.0"]);
});

test("versions that were left out are asked for, page by page", async () => {
  store.saw(happens(shows(1)));
  store.follow();
  await settle();
  for (let at = 0; at < 4; at += 1) happens(shows(1));
  asked = [];
  store.saw(happens(shows(1)));
  await settle();
  expect([version(), asked]).toEqual([6, [1, 3, 5]]);
  expect(told()).toEqual(["1.0", "2.0", "3.0", "4.0", "5.0", "6.0"]);
});

test("the same version again changes no log", async () => {
  const view = happens(shows(1));
  store.saw(view);
  store.follow();
  await settle();
  store.saw({ ...view, deadline_ms: 500 });
  await settle();
  expect(told()).toEqual(["1.0"]);
});

test("a table that nobody looks at is not paced", async () => {
  store.saw(happens(shows(1)));
  store.saw(happens(shows(1)));
  store.saw(happens(shows(1)));
  await settle();
  expect([version(), store.waiting.value]).toEqual([3, 0]);
});
