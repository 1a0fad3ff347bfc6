/** Has the project's engine write its vectors once, before the tests. */
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("../tools/vectors.py", import.meta.url));
const VENV = fileURLToPath(new URL("../../../.venv/bin/python", import.meta.url));
const VECTORS = fileURLToPath(new URL("./.vectors.json", import.meta.url));

export default function setup(): void {
  const python = process.env["PYTHON"] ?? (existsSync(VENV) ? VENV : "python3");
  writeFileSync(VECTORS, execFileSync(python, [SCRIPT], { maxBuffer: 2 ** 28 }));
}
