/** Small pictures; what they mean is always said in words, too. */
import type { ComponentChildren } from "preact";

function Icon({ children }: { children: ComponentChildren }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

/** Drawn with one line. */
function Stroke({ d }: { d: string }) {
  return (
    <Icon>
      <path d={d} fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round" />
    </Icon>
  );
}

export const Tent = () => (
  <Icon>
    <path d="M12 2 22 12H2Z" fill="currentColor" />
    <path d="M4 13h16v8h-5l-3-5-3 5H4Z" fill="currentColor" opacity=".75" />
  </Icon>
);
export const Captured = () => (
  <Icon>
    <rect x="3" y="6" width="11" height="15" rx="2" fill="currentColor" opacity=".5" />
    <rect x="9" y="3" width="12" height="16" rx="2" fill="currentColor" />
  </Icon>
);
export const Token = () => (
  <Icon>
    <circle cx="12" cy="12" r="9" fill="currentColor" />
    <path d="m12 7 1.6 3.3 3.6.5-2.6 2.5.6 3.6-3.2-1.7-3.2 1.7.6-3.6-2.6-2.5 3.6-.5Z" class="icon-hole" />
  </Icon>
);
export const Eye = () => (
  <Icon>
    <path
      d="M12 5c5 0 9 4.5 10 7-1 2.5-5 7-10 7S3 14.5 2 12c1-2.5 5-7 10-7Z"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
    />
    <circle cx="12" cy="12" r="3" fill="currentColor" />
  </Icon>
);
export const Bot = () => (
  <Icon>
    <path d="M11 2h2v4h-2z" fill="currentColor" />
    <rect x="4" y="6" width="16" height="13" rx="3" fill="none" stroke="currentColor" stroke-width="2" />
    <circle cx="9" cy="12" r="1.7" fill="currentColor" />
    <circle cx="15" cy="12" r="1.7" fill="currentColor" />
  </Icon>
);
export const Turn = () => (
  <Icon>
    <path
      d="M5 12a7 7 0 0 1 12-5l2 2M19 12a7 7 0 0 1-12 5l-2-2"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
    />
    <path
      d="M19 4v5h-5M5 20v-5h5"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  </Icon>
);
export const Gear = () => (
  <Icon>
    <circle cx="12" cy="12" r="3" fill="none" stroke="currentColor" stroke-width="2" />
    <path
      d="M12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.2 2.2M16.2 16.2l2.2 2.2M5.6 18.4l2.2-2.2M16.2 7.8l2.2-2.2"
      stroke="currentColor"
      stroke-width="2.5"
      stroke-linecap="round"
    />
  </Icon>
);
export const Lock = () => (
  <Icon>
    <rect x="5" y="11" width="14" height="9" rx="2" fill="currentColor" />
    <path d="M8 11V8a4 4 0 0 1 8 0v3" fill="none" stroke="currentColor" stroke-width="2" />
  </Icon>
);
export const Arrow = ({ left = false }: { left?: boolean }) => <Stroke d={left ? "M15 5l-7 7 7 7" : "M9 5l7 7-7 7"} />;
export const ToEnd = ({ left = false }: { left?: boolean }) => (
  <Stroke d={left ? "M18 5l-7 7 7 7M7 5v14" : "M6 5l7 7-7 7M17 5v14"} />
);
export const PlayMark = () => (
  <Icon>
    <path d="M8 5v14l11-7Z" fill="currentColor" />
  </Icon>
);
export const PauseMark = () => (
  <Icon>
    <path d="M7 5h4v14H7zM14 5h4v14h-4z" fill="currentColor" />
  </Icon>
);
export const Crown = () => (
  <Icon>
    <path d="M3 8l4.5 4L12 5l4.5 7L21 8l-2 11H5Z" fill="currentColor" />
  </Icon>
);
export const Close = () => (
  <Icon>
    <path d="M6 6l12 12M18 6L6 18" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" />
  </Icon>
);
