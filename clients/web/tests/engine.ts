/** What the project's own engine says, made by tools/vectors.py when the tests run. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Turn } from "../src/game/scout/rules";
import type { Card } from "../src/game/scout/cards";
import type { AnyEvent, ScoutView } from "../src/protocol/types";

export interface Match {
  record: string;
  frames: { view: ScoutView; hands: Card[][]; events: AnyEvent[] }[];
  turns: (Turn & { moves: string[] })[];
}

const SCRIPT = fileURLToPath(new URL("../tools/vectors.py", import.meta.url));
const VENV = fileURLToPath(new URL("../../../.venv/bin/python", import.meta.url));

function ask(): Match[] {
  const python = process.env["PYTHON"] ?? (existsSync(VENV) ? VENV : "python3");
  return JSON.parse(execFileSync(python, [SCRIPT], { maxBuffer: 2 ** 28, encoding: "utf8" })) as Match[];
}

export const matches: readonly Match[] = ask();
