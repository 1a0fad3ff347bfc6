/** What the project's own engine says: positions with all legal moves, and whole matches. */
import { readFileSync } from "node:fs";
import type { Card } from "../src/game/scout/cards";
import type { Turn } from "../src/game/scout/rules";
import type { AnyEvent, ScoutView } from "../src/protocol/types";

export interface Match {
  record: string;
  frames: { view: ScoutView; hands: Card[][]; events: AnyEvent[] }[];
  turns: (Turn & { moves: string[] })[];
}

export const matches = JSON.parse(
  readFileSync(new URL("./.vectors.json", import.meta.url), "utf8"),
) as readonly Match[];
