import { useEffect, useRef } from "preact/hooks";
import { sentence } from "../state/app";
import type { Line, TableStore } from "../state/table";
import { words } from "../words";
import { RichText } from "./RichText";

/** What happened at a table, in words. Once the match has begun, who sat down when is of no more interest. */
export function Log({ store }: { store: TableStore }) {
  const lines = store.lines.value;
  const started = lines.findLastIndex((line) => line.event.kind === "started");
  return <Lines lines={started < 0 ? lines : lines.slice(started)} />;
}

/** The newest line is at the bottom, and in sight. */
export function Lines({ lines }: { lines: readonly Line[] }) {
  const known = words.value.log;
  const list = useRef<HTMLOListElement>(null);
  const last = lines.at(-1)?.id;
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [last]);
  return (
    <aside class="log" aria-labelledby="log">
      <h2 id="log">{known.title}</h2>
      {lines.length === 0 && <p class="note">{known.empty}</p>}
      <ol ref={list} tabIndex={0} aria-labelledby="log">
        {lines.map((line) => (
          <li key={line.id} class={`log-line log-${line.event.kind}`}>
            <RichText text={sentence(line)} />
          </li>
        ))}
      </ol>
    </aside>
  );
}
