import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { link } from "../../state/app";
import type { Shown, TableStore } from "../../state/table";
import { words } from "../../words";
import { castOf } from "../../words/cast";
import { Log } from "../Log";
import { useKeys } from "../keys";
import { Actions } from "./Actions";
import { Dragged, useDragging } from "./dragging";
import { useFlights } from "./flights";
import { Hand } from "./Hand";
import { useMoving } from "./moving";
import { Orientation } from "./Orientation";
import { OwnBar } from "./OwnBar";
import { Results } from "./Results";
import { Ring } from "./Ring";
import { Seats } from "./Seats";

/** With more cards in hand the rest of a narrow page makes room for them. */
const LONG = 18;

/** The table of a match of SCOUT, from a seat or as a spectator. */
export function Board({ store, shown }: { store: TableStore; shown: Shown }) {
  const known = words.value;
  const { view, deadlineAt } = shown;
  const game = view.game!;
  const own = view.you;
  const cast = castOf(view);
  const waiting = store.waiting.value;
  const place = useRef<HTMLElement>(null);
  /** The version at which the person put the result aside to look at the table. */
  const looking = useSignal<number | null>(null);
  const moving = useMoving(view, waiting === 0);
  const dragging = useDragging(moving);
  useFlights(place, view.version, actorOf(view.events));
  useKeys({
    n: () => store.skip(),
    t: () => moving?.flip(),
    Escape: () => moving?.back(),
  });
  const finished = view.status === "break" || view.status === "over";
  const showResult = finished && looking.value !== view.version;
  const away = store.presence.value?.seats.map((here) => !here) ?? [];
  const seats = own === null ? view.seats.length : view.seats.length - 1;
  const spectator = own === null;
  const long = (game.hand?.length ?? 0) > LONG;
  return (
    <main
      id="main"
      tabIndex={-1}
      ref={place}
      class={spectator ? "board watching" : "board"}
      data-phase={game.phase}
      data-long={long}
      aria-label={known.table.label}
    >
      <h1 class="for-ears">{known.table.round(Math.max(1, game.round), game.rounds)}</h1>
      <div class="arena" data-others={seats}>
        <Seats view={view} away={away} deadlineAt={deadlineAt} own={own} online={link.value === "online"} />
        {showResult ? (
          <Results view={view} deadlineAt={deadlineAt} cast={cast} look={() => (looking.value = view.version)} />
        ) : (
          <Ring game={game} cast={cast} moving={moving} dragging={dragging}>
            {finished && (
              <button class="button small" onClick={() => (looking.value = null)}>
                {known.results.showResult}
              </button>
            )}
          </Ring>
        )}
        {waiting > 0 && (
          <button class="button small skip" onClick={() => store.skip()}>
            {known.table.skip(waiting)} <kbd aria-hidden="true">N</kbd>
          </button>
        )}
      </div>
      {spectator ? (
        <p class="watch-bar">{known.table.watching}</p>
      ) : (
        <section class="own" aria-label={known.table.you}>
          <OwnBar view={view} own={own} deadlineAt={deadlineAt} />
          {game.phase === "orient" ? (
            <Orientation view={view} hand={game.hand ?? []} turned={game.turned} />
          ) : (
            <>
              <Hand hand={moving?.preview.hand ?? game.hand ?? []} moving={moving} dragging={dragging} />
              {moving && <Actions moving={moving} />}
            </>
          )}
        </section>
      )}
      <Log store={store} />
      <Dragged dragging={dragging} />
    </main>
  );
}

/** The seat that moved, for what flies across the table. */
function actorOf(events: Shown["view"]["events"]): number | null {
  for (const event of events) {
    if (event.kind === "showed" || event.kind === "scouted" || event.kind === "scout_showed") return event.seat;
  }
  return null;
}
