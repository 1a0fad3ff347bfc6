import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const css = (name: string) => readFileSync(new URL(`../src/style/${name}.css`, import.meta.url), "utf8");

/** The custom properties of the first block after `selector`. */
function block(text: string, selector: string): Record<string, string> {
  const from = text.indexOf(selector);
  if (from < 0) throw new Error(`no ${selector}`);
  const body = text.slice(text.indexOf("{", from) + 1, text.indexOf("}", from));
  return Object.fromEntries(
    [...body.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value!.trim()]),
  );
}

function luminance(colour: string): number {
  const hex = colour.length === 4 ? [...colour.slice(1)].map((digit) => digit + digit).join("") : colour.slice(1);
  const [red, green, blue] = [0, 2, 4].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

const base = css("base");
const dark = block(base, ":root {");
const light = { ...dark, ...block(base.slice(base.indexOf("prefers-color-scheme: light")), ":root {") };

test.each([
  ["dark", dark],
  ["light", light],
])("texts stand out from their grounds in the %s theme (AA)", (_, theme) => {
  const colour = (name: string) => theme[name]!;
  for (const ground of ["ground", "panel", "panel-2", "spot"])
    for (const text of ["text", "muted", "gold-text", "mint-text"])
      expect([ground, text, contrast(colour(ground), colour(text)) >= 4.5]).toEqual([ground, text, true]);
  expect(contrast(colour("gold"), colour("on-gold"))).toBeGreaterThanOrEqual(4.5);
  expect(contrast(colour("mint"), colour("on-mint"))).toBeGreaterThanOrEqual(4.5);
  expect(contrast(colour("bad-ground"), colour("text"))).toBeGreaterThanOrEqual(4.5);
  expect(contrast(colour("red"), "#fff")).toBeGreaterThanOrEqual(4.5);
  // What is drawn, not written: the frames of what can be taken, and of whose turn it is.
  for (const frame of ["gold-text", "mint"]) expect(contrast(colour("panel"), colour(frame))).toBeGreaterThanOrEqual(3);
});

const cards = css("cards");
const VALUES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

test("both values of every card stand out from what they are written on", () => {
  for (const value of VALUES) {
    const { c, on } = block(cards, `.v${value} {`);
    expect([value, contrast(c!, on!) >= 4.5]).toEqual([value, true]);
    expect([value, contrast(block(cards, `.i${value} {`)["ink"]!, "#fff9ec") >= 4.5]).toEqual([value, true]);
  }
});

test("neighbouring values differ in lightness, too", () => {
  for (const value of VALUES.slice(1)) {
    const [one, other] = [value - 1, value].map((each) => block(cards, `.v${each} {`)["c"]!);
    expect([value, contrast(one!, other!) >= 1.25]).toEqual([value, true]);
  }
});
