import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { GAMES } from "../games";
import { Refused } from "../../net/client";
import { attempt, explain, link, me, storeOf } from "../../state/app";
import { notify } from "../../state/notices";
import { go, tablePath } from "../../state/router";
import { words } from "../../words";
import { WaitingRoom } from "./WaitingRoom";

/** A table at the address: from one's seat, or as a spectator. */
export function TablePage({ table, invite }: { table: string; invite: string | null }) {
  const known = words.value;
  const store = storeOf(table);
  const refused = useSignal(false);
  const shown = store.shown.value;
  const online = link.value === "online";
  const player = me.value?.player;
  useEffect(() => {
    refused.value = false;
    if (!online || !player) return;
    attempt({ kind: "watch", table, invite }).then(
      () => store.follow(),
      (error: unknown) => {
        if (error instanceof Refused && error.refusal.code === "no_such_table") refused.value = true;
        else notify(explain(error), true);
      },
    );
  }, [table, invite, player, online && !shown]);
  if (refused.value || (store.gone.value !== null && !shown))
    return <NeedsCode table={table} wrong={invite !== null} />;
  if (!shown) {
    return (
      <main id="main" tabIndex={-1} class="page narrow">
        <p>{known.app.loading}</p>
      </main>
    );
  }
  const { view } = shown;
  const closed = view.closed ?? store.gone.value;
  if (closed !== null && view.status !== "over") {
    return (
      <main id="main" tabIndex={-1} class="page narrow">
        <p>{known.table.closed(closed)}</p>
        <a class="button" href="/">
          {known.app.toLobby}
        </a>
      </main>
    );
  }
  if (view.game === null) return <WaitingRoom view={view} invite={invite} store={store} />;
  const { Table } = GAMES[view.options.game ?? "scout"];
  return <Table store={store} shown={shown} invite={invite} />;
}

function NeedsCode({ table, wrong }: { table: string; wrong: boolean }) {
  const known = words.value;
  const code = useSignal("");
  return (
    <main id="main" tabIndex={-1} class="page narrow">
      <h1>{known.table.label}</h1>
      <p role="alert">{wrong ? known.errors.no_such_table : known.table.need}</p>
      <form
        class="join-row"
        onSubmit={(event) => {
          event.preventDefault();
          go(tablePath(table, code.value.trim()), "replace");
        }}
      >
        <label>
          {known.table.code}
          <input
            value={code.value}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => (code.value = event.currentTarget.value)}
          />
        </label>
        <button class="button gold">{known.table.enter}</button>
      </form>
      <p>
        <a class="button quiet" href="/">
          {known.app.toLobby}
        </a>
      </p>
    </main>
  );
}
