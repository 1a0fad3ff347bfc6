/** Who sits where, for the sentences: names, and the reader's own seat. */
import type { AnyEvent, View } from "../protocol/types";

export interface Cast {
  names: readonly (string | null)[];
  you: number | null;
}

export function castOf(view: View): Cast {
  return { names: view.seats.map((seat) => seat.name), you: view.you };
}

/** Who sits where once an event has happened; sentences about the event need this one. */
export function seated(cast: Cast, event: AnyEvent): Cast {
  if (event.kind === "sat") {
    const names = [...cast.names];
    names[event.seat] = event.name;
    return { ...cast, names };
  }
  if (event.kind === "started") {
    const you = cast.you === null ? -1 : event.seats.indexOf(cast.you);
    return { names: event.seats.map((seat) => cast.names[seat] ?? null), you: you < 0 ? null : you };
  }
  return cast;
}
