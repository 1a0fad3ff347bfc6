import { words } from "../../words";
import { Arrow, Turn } from "../icons";
import { CardFace } from "./Card";
import type { Moving } from "./moving";

/** What can be done now: one button that says exactly what will happen, or why it cannot. */
export function Actions({ moving }: { moving: Moving }) {
  const known = words.value;
  const { action } = known;
  const { preview, draft } = moving;
  const { stage, card } = preview;
  const values = preview.chosen.map(([up]) => up);
  const label = moving.sending
    ? action.sending
    : stage === "placed"
      ? action.scout(card?.[0] ?? 0)
      : values.length === 0
        ? action.showNothing
        : stage === "showing"
          ? action.scoutShow(card?.[0] ?? 0, values, preview.captures)
          : action.show(values, preview.captures);
  const possible = preview.move !== null && moving.problem === null && moving.acting && !moving.sending;
  const help = moving.problem
    ? action.why(moving.problem)
    : possible
      ? ""
      : stage === "rest"
        ? moving.acting
          ? moving.scoutable
            ? action.help.restScout
            : action.help.rest
          : action.help.wait
        : stage === "placing"
          ? action.help.placing
          : action.help.showing;
  const note =
    stage === "placed" && possible ? (moving.onwardAllowed ? action.help.placed : action.help.placedOnly) : help;
  const held = stage === "placing" || stage === "placed";
  return (
    <div class="actions">
      <p id="why" class={moving.problem ? "why problem" : "why"} role="status">
        {note}
      </p>
      <div class="action-buttons">
        {stage === "placing" && card && (
          <button
            class="held plain"
            aria-label={`${action.flip}: ${known.card.label(...card)}`}
            onClick={() => moving.flip()}
          >
            <CardFace card={card} />
          </button>
        )}
        {held && (
          <button class="button tool" onClick={() => moving.flip()} aria-pressed={draft.turn} aria-label={action.flip}>
            <Turn /> <span class="tool-word">{action.flip}</span>
          </button>
        )}
        {stage === "placed" && (
          <>
            <button class="button tool shift" aria-label={action.moveLeft} onClick={() => moving.shift(-1)}>
              <Arrow left />
            </button>
            <button class="button tool shift" aria-label={action.moveRight} onClick={() => moving.shift(1)}>
              <Arrow />
            </button>
          </>
        )}
        {stage !== "placing" && (
          <button
            class="button gold confirm"
            aria-disabled={!possible}
            aria-describedby="why"
            onClick={() => possible && moving.confirm()}
          >
            {label}
          </button>
        )}
        {stage === "placed" && moving.onwardAllowed && (
          <button class="button mint" onClick={() => moving.goOn()}>
            {action.onward}
          </button>
        )}
        {(stage !== "rest" || draft.span) && (
          <button class="button quiet back-button" aria-label={action.back} onClick={() => moving.back()}>
            <span class="back-mark">
              <Arrow left />
            </span>
            <span class="tool-word">{action.back}</span>
          </button>
        )}
      </div>
    </div>
  );
}
