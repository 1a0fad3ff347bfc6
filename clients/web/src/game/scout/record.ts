/** Records of finished matches (docs/records.md), as the frames of a replay. */
import type { AnyEvent } from "../../protocol/types";
import type { Card } from "./cards";
import { apply, deal, initial, type Deal, type Made, type State } from "./course";
import { read } from "./moves";

/** One moment of a match: how everything lies, and what just happened. */
export interface Frame {
  state: State;
  events: AnyEvent[];
  /** The seat that moved; `null` for deals. */
  seat: number | null;
  /** Milliseconds since the table was created. */
  at: number;
  minder: boolean;
}

export interface Replay {
  names: string[];
  frames: Frame[];
}

/** Raised for a text that is no record of SCOUT. */
export class BadRecord extends Error {}

const HEADER = /^\[(\w+) "((?:[^"\\]|\\.)*)"\]$/;
const LINE = /^\d+\. ([^;]*); \+(\d+)(.*)$/;
const SEATS = "ABCDE";

export function parseRecord(text: string): Replay {
  const header = new Map<string, string>();
  const frames: Frame[] = [];
  let state: State | null = null;
  for (const line of text.split("\n")) {
    const named = HEADER.exec(line);
    if (named) {
      header.set(named[1]!, named[2]!.replace(/\\(.)/g, "$1"));
      continue;
    }
    const entry = LINE.exec(line);
    const moved = entry?.[1]?.trim();
    if (!entry || !moved) continue;
    state ??= initial(players(header));
    const [who, notation] = split(moved);
    const seat = who === "*" ? null : SEATS.indexOf(who);
    const made: Made = seat === null ? deal(state, readDeal(notation)) : apply(state, seat, move(notation));
    state = made.state;
    frames.push({ ...made, seat, at: Number(entry[2]), minder: entry[3] === " minder" });
  }
  if (frames.length === 0) throw new BadRecord("There is no deal in it.");
  const names = Array.from({ length: players(header) }, (_, seat) => header.get(`Seat${SEATS[seat]}`) ?? "");
  return { names, frames };
}

/** The index of the first frame of each round. */
export function roundStarts(replay: Replay): number[] {
  return replay.frames.flatMap((frame, at) => (frame.events[0]?.kind === "dealt" ? [at] : []));
}

function players(header: ReadonlyMap<string, string>): number {
  const count = Number(header.get("Players"));
  if (header.get("Game") !== "scout" || !(count >= 2 && count <= 5)) throw new BadRecord("It is no match of SCOUT.");
  return count;
}

function split(moved: string): [string, string] {
  const at = moved.indexOf(" ");
  return [moved.slice(0, at), moved.slice(at + 1)];
}

function move(notation: string) {
  const found = read(notation);
  if (found === null) throw new BadRecord(`${notation} is no move.`);
  return found;
}

function readDeal(notation: string): Deal {
  const found = /^deal ([A-E]) (.*)$/.exec(notation);
  if (!found) throw new BadRecord(`${notation} is no deal.`);
  const groups = found[2]!.split("|").slice(0, -1); // behind the last bar stands what was kept back
  return { start: SEATS.indexOf(found[1]!), hands: groups.map((group) => group.trim().split(" ").map(readCard)) };
}

function readCard(text: string): Card {
  const [up, down] = text.split("/").map(Number);
  if (!up || !down) throw new BadRecord(`${text} is no card.`);
  return [up, down];
}
