import { useEffect } from "preact/hooks";
import { myTables, storeOf } from "../state/app";
import { route } from "../state/router";
import { words } from "../words";

/** The page's title: where one is, and first of all whether it is one's turn, here or elsewhere. */
export function usePageTitle(): void {
  const known = words.value;
  const here = route.value;
  const shown = here.page === "table" ? storeOf(here.table).shown.value?.view : undefined;
  const elsewhere = myTables.value.some((view) => view.decision !== null && view.table !== shown?.table);
  const turn = shown ? shown.decision !== null : false;
  const place = { lobby: known.app.lobby, rules: known.app.rules, replay: known.replay.title, unknown: "", table: "" }[
    here.page
  ];
  const title = [turn || elsewhere ? known.table.titleTurn : "", place, known.app.name].filter(Boolean).join(" · ");
  useEffect(() => {
    document.title = title;
  }, [title]);
}
