import { useSignal } from "@preact/signals";
import { go, readLink, tablePath } from "../../state/router";
import { words } from "../../words";

/** To a table by the link or code that somebody gave. */
export function JoinForm() {
  const known = words.value.lobby;
  const text = useSignal("");
  const wrong = useSignal(false);
  const join = (event: Event) => {
    event.preventDefault();
    const place = readLink(text.value);
    wrong.value = place === null;
    if (place) go(tablePath(place.table, place.invite));
  };
  return (
    <form class="way join" onSubmit={join}>
      <label for="join">{known.join}</label>
      <div class="join-row">
        <input
          id="join"
          value={text.value}
          placeholder={known.joinPlaceholder}
          autocomplete="off"
          spellcheck={false}
          aria-invalid={wrong.value}
          aria-describedby={wrong.value ? "join-wrong" : undefined}
          onInput={(event) => {
            text.value = event.currentTarget.value;
            wrong.value = false;
          }}
        />
        <button class="button">{known.joinButton}</button>
      </div>
      {wrong.value && (
        <p id="join-wrong" class="wrong" role="alert">
          {known.joinWrong}
        </p>
      )}
    </form>
  );
}
