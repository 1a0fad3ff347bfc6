import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { viewOf } from "../../game/scout/course";
import { BadRecord, parseRecord, roundStarts, type Replay } from "../../game/scout/record";
import type { View } from "../../protocol/types";
import { link, publicUrl, tokenOf } from "../../state/app";
import { go, replayPath, tablePath } from "../../state/router";
import type { Line } from "../../state/table";
import { words } from "../../words";
import type { Cast } from "../../words/cast";
import { copyText } from "../copy";
import { Arrow, PauseMark, PlayMark, ToEnd } from "../icons";
import { useKeys } from "../keys";
import { Lines } from "../Log";
import { useFlights } from "./flights";
import { Ring } from "./Ring";
import { ScoreTable } from "./Results";
import { Seats } from "./Seats";

const STEP_MS = 1200;
const SPEEDS = [0.5, 1, 2, 4];

type Loaded = { kind: "loading" } | { kind: "none" } | { kind: "bad" } | { kind: "replay"; replay: Replay };

/** A finished match, move by move, with every hand shown. */
export function ReplayPage({ table, at, share }: { table: string; at: number; share: string | null }) {
  const known = words.value;
  const loaded = useSignal<Loaded>({ kind: "loading" });
  const greeted = link.value !== "connecting";
  useEffect(() => {
    if (!greeted) return undefined;
    const abort = new AbortController();
    void load(table, share, abort.signal).then(
      (result) => (loaded.value = result),
      () => undefined,
    );
    return () => abort.abort();
  }, [table, share, greeted]);
  const state = loaded.value;
  if (state.kind === "replay") return <Player table={table} at={at} share={share} replay={state.replay} />;
  const text = { loading: known.app.loading, none: known.replay.none, bad: known.replay.bad }[state.kind];
  return (
    <main id="main" tabIndex={-1} class="page narrow">
      <h1>{known.replay.title}</h1>
      <p role="status">{text}</p>
      <p>
        <a class="button" href="/">
          {known.app.toLobby}
        </a>
      </p>
    </main>
  );
}

/** Who asks for a record: those of private matches are for those who had a seat there. */
function headers(): HeadersInit {
  const token = tokenOf();
  return token === null ? {} : { Authorization: `Bearer ${token}` };
}

/** The record; that of a private match needs the token of one who had a seat there, or the code that they shared. */
async function load(table: string, share: string | null, signal: AbortSignal): Promise<Loaded> {
  const answer = await fetch(`/records/${table}${share ? `?share=${share}` : ""}`, { headers: headers(), signal });
  if (!answer.ok) return { kind: "none" };
  try {
    return { kind: "replay", replay: parseRecord(await answer.text()) };
  } catch (error) {
    if (error instanceof BadRecord) return { kind: "bad" };
    throw error;
  }
}

/** The code with which others may read the record; `null` if they need none, or if there is none to be had. */
async function shareCode(table: string): Promise<string | null> {
  try {
    const answer = await fetch(`/records/${table}/share`, { headers: headers() });
    return (answer.ok && (await answer.text())) || null;
  } catch {
    return null; // no connection: the link then opens what is public
  }
}

interface PlayerProps {
  table: string;
  at: number;
  share: string | null;
  replay: Replay;
}

function Player({ table, at, share, replay }: PlayerProps) {
  const known = words.value.replay;
  const last = replay.frames.length - 1;
  const now = Math.min(at, last);
  const playing = useSignal(false);
  const speed = useSignal(1);
  const copied = useSignal(false);
  const place = useRef<HTMLElement>(null);
  const frame = replay.frames[now]!;
  const cast: Cast = { names: replay.names, you: null };
  const view = useMemo(() => asView(table, replay, now), [table, replay, now]);
  const lines = useMemo(() => linesUpTo(replay, now), [replay, now]);
  const seek = (to: number) => {
    copied.value = false;
    go(replayPath(table, Math.max(0, Math.min(last, to)), share), "replace");
  };
  const copy = async () => {
    const path = replayPath(table, now, share ?? (await shareCode(table)));
    copied.value = await copyText(publicUrl.value + path);
  };
  const step = (by: number) => {
    playing.value = false;
    seek(now + by);
  };
  const toggle = () => {
    if (now === last) seek(0);
    playing.value = !playing.value;
  };
  useEffect(() => {
    if (!playing.value) return undefined;
    if (now === last) {
      playing.value = false;
      return undefined;
    }
    const timer = setTimeout(() => seek(now + 1), STEP_MS / speed.value);
    return () => clearTimeout(timer);
  }, [playing.value, speed.value, now]);
  useFlights(place, now, frame.seat);
  useKeys({
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    " ": toggle,
    Home: () => step(-last),
    End: () => step(last),
  });
  const { state } = frame;
  const ended = frame.events.some((event) => event.kind === "round_over");
  return (
    <main id="main" tabIndex={-1} ref={place} class="board replay" aria-label={known.title}>
      <h1 class="for-ears">{known.title}</h1>
      <div class="arena" data-others={view.seats.length}>
        <Seats view={view} away={[]} deadlineAt={null} own={null} online={false} hands={state.hands} />
        {ended ? (
          <section class="results" aria-label={words.value.results.round(state.round)}>
            <ScoreTable results={state.results} cast={cast} winners={view.game!.winners} />
          </section>
        ) : (
          <Ring game={view.game!} cast={cast} moving={null} />
        )}
      </div>
      <section class="player" aria-label={known.title}>
        <div class="player-buttons">
          <button class="button tool" aria-label={known.first} disabled={now === 0} onClick={() => step(-last)}>
            <ToEnd left />
          </button>
          <button class="button tool" aria-label={known.previous} disabled={now === 0} onClick={() => step(-1)}>
            <Arrow left />
          </button>
          <button class="button gold tool" aria-label={playing.value ? known.pause : known.play} onClick={toggle}>
            {playing.value ? <PauseMark /> : <PlayMark />}
          </button>
          <button class="button tool" aria-label={known.next} disabled={now === last} onClick={() => step(1)}>
            <Arrow />
          </button>
          <button class="button tool" aria-label={known.last} disabled={now === last} onClick={() => step(last)}>
            <ToEnd />
          </button>
        </div>
        <label class="seek">
          <span class="for-ears">{known.position}</span>
          <input
            type="range"
            min={0}
            max={last}
            value={now}
            aria-valuetext={known.of(now + 1, last + 1)}
            onInput={(event) => step(Number(event.currentTarget.value) - now)}
          />
          <output>{known.of(now + 1, last + 1)}</output>
        </label>
        <div class="player-more">
          {roundStarts(replay).map((start, round) => (
            <button
              key={start}
              class="button small quiet"
              aria-pressed={state.round === round + 1}
              onClick={() => step(start - now)}
            >
              {words.value.results.roundShort(round + 1)}
            </button>
          ))}
          <label>
            {known.speed}
            <select value={speed.value} onChange={(event) => (speed.value = Number(event.currentTarget.value))}>
              {SPEEDS.map((each) => (
                <option key={each} value={each}>
                  {each}×
                </option>
              ))}
            </select>
          </label>
          <button class="button small" onClick={() => void copy()}>
            {copied.value ? words.value.app.copied : known.share}
          </button>
          <a class="button small quiet" href={tablePath(table)}>
            {words.value.app.back}
          </a>
        </div>
      </section>
      <Lines lines={lines} />
    </main>
  );
}

/** The match so far, for the log. */
function linesUpTo(replay: Replay, now: number): Line[] {
  const cast: Cast = { names: replay.names, you: null };
  return replay.frames
    .slice(0, now + 1)
    .flatMap((frame, at) =>
      frame.events.map((event, index) => ({ id: `${at}.${index}`, event, cast, minder: frame.minder && index === 0 })),
    );
}

/** A frame as a spectator's view, so that the replay looks like the table. */
function asView(table: string, replay: Replay, now: number): View {
  const { state } = replay.frames[now]!;
  const waiting = state.turned.flatMap((choice, seat) => (choice === null ? [seat] : []));
  return {
    kind: "view",
    table,
    version: now,
    head: "",
    status: state.phase === "over" ? "over" : state.phase === "deal" ? "break" : "running",
    options: { game: "scout", seats: state.players, private: false, move_seconds: null },
    quick: false,
    commitment: "",
    seed: null,
    invite: null,
    seats: replay.names.map((name) => ({
      name,
      player: null,
      bot: false,
      asked: null,
      ready: true,
      commitment: null,
      nonce: null,
      minded: false,
      left: false,
      next: false,
      votes: 0,
      reserved: null,
    })),
    you: null,
    decision: null,
    to_act: state.turn !== null ? [state.turn] : state.phase === "orient" ? waiting : [],
    deadline_ms: null,
    bots_offered: false,
    rematch: null,
    closed: null,
    game: viewOf(state),
    by: "player",
    events: [],
  };
}
