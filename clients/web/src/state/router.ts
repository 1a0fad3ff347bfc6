/** Where the person is: the address decides, so that reloading, links and the back button do what one expects. */
import { signal } from "@preact/signals";

export type Route =
  | { page: "lobby" }
  | { page: "rules" }
  | { page: "table"; table: string; invite: string | null }
  | { page: "replay"; table: string; at: number; share: string | null }
  | { page: "unknown" };

export function routeOf(path: string, query: string): Route {
  const parameters = new URLSearchParams(query);
  if (path === "/") return { page: "lobby" };
  if (path === "/rules") return { page: "rules" };
  const [, table, replay] = /^\/t\/([0-9a-z]{12})(\/replay)?\/?$/.exec(path) ?? [];
  if (table === undefined) return { page: "unknown" };
  if (replay) {
    const at = Math.max(0, Number(parameters.get("at")) || 0);
    return { page: "replay", table, at, share: codeOf(parameters.get("share")) };
  }
  return { page: "table", table, invite: codeOf(parameters.get("invite")) };
}

function codeOf(text: string | null): string | null {
  return text && /^[0-9a-z-]{8,32}$/.test(text) ? text : null;
}

export function tablePath(table: string, invite: string | null = null): string {
  return invite ? `/t/${table}?invite=${invite}` : `/t/${table}`;
}

/** `share` is the code that opens the record of a private match to others. */
export function replayPath(table: string, at = 0, share: string | null = null): string {
  const parameters = [at > 0 ? `at=${at}` : "", share ? `share=${share}` : ""].filter(Boolean).join("&");
  return `/t/${table}/replay${parameters ? `?${parameters}` : ""}`;
}

/** The table, and the invite code if there is one, of what a person pasted; `null` if it names none. */
export function readLink(text: string): { table: string; invite: string | null } | null {
  const found = /(?:^|\/t\/)([0-9a-z]{12})(?:\/replay)?\/?(?:\?([^#\s]*))?$/.exec(text.trim());
  if (!found) return null;
  const route = routeOf(`/t/${found[1]}`, found[2] ?? "");
  return route.page === "table" ? route : null;
}

export const route = signal<Route>(here());

export function go(path: string, how: "push" | "replace" = "push"): void {
  if (how === "push") history.pushState(null, "", path);
  else history.replaceState(null, "", path);
  route.value = here();
  if (how === "push") window.scrollTo(0, 0);
}

export function startRouter(): void {
  window.addEventListener("popstate", () => {
    route.value = here();
  });
  document.addEventListener("click", (event) => {
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    const link = event.target instanceof Element ? event.target.closest("a[href^='/']") : null;
    if (!link || !plain || event.defaultPrevented || link.hasAttribute("download")) return;
    event.preventDefault();
    go(link.getAttribute("href") ?? "/");
  });
}

function here(): Route {
  return typeof location === "undefined" ? { page: "lobby" } : routeOf(location.pathname, location.search);
}
