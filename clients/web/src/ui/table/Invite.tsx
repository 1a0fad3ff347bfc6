import { useSignal } from "@preact/signals";
import { encode } from "uqr";
import { words } from "../../words";
import { copyText } from "../copy";

/** A link to be given to others: one touch to copy it, and a picture for cameras. */
export function Invite({ url }: { url: string }) {
  const known = words.value;
  const copied = useSignal(false);
  return (
    <section class="invite" aria-labelledby="invite">
      <h2 id="invite">{known.waiting.invite}</h2>
      <QrCode text={url} label={known.waiting.qr} />
      <div class="invite-link">
        <input
          readOnly
          value={url}
          aria-label={known.waiting.invite}
          onFocus={(event) => event.currentTarget.select()}
        />
        <button
          class="button gold"
          onClick={async () => {
            copied.value = await copyText(url);
          }}
        >
          {copied.value ? known.app.copied : known.app.copy}
        </button>
      </div>
      <p class="note">{known.waiting.inviteNote}</p>
    </section>
  );
}

function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2 });
  const dots = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={dots} fill="#000" />
    </svg>
  );
}
