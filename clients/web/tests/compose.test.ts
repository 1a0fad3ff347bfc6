import { expect, test } from "vitest";
import {
  EMPTY,
  back,
  choose,
  fits,
  flip,
  goOn,
  place,
  preview,
  shift,
  stageOf,
  takeEnd,
  touch,
  type Draft,
} from "../src/game/scout/compose";
import { legalMoves, type Turn } from "../src/game/scout/rules";
import { read, write } from "../src/game/scout/moves";
import { matches } from "./engine";

const turns = matches.flatMap((match) => match.turns);

const TURN: Turn = {
  players: 4,
  hand: [
    [3, 1],
    [5, 2],
    [5, 7],
    [9, 6],
  ],
  table: [
    [4, 8],
    [4, 3],
  ],
  tokens: 1,
  scoutShow: true,
};

/** The touches with which a person composes a move. */
function compose(turn: Turn, notation: string): Draft {
  const move = read(notation)!;
  let draft = EMPTY;
  if (move.kind === "scout" || move.kind === "scoutShow") {
    draft = takeEnd(draft, turn, move.scout.right ? "right" : "left");
    if (move.scout.turn) draft = flip(draft);
    draft = place(draft, turn, move.scout.gap);
  }
  if (move.kind === "scoutShow") draft = goOn(draft, turn);
  if (move.kind === "show" || move.kind === "scoutShow") {
    draft = touch(draft, turn, move.show.first);
    if (move.show.count > 1) draft = touch(draft, turn, move.show.first + move.show.count - 1);
  }
  return draft;
}

test("every legal move can be composed by touches, and is what is sent", () => {
  for (const turn of turns.filter((_, at) => at % 5 === 0))
    for (const notation of turn.moves) {
      const seen = preview(compose(turn, notation), turn);
      expect([seen.move, seen.problem]).toEqual([notation, null]);
    }
});

test("whatever is touched, only legal moves can be sent", () => {
  let state = 1;
  const random = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (const turn of turns) {
    const legal = new Set(turn.moves);
    let draft = EMPTY;
    for (let step = 0; step < 25; step += 1) {
      const index = random(turn.hand.length + 1);
      const acts: (() => Draft)[] = [
        () => touch(draft, turn, Math.min(index, preview(draft, turn).hand.length - 1)),
        () => choose(draft, turn, Math.min(index, turn.hand.length - 1), random(turn.hand.length)),
        () => takeEnd(draft, turn, random(2) ? "left" : "right"),
        () => place(draft, turn, index),
        () => shift(draft, turn, random(2) ? 1 : -1),
        () => flip(draft),
        () => goOn(draft, turn),
        () => back(draft),
      ];
      draft = acts[random(acts.length)]!();
      expect(fits(draft, turn)).toBe(true);
      const seen = preview(draft, turn);
      if (seen.move !== null) expect(legal).toContain(seen.move);
      if (seen.span !== null) expect(seen.move === null).toBe(seen.problem !== null);
    }
  }
});

test("back leads to nothing from everywhere, one step at a time", () => {
  for (const notation of legalMoves(TURN).map(write)) {
    let draft = compose(TURN, notation);
    for (let step = 0; step < 5 && draft !== EMPTY; step += 1) draft = back(draft);
    expect(draft).toEqual(EMPTY);
  }
});

test("touching cards chooses a span, and changes it at its ends", () => {
  const spans = [1, 2, 3, 3, 1, 0].reduce<Draft[]>(
    (drafts, index) => [...drafts, touch(drafts.at(-1)!, TURN, index)],
    [EMPTY],
  );
  expect(spans.map((draft) => draft.span)).toEqual([
    null,
    { from: 1, to: 1 },
    { from: 1, to: 2 },
    { from: 1, to: 3 },
    { from: 1, to: 2 },
    { from: 2, to: 2 },
    { from: 0, to: 2 },
  ]);
});

test("a touch takes back the only card chosen", () => {
  expect(touch(touch(EMPTY, TURN, 2), TURN, 2).span).toBeNull();
});

test("the stages of a Scout & Show", () => {
  let draft = takeEnd(EMPTY, TURN, "right");
  expect(stageOf(draft)).toBe("placing");
  expect(preview(draft, TURN)).toMatchObject({ card: [4, 3], hand: TURN.hand, table: [[4, 8]], move: null });
  draft = flip(place(draft, TURN, 1));
  expect(preview(draft, TURN)).toMatchObject({ stage: "placed", ghost: 1, card: [3, 4], move: "scout right turned 2" });
  expect(touch(draft, TURN, 1).turn).toBe(false);
  draft = touch(draft, TURN, 0);
  expect(stageOf(draft)).toBe("showing");
  draft = touch(draft, TURN, 1);
  expect(preview(draft, TURN)).toMatchObject({
    chosen: [
      [3, 1],
      [3, 4],
    ],
    move: "scout right turned 2 show 1-2",
    captures: 1,
  });
});

test("the same end again lays it back, the other one is taken instead", () => {
  const left = takeEnd(EMPTY, TURN, "left");
  expect(takeEnd(left, TURN, "left")).toEqual(EMPTY);
  expect(takeEnd(left, TURN, "right")).toMatchObject({ end: "right", gap: null });
});

test("of a single card there is only a left end", () => {
  expect(takeEnd(EMPTY, { ...TURN, table: [[4, 8]] }, "right").end).toBe("left");
});

test("without the right to it no Show follows a Scout", () => {
  const used = { ...TURN, scoutShow: false };
  const draft = place(takeEnd(EMPTY, used, "left"), used, 0);
  expect(touch(draft, used, 2)).toEqual(draft);
  expect(choose(draft, used, 1, 2)).toEqual(draft);
});

test("a draft does not outlive the set that it takes from", () => {
  const draft = takeEnd(EMPTY, TURN, "right");
  expect(fits(draft, { ...TURN, table: [[4, 8]] })).toBe(false);
  expect(fits(draft, { ...TURN, table: [] })).toBe(false);
});
