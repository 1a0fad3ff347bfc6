export type Language = "en" | "de";

/** The first of the browser's languages that there is; else English. */
export function chooseLanguage(wanted: readonly string[]): Language {
  const found = wanted.map((tag) => tag.toLowerCase().split("-")[0]).find((tag) => tag === "en" || tag === "de");
  return found === "de" ? "de" : "en";
}
