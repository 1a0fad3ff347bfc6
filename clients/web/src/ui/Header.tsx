import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { chime } from "../state/alert";
import { route } from "../state/router";
import { sound, vibration } from "../state/settings";
import { storeOf } from "../state/app";
import { LANGUAGES, language, speak, words, type Language } from "../words";
import { Eye, Gear, Tent } from "./icons";
import { Leave } from "./table/Leave";

export function Header() {
  const known = words.value;
  const here = route.value;
  return (
    <header class={here.page === "table" ? "header at-table" : "header"}>
      <a class="brand" href="/" aria-label={`${known.app.name}: ${known.app.lobby}`}>
        <Tent />
        <span class="brand-name">{known.app.name}</span>
      </a>
      {here.page === "table" && <AtTable table={here.table} />}
      <nav class="header-links" aria-label={known.app.name}>
        {here.page !== "rules" && (
          <a class="chip-link" href="/rules">
            {known.app.rules}
          </a>
        )}
        <Settings />
      </nav>
    </header>
  );
}

function AtTable({ table }: { table: string }) {
  const known = words.value;
  const store = storeOf(table);
  const game = store.shown.value?.view.game;
  const spectators = store.presence.value?.spectators ?? 0;
  return (
    <div class="header-table">
      {game && <span class="chip-text">{known.table.round(Math.max(1, game.round), game.rounds)}</span>}
      {spectators > 0 && (
        <span class="chip-text" title={known.table.spectators(spectators)}>
          <Eye />
          <span aria-hidden="true">{spectators}</span>
          <span class="for-ears">{known.table.spectators(spectators)}</span>
        </span>
      )}
    </div>
  );
}

function Settings() {
  const known = words.value;
  const here = route.value;
  const open = useSignal(false);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open.value) return undefined;
    const outside = (event: Event) => {
      if (!place.current?.contains(event.target as Node)) open.value = false;
    };
    const escape = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      open.value = false;
      button.current?.focus();
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("keydown", escape, true);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("keydown", escape, true);
    };
  }, [open.value]);
  return (
    <div class="settings" ref={place}>
      <button
        ref={button}
        class="chip-link"
        aria-expanded={open.value}
        aria-controls="settings"
        onClick={() => (open.value = !open.value)}
      >
        <Gear />
        <span class="for-ears">{known.app.settings} </span>
        <span class="language-code">{known.code.toUpperCase()}</span>
      </button>
      {open.value && (
        <div id="settings" class="settings-panel" role="group" aria-label={known.app.settings}>
          <fieldset class="languages">
            <legend>{known.app.chooseLanguage}</legend>
            {(Object.keys(LANGUAGES) as Language[]).map((code) => (
              <button key={code} lang={code} aria-pressed={language.value === code} onClick={() => speak(code)}>
                {LANGUAGES[code].language}
              </button>
            ))}
          </fieldset>
          <label class="check">
            <input
              type="checkbox"
              checked={sound.value}
              onChange={(event) => {
                sound.value = event.currentTarget.checked;
                if (sound.value) chime();
              }}
            />
            {known.app.sound}
          </label>
          {"vibrate" in navigator && (
            <label class="check">
              <input
                type="checkbox"
                checked={vibration.value}
                onChange={(event) => (vibration.value = event.currentTarget.checked)}
              />
              {known.app.vibration}
            </label>
          )}
          {here.page === "table" && <Leave table={here.table} />}
        </div>
      )}
    </div>
  );
}
