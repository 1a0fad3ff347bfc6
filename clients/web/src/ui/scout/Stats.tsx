import type { ComponentChildren } from "preact";
import type { ScoutSeat } from "../../protocol/types";
import { words } from "../../words";
import { minus } from "../numbers";
import { Captured, Token } from "../icons";

/** What a seat has, always in the same places: captured cards, tokens, Scout & Show, points. */
export function Stats({ seat, players, own = false }: { seat: ScoutSeat; players: number; own?: boolean }) {
  const known = words.value.table;
  return (
    <span class="stats">
      <Stat text={known.captured(seat.captured)}>
        <Captured /> {seat.captured}
      </Stat>
      <Stat text={known.tokens(seat.tokens)}>
        <Token /> {seat.tokens}
      </Stat>
      {players > 2 && (
        <Stat text={seat.scout_show ? known.scoutShowLeft : known.scoutShowUsed}>
          <span class={seat.scout_show ? "right" : "right used"}>
            {own && <span class="right-long">Scout & Show</span>}
            <span class={own ? "right-short" : ""}>{known.scoutShow}</span>
          </span>
        </Stat>
      )}
      <Stat text={known.points(seat.points)}>
        <span class="points">
          {own && <span class="points-word">{known.score}</span>} {minus(seat.points)}
        </span>
      </Stat>
    </span>
  );
}

function Stat({ text, children }: { text: string; children: ComponentChildren }) {
  return (
    <span class="stat" title={text}>
      <span aria-hidden="true" class="stat-face">
        {children}
      </span>
      <span class="for-ears">{text}. </span>
    </span>
  );
}
