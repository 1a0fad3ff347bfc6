import { myTables } from "../state/app";
import { tablePath } from "../state/router";
import { words } from "../words";
import { CardFace } from "./scout/Card";
import type { Rich } from "../words/rich";

export function RulesPage() {
  const { rules, app } = words.value;
  const from = myTables.value.find((view) => view.status !== "over");
  return (
    <main id="main" tabIndex={-1} class="page narrow rules">
      <h1>{rules.title}</h1>
      <p class="lead">
        <Sentence text={rules.lead} />
      </p>
      {rules.sections.map((section) => (
        <section key={section.id} aria-labelledby={section.id}>
          <h2 id={section.id}>{section.heading}</h2>
          {section.text.map((text, at) => (
            <p key={at}>
              <Sentence text={text} />
            </p>
          ))}
          {section.points && (
            <ul>
              {section.points.map((text, at) => (
                <li key={at}>
                  <Sentence text={text} />
                </li>
              ))}
            </ul>
          )}
        </section>
      ))}
      <p>
        {from ? (
          <a class="button" href={tablePath(from.table)}>
            {app.back}
          </a>
        ) : (
          <a class="button" href="/">
            {app.toLobby}
          </a>
        )}
      </p>
    </main>
  );
}

function Sentence({ text }: { text: Rich }) {
  return (
    <>
      {text.map((part, at) =>
        typeof part === "string" ? (
          part
        ) : "cards" in part ? (
          <span class="set-in-text" key={at} role="img" aria-label={part.cards.map(([up]) => up).join("-")}>
            {part.cards.map((card, index) => (
              <CardFace key={index} card={card} />
            ))}
          </span>
        ) : null,
      )}
    </>
  );
}
