import { useEffect } from "preact/hooks";
import { link } from "../state/app";
import { announcement, dismiss, notices } from "../state/notices";
import { route } from "../state/router";
import { words } from "../words";
import { Header } from "./Header";
import { Close } from "./icons";
import { LobbyPage } from "./lobby/LobbyPage";
import { ReplayPage } from "./scout/ReplayPage";
import { RulesPage } from "./RulesPage";
import { TablePage } from "./table/TablePage";
import { usePageTitle } from "./title";

export function App() {
  const known = words.value;
  usePageTitle();
  return (
    <>
      <a class="skip-link" href="#main">
        {known.app.skipLink}
      </a>
      <Header />
      <Connection />
      <Page />
      <div class="notices">
        {notices.value.map((notice) => (
          <div
            key={notice.id}
            class={notice.bad ? "notice notice-bad" : "notice"}
            role={notice.bad ? "alert" : "status"}
          >
            <span>{notice.text}</span>
            <button class="plain" aria-label={known.app.close} onClick={() => dismiss(notice.id)}>
              <Close />
            </button>
          </div>
        ))}
      </div>
      <div class="for-ears" aria-live="polite">
        {announcement.value}
      </div>
    </>
  );
}

function Page() {
  const here = route.value;
  const known = words.value;
  const name = here.page + ("table" in here ? here.table : "");
  useEffect(() => document.getElementById("main")?.focus({ preventScroll: true }), [name]);
  switch (here.page) {
    case "lobby":
      return <LobbyPage />;
    case "rules":
      return <RulesPage />;
    case "table":
      return <TablePage key={here.table} table={here.table} invite={here.invite} />;
    case "replay":
      return <ReplayPage key={here.table} table={here.table} at={here.at} share={here.share} />;
    case "unknown":
      return (
        <main id="main" tabIndex={-1} class="page narrow">
          <h1>{known.app.notFound}</h1>
          <a class="button" href="/">
            {known.app.toLobby}
          </a>
        </main>
      );
  }
}

/** Says when the connection is gone, and that the page tries again by itself. */
function Connection() {
  const known = words.value.connection;
  const texts = {
    connecting: known.connecting,
    online: null,
    lost: known.lost,
    restarting: known.restarting,
    stopped: known.stopped,
  };
  const text = texts[link.value];
  return (
    <div role="status" class="connection-place">
      {text && <p class="connection">{text}</p>}
    </div>
  );
}
