/** What a close code asks of the client; see docs/protocol.md, Close codes. */
export type AfterClose = "resume" | "afresh" | "stop";

export function afterClose(code: number | null): AfterClose {
  if (code !== null && code >= 4100 && code < 4200) return "afresh";
  if (code !== null && code >= 4500 && code < 4600) return "stop";
  return "resume";
}

/** Codes after which the next connection may well end the same way, so that the delays go on growing. */
export const TROUBLE: ReadonlySet<number> = new Set([4001, 4003, 4004]);

/** Errors that say nothing about the command itself: it is sent again, with the same id. */
export const PATIENT: ReadonlySet<string> = new Set(["too_fast", "going_away", "store_down", "internal"]);
