import { expect, test } from "vitest";
import { TOUCH, layoutHand, nearestGap } from "../src/game/scout/hand";
import { APART_MS, Pacer } from "../src/game/pacing";
import { around, others } from "../src/game/seats";
import { kindOf, strength } from "../src/game/scout/sets";
import { readLink, replayPath, routeOf, tablePath } from "../src/state/router";

test.each([344, 398, 900, 1248])("a hand of any size fits into %i pixels, and every card can be touched", (width) => {
  for (let cards = 1; cards <= 45; cards += 1) {
    const { rows, perRow, pitch, cardWidth } = layoutHand(cards, width);
    expect(rows * perRow).toBeGreaterThanOrEqual(cards);
    expect((rows - 1) * perRow).toBeLessThan(cards);
    expect(pitch).toBeGreaterThanOrEqual(TOUCH);
    expect(pitch * (perRow - 1) + cardWidth).toBeLessThanOrEqual(width);
  }
});

test("thirty cards on a phone take no more than half of its height", () => {
  const { rows, cardHeight } = layoutHand(30, 344);
  expect(rows * (cardHeight + 8)).toBeLessThanOrEqual(370);
});

test("the nearest gap is that of the nearest edge in the nearest row", () => {
  const rects = [0, 1, 2, 3].map((at) => ({
    left: 50 * (at % 2),
    right: 50 * (at % 2) + 45,
    top: Math.floor(at / 2) * 80,
    bottom: Math.floor(at / 2) * 80 + 70,
  }));
  expect(nearestGap(rects, -5, 10)).toBe(0);
  expect(nearestGap(rects, 48, 10)).toBe(1);
  expect(nearestGap(rects, 2, 120)).toBe(2);
  expect(nearestGap(rects, 99, 120)).toBe(4);
});

test("moves of others are shown apart from each other, the rest at once and in order", () => {
  const pacer = new Pacer<string>();
  pacer.put("a", true);
  expect(pacer.take(0)).toEqual(["a"]);
  pacer.put("b", true);
  pacer.put("c", false);
  pacer.put("d", true);
  expect(pacer.take(10)).toEqual([]);
  expect(pacer.dueIn(10)).toBe(APART_MS - 10);
  expect(pacer.take(APART_MS)).toEqual(["b"]);
  expect(pacer.dueIn(APART_MS)).toBe(0);
  expect(pacer.take(APART_MS + 1)).toEqual(["c"]);
  expect(pacer.waiting).toBe(1);
  expect(pacer.take(2 * APART_MS)).toEqual(["d"]);
  expect(pacer.dueIn(0)).toBeNull();
});

test("what waits can be skipped", () => {
  const pacer = new Pacer<number>();
  for (let at = 0; at < 4; at += 1) pacer.put(at, true);
  expect(pacer.take(0, true)).toEqual([0, 1, 2, 3]);
});

test("moves are at least 0.7 s apart", () => expect(APART_MS).toBeGreaterThanOrEqual(700));

test("the next seat comes first, the own one last", () => {
  expect(around(2, 5)).toEqual([3, 4, 0, 1, 2]);
  expect(others(2, 5)).toEqual([3, 4, 0, 1]);
  expect(others(null, 3)).toEqual([0, 1, 2]);
});

test.each([
  [[5], "single"],
  [[5, 5, 5], "match"],
  [[6, 7, 8], "run"],
  [[3, 2], "run"],
  [[10, 1], null],
  [[6, 7, 9], null],
  [[6, 7, 6], null],
  [[], null],
])("%j is a %s", (values, kind) => expect(kindOf(values)).toBe(kind));

test("sets from weak to strong", () => {
  const sets = [[], [1], [10], [1, 2], [9, 10], [1, 1], [10, 10], [1, 2, 3], [8, 7, 6], [2, 2, 2], [1, 2, 3, 4]];
  const strengths = sets.map(strength);
  expect([...strengths].sort((one, other) => one - other)).toEqual(strengths);
  expect(new Set(strengths).size).toBe(sets.length);
});

const TABLE = "7kq2m0x9v4ad";

test.each([
  ["/", "", { page: "lobby" }],
  ["/rules", "", { page: "rules" }],
  [`/t/${TABLE}`, "", { page: "table", table: TABLE, invite: null }],
  [`/t/${TABLE}`, "?invite=amber-otter-42", { page: "table", table: TABLE, invite: "amber-otter-42" }],
  [`/t/${TABLE}`, "?invite=<script>", { page: "table", table: TABLE, invite: null }],
  [`/t/${TABLE}/replay`, "?at=12", { page: "replay", table: TABLE, at: 12, share: null }],
  [`/t/${TABLE}/replay`, "?at=-3", { page: "replay", table: TABLE, at: 0, share: null }],
  [`/t/${TABLE}/replay`, "?share=abcd-efgh", { page: "replay", table: TABLE, at: 0, share: "abcd-efgh" }],
  [`/t/${TABLE}/replay`, "?share=%3Cb%3E", { page: "replay", table: TABLE, at: 0, share: null }],
  ["/t/short", "", { page: "unknown" }],
  ["/elsewhere", "", { page: "unknown" }],
])("%s%s", (path, query, route) => expect(routeOf(path, query)).toEqual(route));

test.each([
  [TABLE, { table: TABLE, invite: null }],
  [` https://scout.example.org/t/${TABLE}?invite=amber-otter-42 `, { table: TABLE, invite: "amber-otter-42" }],
  [`http://192.168.1.5:8765/t/${TABLE}`, { table: TABLE, invite: null }],
])("%j names a table", (text, place) => expect(readLink(text)).toMatchObject(place));

test.each(["", "amber-otter-42", "https://scout.example.org/", "javascript:alert(1)"])("%j names none", (text) =>
  expect(readLink(text)).toBeNull(),
);

test("paths are read back", () => {
  expect(readLink(tablePath(TABLE, "amber-otter-42"))).toMatchObject({ table: TABLE, invite: "amber-otter-42" });
  expect(replayPath(TABLE, 5)).toBe(`/t/${TABLE}/replay?at=5`);
  expect(replayPath(TABLE, 5, "abcd-efgh")).toBe(`/t/${TABLE}/replay?at=5&share=abcd-efgh`);
  expect(replayPath(TABLE, 0, "abcd-efgh")).toBe(`/t/${TABLE}/replay?share=abcd-efgh`);
});
