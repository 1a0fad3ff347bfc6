import { useSignal } from "@preact/signals";
import { create } from "../../state/app";
import { words } from "../../words";

const SEATS = [2, 3, 4, 5];
const CLOCKS = ["30", "60", "180", "3600", "86400", "259200", "none"];
const DEFAULT_SEATS = 4;
const DEFAULT_CLOCK = "60";

/** A table for people: how many, how fast, for whom. */
export function CreateForm() {
  const known = words.value.lobby;
  const seats = useSignal(DEFAULT_SEATS);
  const clock = useSignal(DEFAULT_CLOCK);
  const hidden = useSignal(true);
  const busy = useSignal(false);
  const open = async (event: Event) => {
    event.preventDefault();
    busy.value = true;
    const limit = clock.value === "none" ? null : Number(clock.value);
    await create({ game: "scout", seats: seats.value, private: hidden.value, move_seconds: limit });
    busy.value = false;
  };
  return (
    <details class="way">
      <summary class="button big">{known.create}</summary>
      <form class="fields" onSubmit={open}>
        <fieldset>
          <legend>{known.howMany}</legend>
          <div class="choices">
            {SEATS.map((number) => (
              <label key={number} class="choice">
                <input
                  type="radio"
                  name="seats"
                  checked={seats.value === number}
                  onChange={() => (seats.value = number)}
                />
                <span>{number}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <label>
          {known.clock}
          <select value={clock.value} onChange={(event) => (clock.value = event.currentTarget.value)}>
            {CLOCKS.map((value) => [value, known.clocks[value]] as const).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={hidden.value}
            onChange={(event) => (hidden.value = event.currentTarget.checked)}
          />
          {known.private}
        </label>
        <button class="button gold" disabled={busy.value}>
          {known.open}
        </button>
      </form>
    </details>
  );
}
