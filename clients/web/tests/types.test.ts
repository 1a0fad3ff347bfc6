import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
// @ts-expect-error the generator is a plain script
import { generate } from "../tools/types.mjs";

test("the types are those of the documented protocol", () => {
  const committed = readFileSync(new URL("../src/protocol/types.ts", import.meta.url), "utf8");
  expect(committed).toBe((generate as () => string)());
});
