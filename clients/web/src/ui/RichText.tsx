import type { Rich } from "../words/rich";
import { Chip } from "./scout/Card";

/** A sentence with cards in it. */
export function RichText({ text }: { text: Rich }) {
  return (
    <>
      {text.map((part, at) => {
        if (typeof part === "string") return part;
        const values = "cards" in part ? part.cards.map(([up]) => up) : part.values;
        return (
          <span class="chips" key={at}>
            {values.map((value, index) => (
              <Chip key={index} value={value} />
            ))}
          </span>
        );
      })}
    </>
  );
}
