import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { followLobby, lobby, me, myTables, playBots, quick, rename } from "../../state/app";
import { bots, level } from "../../state/settings";
import { words } from "../../words";
import { CardFace } from "../scout/Card";
import { CreateForm } from "./CreateForm";
import { JoinForm } from "./JoinForm";
import { MyTables, PublicTables } from "./Tables";

export function LobbyPage() {
  const known = words.value.lobby;
  const busy = useSignal(false);
  useEffect(() => {
    followLobby(true);
    return () => followLobby(false);
  }, []);
  const wait = (work: () => Promise<void>) => async () => {
    busy.value = true;
    await work();
    busy.value = false;
  };
  return (
    <main id="main" tabIndex={-1} class="page lobby">
      <section class="hero">
        <div class="hero-cards" aria-hidden="true">
          <CardFace card={[4, 9]} />
          <CardFace card={[5, 2]} />
          <CardFace card={[6, 1]} />
        </div>
        <h1>{known.title}</h1>
        <p class="lead">{known.lead}</p>
        <NameForm />
      </section>
      <MyTables tables={myTables.value} />
      <section class="ways" aria-label={known.create}>
        <div class="way way-bots">
          <button class="button gold big" disabled={busy.value} onClick={wait(() => playBots(bots.value, level.value))}>
            {known.botsNow}
          </button>
          <div class="way-options">
            <label>
              {known.opponents}
              <select value={bots.value} onChange={(event) => (bots.value = Number(event.currentTarget.value))}>
                {[1, 2, 3, 4].map((number) => (
                  <option key={number} value={number}>
                    {number}
                  </option>
                ))}
              </select>
            </label>
            <label>
              {known.level}
              <select value={level.value} onChange={(event) => (level.value = event.currentTarget.value)}>
                {Object.entries(known.levels).map(([value, text]) => (
                  <option key={value} value={value}>
                    {text}
                  </option>
                ))}
              </select>
            </label>
          </div>
        </div>
        <div class="way">
          <button class="button big" disabled={busy.value} onClick={wait(quick)}>
            {known.quick}
          </button>
          <p class="note">{known.quickNote}</p>
        </div>
        <CreateForm />
        <JoinForm />
      </section>
      <PublicTables tables={lobby.value} />
    </main>
  );
}

function NameForm() {
  const known = words.value.lobby;
  const name = useSignal<string | null>(null);
  const current = me.value?.name ?? "";
  const shown = name.value ?? current;
  const changed = shown.trim() !== "" && shown.trim() !== current;
  return (
    <form
      class="name-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (changed) rename(shown.trim());
        name.value = null;
      }}
    >
      <label>
        {known.name}
        <input
          value={shown}
          maxLength={24}
          autocomplete="nickname"
          onInput={(event) => (name.value = event.currentTarget.value)}
        />
      </label>
      {changed && <button class="button">{known.saveName}</button>}
    </form>
  );
}
