/** What the page knows of one table, and when it shows it. */
import { signal } from "@preact/signals";
import { Pacer } from "../game/pacing";
import type { AnyEvent, EventLog, Presence, Step, View } from "../protocol/types";
import { castOf, seated, type Cast } from "../words/cast";

/** One line of the log: what happened, and who sat where. */
export interface Line {
  id: string;
  event: AnyEvent;
  cast: Cast;
  minder: boolean;
}

/** A view as it is on the screen; `deadlineAt` is a time of `performance.now()`. */
export interface Shown {
  view: View;
  deadlineAt: number | null;
}

interface Arrival extends Shown {
  lines: Line[];
}

export type Fetch = (table: string, since: number) => Promise<EventLog>;

const KEPT_LINES = 600;

export class TableStore {
  readonly newest = signal<Shown | null>(null);
  readonly shown = signal<Shown | null>(null);
  readonly lines = signal<readonly Line[]>([]);
  readonly presence = signal<Presence | null>(null);
  /** Why there are no more views of it. */
  readonly gone = signal<string | null>(null);
  /** How many moves wait to be shown. */
  readonly waiting = signal(0);
  private readonly pacer = new Pacer<Arrival>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private chain: Promise<void> = Promise.resolve();
  private cast: Cast | null = null;
  private version: number | null = null;
  private followed = false;

  constructor(
    readonly id: string,
    private readonly fetch: Fetch,
    /** Hears of each line as it is shown. */
    private readonly heard: (line: Line, store: TableStore) => void,
  ) {}

  /** A view came in; never an older one than before. */
  saw(view: View): void {
    const deadlineAt = view.deadline_ms === null ? null : performance.now() + view.deadline_ms;
    this.newest.value = { view, deadlineAt };
    this.gone.value = null;
    this.chain = this.chain.then(() => this.arrived({ view, deadlineAt }));
  }

  close(reason: string): void {
    this.gone.value = reason;
  }

  /** The person looks at the table: tell what happened before, once. */
  follow(): void {
    if (this.followed) return;
    this.followed = true;
    this.chain = this.chain.then(() => this.tellHistory());
  }

  /** Show at once what waits. */
  skip(): void {
    this.show(true);
  }

  private async arrived({ view, deadlineAt }: Shown): Promise<void> {
    const since = this.version;
    if (since !== null && view.version < since) return;
    const fresh = since !== null && view.version === since + 1;
    let lines: Line[] = [];
    if (fresh) lines = this.linesOf([{ version: view.version, head: view.head, by: view.by, events: view.events }]);
    else if (since !== null && view.version > since) lines = this.linesOf(await this.missed(since, view.version));
    this.version = view.version;
    this.cast = castOf(view);
    const move = fresh && this.followed && view.events.some((event) => isMoveOfOthers(event, view.you));
    this.pacer.put({ view, deadlineAt, lines }, move);
    this.show(since === null || !this.followed);
  }

  /** The steps after `since`, up to a version; none if the server does not tell them. */
  private async missed(since: number, upTo: number): Promise<Step[]> {
    const steps: Step[] = [];
    try {
      for (let more = true; more;) {
        const log = await this.fetch(this.id, steps.at(-1)?.version ?? since);
        steps.push(...log.steps.filter((step) => step.version <= upTo));
        more = log.more && log.steps.length > 0 && steps.at(-1)?.version !== upTo;
      }
    } catch {
      // The log has a gap; the view is what counts.
    }
    return steps;
  }

  private async tellHistory(): Promise<void> {
    const view = this.newest.peek()?.view;
    if (view === undefined || this.version === null) {
      this.followed = false;
      return;
    }
    const upTo = this.version;
    const steps = await this.missed(0, upTo);
    const started = steps.flatMap((step) => step.events).find((event) => event.kind === "started");
    const you = view.you !== null && started?.kind === "started" ? (started.seats[view.you] ?? null) : view.you;
    const last = this.cast;
    // Before the start seats had other numbers, and whoever sat down is told as it happened.
    this.cast = { names: started ? [] : view.seats.map((seat) => seat.name), you };
    const history = this.linesOf(steps);
    this.cast = last;
    const known = new Set(history.map((line) => line.id));
    this.lines.value = [...history, ...this.lines.peek().filter((line) => !known.has(line.id))].slice(-KEPT_LINES);
  }

  private linesOf(steps: readonly Step[]): Line[] {
    let cast: Cast = this.cast ?? { names: [], you: null };
    const lines: Line[] = [];
    for (const step of steps)
      step.events.forEach((event, at) => {
        cast = seated(cast, event);
        lines.push({ id: `${step.version}.${at}`, event, cast, minder: step.by === "minder" && isMove(event) });
      });
    return lines;
  }

  private show(all: boolean): void {
    clearTimeout(this.timer);
    const hidden = typeof document !== "undefined" && document.hidden;
    for (const arrival of this.pacer.take(performance.now(), all || hidden)) {
      const { lines, ...shown } = arrival;
      this.shown.value = shown;
      if (lines.length > 0) this.lines.value = [...this.lines.peek(), ...lines].slice(-KEPT_LINES);
      for (const line of lines) this.heard(line, this);
    }
    this.waiting.value = this.pacer.waiting;
    const due = this.pacer.dueIn(performance.now());
    if (due !== null) this.timer = setTimeout(() => this.show(false), due);
  }
}

export function isMove(event: AnyEvent): boolean {
  return event.kind === "chose" || event.kind === "showed" || event.kind === "scouted" || event.kind === "scout_showed";
}

function isMoveOfOthers(event: AnyEvent, you: number | null): boolean {
  return isMove(event) && event.kind !== "chose" && "seat" in event && event.seat !== you;
}
