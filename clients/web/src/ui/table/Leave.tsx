import { useSignal } from "@preact/signals";
import { leave, storeOf } from "../../state/app";
import { words } from "../../words";

/** Leaving a running match for good; asked twice. */
export function Leave({ table }: { table: string }) {
  const known = words.value.table;
  const asking = useSignal(false);
  const view = storeOf(table).newest.value?.view;
  const plays =
    view && view.you !== null && view.game !== null && view.status !== "over" && !view.seats[view.you]!.left;
  if (!plays) return null;
  if (!asking.value) {
    return (
      <button class="button quiet small leave" onClick={() => (asking.value = true)}>
        {known.leave}
      </button>
    );
  }
  return (
    <div class="leave" role="group" aria-label={known.leaveSure}>
      <p>{known.leaveSure}</p>
      <button class="button small" onClick={() => void leave(table)}>
        {known.leaveYes}
      </button>
      <button class="button small quiet" onClick={() => (asking.value = false)}>
        {known.leaveNo}
      </button>
    </div>
  );
}
