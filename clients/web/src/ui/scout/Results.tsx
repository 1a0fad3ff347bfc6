import { useRef } from "preact/hooks";
import type { RoundResult, View } from "../../protocol/types";
import { rematch, tell } from "../../state/app";
import { replayPath, tablePath } from "../../state/router";
import { words } from "../../words";
import type { Cast } from "../../words/cast";
import { listed } from "../../words/rich";
import { clock, useSecondsLeft } from "../clock";
import { Crown } from "../icons";
import { useFocusIfLost } from "../focus";
import { minus } from "../numbers";

interface Props {
  view: View;
  deadlineAt: number | null;
  cast: Cast;
  /** Put the result aside, to look at the table. */
  look(): void;
}

/** How the round or the match ended, as a table, and how to go on. */
export function Results({ view, deadlineAt, cast, look }: Props) {
  const known = words.value;
  const game = view.game!;
  const last = game.results.at(-1);
  const buttons = useRef<HTMLDivElement>(null);
  useFocusIfLost(buttons, view.status);
  if (!last) return null;
  const over = view.status === "over";
  return (
    <section class="results" aria-labelledby="result">
      <h2 id="result">{over ? winText(view, cast) : known.results.round(last.round)}</h2>
      <p class="note">{known.results.reason(cast, last.reason, last.ender)}</p>
      <ScoreTable results={game.results} cast={cast} winners={game.winners} view={view} />
      <div class="result-buttons" ref={buttons}>
        {over ? <AfterMatch view={view} /> : <AfterRound view={view} round={last.round} deadlineAt={deadlineAt} />}
        <button class="button quiet" onClick={look}>
          {known.results.showTable}
        </button>
      </div>
    </section>
  );
}

function winText(view: View, cast: Cast): string {
  const known = words.value.results;
  const winners = view.game!.winners ?? [];
  const names = winners.map((seat) => cast.names[seat] ?? "");
  if (winners.length === 0) return known.match;
  if (cast.you !== null && winners.includes(cast.you)) return winners.length === 1 ? known.youWin : known.youShare;
  return winners.length === 1 ? known.wins(names[0]!) : known.share(listed(names, words.value.and));
}

interface TableProps {
  results: readonly RoundResult[];
  cast: Cast;
  winners: readonly number[] | null;
  view?: View;
}

/** One line a seat: how the last round's points came about, each round's points, and the total. */
export function ScoreTable({ results, cast, winners, view }: TableProps) {
  const known = words.value.results;
  const last = results.at(-1)!;
  const seats = last.scores.map((_, seat) => seat);
  const totals = seats.map((seat) => results.reduce((sum, result) => sum + result.scores[seat]!, 0));
  const order = winners ? [...seats].sort((one, other) => totals[other]! - totals[one]!) : seats;
  return (
    <div class="score-scroll" tabIndex={0} role="region" aria-label={known.rounds}>
      <table class={winners ? "scores of-match" : "scores of-round"}>
        <caption class="for-ears">{known.rounds}</caption>
        <thead>
          <tr>
            <th scope="col">{known.player}</th>
            <th scope="col" class="detail">
              {known.captured}
            </th>
            <th scope="col" class="detail">
              {known.tokens}
            </th>
            <th scope="col" class="detail">
              {known.hand}
            </th>
            {results.map((result) => (
              <th scope="col" key={result.round} class={result === last ? undefined : "past"}>
                {known.roundShort(result.round)}
              </th>
            ))}
            <th scope="col" class="total">
              {known.total}
            </th>
          </tr>
        </thead>
        <tbody>
          {order.map((seat) => (
            <tr key={seat} class={seat === cast.you ? "own-line" : undefined}>
              <th scope="row">
                {winners?.includes(seat) && <Crown />}
                <span class="score-name">{cast.names[seat]}</span>
                {view?.status === "break" && view.seats[seat]!.next && (
                  <span class="ready" title={known.readyFor}>
                    {" ✓"}
                    <span class="for-ears"> {known.readyFor}</span>
                  </span>
                )}
              </th>
              <td class="detail">+{last.captured[seat]}</td>
              <td class="detail">+{last.tokens[seat]}</td>
              <td class="detail">{last.waived === seat ? known.waived : minus(-last.hand[seat]!)}</td>
              {results.map((result) => (
                <td key={result.round} class={result === last ? undefined : "past"}>
                  {minus(result.scores[seat]!)}
                </td>
              ))}
              <td class="total">{minus(totals[seat]!)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function AfterRound({ view, round, deadlineAt }: { view: View; round: number; deadlineAt: number | null }) {
  const known = words.value.results;
  const left = useSecondsLeft(deadlineAt);
  const said = view.you !== null && view.seats[view.you]!.next;
  return (
    <>
      {view.you !== null && (
        <button
          class="button gold big"
          disabled={said}
          onClick={() => void tell({ kind: "next", table: view.table, round })}
        >
          {said ? known.nextSaid : known.next}
        </button>
      )}
      {left !== null && <span class="note">{known.nextIn(clock(left))}</span>}
    </>
  );
}

function AfterMatch({ view }: { view: View }) {
  const known = words.value.results;
  return (
    <>
      {view.you !== null && !view.seats[view.you]!.left && (
        <button class="button gold big" onClick={() => void rematch(view.table)}>
          {view.rematch === null ? known.rematch : known.joinRematch}
        </button>
      )}
      {view.you === null && view.rematch !== null && (
        <a class="button" href={tablePath(view.rematch)}>
          {known.watchRematch}
        </a>
      )}
      <a class="button" href={replayPath(view.table)}>
        {known.replay}
      </a>
      <a class="button quiet" href="/">
        {known.lobby}
      </a>
    </>
  );
}
