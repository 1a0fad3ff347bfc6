/** Wie man in deutschen Sätzen heißt. */
import type { Cast } from "./cast";

export function who(cast: Cast, seat: number): string {
  return seat === cast.you ? "du" : (cast.names[seat] ?? `Platz ${seat + 1}`);
}

/** Dasselbe am Satzanfang. */
export function Who(cast: Cast, seat: number): string {
  return seat === cast.you ? "Du" : who(cast, seat);
}

/** Von wem: `von dir`, `von Ada`. */
export function from(cast: Cast, seat: number): string {
  return seat === cast.you ? "von dir" : `von ${who(cast, seat)}`;
}
