// Writes src/protocol/types.ts from docs/protocol/schema.json, and the codes of errors from docs/protocol.md. `generate`
// is also called by the test that the file is current.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SCHEMA = new URL("../../../docs/protocol/schema.json", import.meta.url);
const PAGE = new URL("../../../docs/protocol.md", import.meta.url);
const TYPES = new URL("../src/protocol/types.ts", import.meta.url);

/** The TypeScript for the protocol as it is documented now. */
export function generate() {
  const schema = JSON.parse(readFileSync(SCHEMA, "utf8"));
  const parts = ["// Made from docs/protocol/schema.json by `npm run types`.\n"];
  for (const [name, shape] of Object.entries(schema.$defs)) parts.push(definition(name, shape));
  const events = schema.$defs.View.properties.events.items;
  parts.push(`/** What can happen at a table. */\nexport type AnyEvent = ${type(events)};\n`);
  const codes = errorCodes(readFileSync(PAGE, "utf8"));
  parts.push(
    `/** Why a command is refused. */\nexport type ErrorCode = ${codes.map((code) => `"${code}"`).join(" | ")};\n`,
  );
  return parts.join("\n");
}

function errorCodes(page) {
  const [, section] = page.split("\n## Error codes\n");
  const codes = [...section.split("\n## ")[0].matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code);
  if (codes.length === 0) throw new Error("docs/protocol.md lists no error codes");
  return codes;
}

function definition(name, shape) {
  const comment = shape.description ? doc(shape.description, "") : "";
  if (shape.type !== "object") return `${comment}export type ${name} = ${type(shape)};\n`;
  const needed = new Set(shape.required ?? []);
  const fields = Object.entries(shape.properties).map(([key, value]) => {
    const optional = needed.has(key) ? "" : "?";
    return `${doc(value.description ?? "", "  ")}  ${key}${optional}: ${type(value)};\n`;
  });
  return `${comment}export interface ${name} {\n${fields.join("")}}\n`;
}

function doc(text, indent) {
  if (!text) return "";
  const lines = text.split("\n").map((line, at) => `${indent}${at ? " * " : "/** "}${line}`.trimEnd());
  return `${lines.join("\n")} */\n`;
}

function type(shape) {
  if (shape.$ref) return shape.$ref.split("/").at(-1);
  if (shape.enum) return shape.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (shape.anyOf) return [...new Set(shape.anyOf.map(type))].join(" | ");
  switch (shape.type) {
    case "integer":
      return "number";
    case "boolean":
    case "null":
    case "string":
      return shape.type;
    case "array":
      if (shape.prefixItems) return `readonly [${shape.prefixItems.map(type).join(", ")}]`;
      return `readonly (${type(shape.items)})[]`;
    default:
      throw new Error(`The generator does not know ${JSON.stringify(shape)}`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(TYPES, generate());
}
