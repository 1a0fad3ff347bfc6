/** Moves and their notation, as in docs/protocol.md; indexes count from 0 here, and from 1 in the notation. */

export interface Show {
  first: number;
  count: number;
}

export interface Scout {
  right: boolean;
  turn: boolean;
  /** The index that the card will have in the hand. */
  gap: number;
}

export type Move =
  | { kind: "orient"; turn: boolean }
  | { kind: "show"; show: Show }
  | { kind: "scout"; scout: Scout }
  | { kind: "scoutShow"; scout: Scout; show: Show };

export function write(move: Move): string {
  switch (move.kind) {
    case "orient":
      return move.turn ? "turn" : "keep";
    case "show":
      return writeShow(move.show);
    case "scout":
      return writeScout(move.scout);
    case "scoutShow":
      return `${writeScout(move.scout)} ${writeShow(move.show)}`;
  }
}

const PATTERN = /^(?:(keep|turn)|(?:scout (left|right)( turned)? (\d+))?(?:(?:^| )show (\d+)(?:-(\d+))?)?)$/;

/** The move that a notation stands for; `null` if it is none. */
export function read(text: string): Move | null {
  const found = PATTERN.exec(text);
  if (found === null || text === "") return null;
  const [, orient, end, turn, gap, first, last] = found;
  if (orient !== undefined) return { kind: "orient", turn: orient === "turn" };
  const scout: Scout | null =
    end === undefined ? null : { right: end === "right", turn: turn !== undefined, gap: Number(gap) - 1 };
  if (first === undefined) return scout && { kind: "scout", scout };
  const show: Show = { first: Number(first) - 1, count: Number(last ?? first) - Number(first) + 1 };
  return scout ? { kind: "scoutShow", scout, show } : { kind: "show", show };
}

function writeShow({ first, count }: Show): string {
  return count === 1 ? `show ${first + 1}` : `show ${first + 1}-${first + count}`;
}

function writeScout({ right, turn, gap }: Scout): string {
  return `scout ${right ? "right" : "left"}${turn ? " turned" : ""} ${gap + 1}`;
}
