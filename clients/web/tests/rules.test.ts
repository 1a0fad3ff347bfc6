import { expect, test } from "vitest";
import { write, read } from "../src/game/scout/moves";
import { afterScout, legalMoves, playable, scoutProblem, scoutShowProblem, showProblem } from "../src/game/scout/rules";
import { matches } from "./engine";

const turns = matches.flatMap((match) => match.turns);

test("there are thousands of positions to compare", () => {
  expect(turns.length).toBeGreaterThan(2000);
});

test("the legal moves are the engine's", () => {
  for (const turn of turns) expect(legalMoves(turn).map(write).sort()).toEqual(turn.moves);
});

test("every move is read back as what was written", () => {
  for (const turn of turns.slice(0, 200)) for (const move of turn.moves) expect(write(read(move)!)).toBe(move);
});

test.each(["", "show", "scout", "scout left", "show 3-5 scout left 1", "keep show 1", "scout left 1show 2"])(
  "%j is no move",
  (text) => expect(read(text)).toBeNull(),
);

test("a reason is given for exactly what the engine does not allow", () => {
  for (const turn of turns) {
    const legal = new Set(turn.moves);
    for (let first = 0; first < turn.hand.length; first += 1)
      for (let count = 1; first + count <= turn.hand.length; count += 1) {
        const allowed = legal.has(write({ kind: "show", show: { first, count } }));
        expect(showProblem(turn.hand.slice(first, first + count), turn.table) === null).toBe(allowed);
      }
    expect(scoutProblem(turn) === null).toBe(turn.moves.some((move) => move.startsWith("scout")));
    const both = scoutShowProblem(turn) === null;
    if (turn.moves.some((move) => move.startsWith("scout") && move.includes("show"))) expect(both).toBe(true);
  }
});

test("cards that can be played are those of some legal Show", () => {
  for (const turn of turns) {
    const cards = new Set<number>();
    for (const text of turn.moves) {
      const move = read(text);
      if (move?.kind !== "show") continue;
      for (let at = 0; at < move.show.count; at += 1) cards.add(move.show.first + at);
    }
    expect(playable(turn.hand, turn.table)).toEqual(cards);
  }
});

test("a Scout moves one card from the table to the gap", () => {
  const hand = [
    [1, 2],
    [3, 4],
  ] as const;
  const table = [
    [5, 6],
    [7, 8],
    [9, 10],
  ] as const;
  expect(afterScout(hand, table, { right: true, turn: true, gap: 1 })).toEqual({
    hand: [
      [1, 2],
      [10, 9],
      [3, 4],
    ],
    table: [
      [5, 6],
      [7, 8],
    ],
  });
});
