import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { AnyEvent } from "../src/protocol/types";
import { summaryOf } from "../src/words/about";
import { seated, type Cast } from "../src/words/cast";
import { de } from "../src/words/de";
import { en, type Words } from "../src/words/en";
import { chooseLanguage } from "../src/words/choose";
import { plain } from "../src/words/rich";
import { matches } from "./engine";

const LANGUAGES: [string, Words][] = [
  ["en", en],
  ["de", de],
];

const engine = readFileSync(new URL("../../../engine/scout/codes.py", import.meta.url), "utf8");
const reasons = [...engine.matchAll(/^ {8}"(\w+)": /gm)].map(([, code]) => code!);
const cast: Cast = { names: ["Ada", "Ben", "Cleo", "Dan", "Eva"], you: 0 };

function tell(words: Words, event: AnyEvent, of = cast): string {
  const teller = words.log.events[event.kind] as (
    event: AnyEvent,
    cast: Cast,
  ) => ReturnType<Words["log"]["events"]["created"]>;
  return plain(teller(event, of));
}

describe.each(LANGUAGES)("in %s", (_, words) => {
  test("the engine's reasons have words", () => {
    expect(reasons.length).toBeGreaterThan(15);
    for (const reason of reasons) expect(words.moves[reason], reason).toBeTruthy();
  });

  test("whatever happens in a match is told in whole sentences", () => {
    for (const event of matches.slice(0, 8).flatMap((match) => match.frames.flatMap((frame) => frame.events)))
      for (const of of [cast, { ...cast, you: null }]) {
        const told = tell(words, event, of);
        expect(told).toMatch(/\.$/);
        expect(told).not.toMatch(/undefined|null|NaN|\{|\s\s| \./);
      }
  });

  test("what beats a set is said, whichever set it is", () => {
    for (const values of [[1], [10], [3, 3], [10, 10, 10], [4, 5], [9, 10], [8, 7, 6]]) {
      const said = words.table.beatIt(summaryOf(values)!);
      expect(said).not.toMatch(/undefined|NaN/);
      if (values.includes(10)) expect(said).not.toMatch(/higher|höher/);
    }
  });

  test("the same sections of the rules", () =>
    expect(words.rules.sections.map((section) => section.id)).toEqual(en.rules.sections.map((section) => section.id)));
});

test("the reader is addressed, and others are named", () => {
  const event: AnyEvent = {
    kind: "showed",
    seat: 0,
    cards: [
      [5, 1],
      [5, 2],
    ],
    captured: 1,
    move: null,
  };
  expect(tell(en, event)).toBe("You show 5-5 and take the card.");
  expect(tell(en, { ...event, seat: 1 })).toBe("Ben shows 5-5 and takes the card.");
  expect(tell(de, event)).toBe("Du zeigst 5-5 und erbeutest die Karte.");
  expect(tell(de, { ...event, seat: 1 })).toBe("Ben zeigt 5-5 und erbeutet die Karte.");
});

test("what beats a run is complete", () => {
  expect(en.table.beatIt(summaryOf([6, 7, 8])!)).toBe(
    "Scout an end, or beat it with 3 equal cards, a higher run or 4 cards.",
  );
});

test("seats are renumbered when the match starts", () => {
  const before: Cast = { names: ["Ada", null, "Cleo"], you: 2 };
  expect(seated(before, { kind: "started", seats: [2, 0] })).toEqual({ names: ["Cleo", "Ada"], you: 0 });
  expect(seated(before, { kind: "sat", seat: 1, name: "Ben", bot: false }).names).toEqual(["Ada", "Ben", "Cleo"]);
});

test.each([
  [["de-AT", "en"], "de"],
  [["fr", "en-GB", "de"], "en"],
  [["fr", "de"], "de"],
  [["ja"], "en"],
  [[], "en"],
])("a browser that wants %j gets %s", (wanted, language) => expect(chooseLanguage(wanted)).toBe(language));
