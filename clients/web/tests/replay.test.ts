import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { viewOf } from "../src/game/scout/course";
import { BadRecord, parseRecord, roundStarts } from "../src/game/scout/record";
import { matches } from "./engine";

const page = readFileSync(new URL("../../../docs/records.md", import.meta.url), "utf8");
const example = page.slice(page.indexOf('[Game "scout"]'), page.lastIndexOf("```"));

test("every frame is as the engine has it", () => {
  for (const match of matches) {
    const replay = parseRecord(match.record);
    expect(replay.frames.length).toBe(match.frames.length);
    replay.frames.forEach((frame, at) => {
      const expected = match.frames[at]!;
      expect(frame.state.hands).toEqual(expected.hands);
      expect(frame.events).toEqual(expected.events);
      const { gone: _, seats, ...view } = viewOf(frame.state);
      const { gone: __, seats: expectedSeats, ...expectedView } = expected.view;
      expect(view).toEqual(expectedView);
      expect(seats.map((seat) => ({ ...seat, held: 0 }))).toEqual(expectedSeats.map((seat) => ({ ...seat, held: 0 })));
    });
  }
});

test("names, times and minders are read", () => {
  const replay = parseRecord(matches[1]!.record);
  expect(replay.names).toEqual(["A", "B", "C"].map((letter) => `${letter} "the \\ Great"`));
  expect(replay.frames[6]).toMatchObject({ at: 7000, minder: true });
  expect(replay.frames[5]).toMatchObject({ at: 6000, minder: false });
});

test("the documented record is replayed to its totals", () => {
  const replay = parseRecord(example);
  expect(replay.names).toEqual(["Ada", "Ben"]);
  expect(roundStarts(replay)).toEqual([0, replay.frames.findIndex((frame) => frame.state.round === 2)]);
  expect(replay.frames.at(-1)!.events.at(-1)).toEqual({ kind: "game_over", points: [-19, 7], winners: [1] });
});

test.each([
  ["nothing", ""],
  ["another game", example.replace('"scout"', '"chess"')],
  ["a move that is none", example.replace("show 9-10", "shew 9-10")],
  ["a card that is none", example.replace("3/7 6/9", "3 6/9")],
])("%s is no record", (_, text) => expect(() => parseRecord(text)).toThrow(BadRecord));
