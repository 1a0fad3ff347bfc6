/**
 * When what came from the server is shown. Moves of others follow each other no faster than people can see; everything
 * else is shown as soon as nothing waits before it. No clock in here: times are passed in, in milliseconds.
 */

/** Between two moves of others. */
export const APART_MS = 750;

export interface Paced<T> {
  item: T;
  /** It holds a move of somebody else, which should be seen. */
  move: boolean;
}

export class Pacer<T> {
  private queue: Paced<T>[] = [];
  private movedAt = -Infinity;

  get waiting(): number {
    return this.queue.length;
  }

  put(item: T, move: boolean): void {
    this.queue.push({ item, move });
  }

  /** What is due at `now`, in order; with `all`, everything. */
  take(now: number, all = false): T[] {
    const due: T[] = [];
    for (;;) {
      const next = this.queue[0];
      if (next === undefined || (!all && next.move && now - this.movedAt < APART_MS)) return due;
      this.queue.shift();
      if (next.move) this.movedAt = now;
      due.push(next.item);
      if (next.move && !all) return due;
    }
  }

  /** Milliseconds from `now` until something is due; `null` if nothing waits. */
  dueIn(now: number): number | null {
    const next = this.queue[0];
    if (next === undefined) return null;
    return next.move ? Math.max(0, this.movedAt + APART_MS - now) : 0;
  }
}
