/** The order of the seats around the ring. */

/** All seats in the order of play, beginning with the one after `own`; the own seat comes last. */
export function around(own: number | null, seats: number): number[] {
  const first = own === null ? 0 : own + 1;
  return Array.from({ length: seats }, (_, at) => (first + at) % seats);
}

/** The seats that sit around the ring above the own hand; all of them for a spectator. */
export function others(own: number | null, seats: number): number[] {
  return around(own, seats).filter((seat) => seat !== own);
}
