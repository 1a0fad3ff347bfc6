/** What a seat's player is called in English sentences. */
import type { Cast } from "./cast";

export function who(cast: Cast, seat: number): string {
  return seat === cast.you ? "you" : (cast.names[seat] ?? `Seat ${seat + 1}`);
}

/** The same at the beginning of a sentence. */
export function Who(cast: Cast, seat: number): string {
  return seat === cast.you ? "You" : who(cast, seat);
}

export function whose(cast: Cast, seat: number): string {
  return seat === cast.you ? "your" : `${who(cast, seat)}'s`;
}
