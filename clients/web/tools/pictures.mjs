// Takes pictures of the built pages, to be looked at: `npm run pictures -- FOLDER`. No server is needed; tables come
// from the examples of docs/protocol.md. CHROMIUM names the browser.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decode, encode } from "@msgpack/msgpack";
import { chromium } from "playwright-core";
import { preview } from "vite";

const FOLDER = process.argv[2] ?? "pictures";
const SIZES = { wide: { width: 1600, height: 1000 }, phone: { width: 360, height: 740 } };
const LOOKS = [
  ["wide", "dark", "en"],
  ["wide", "light", "de"],
  ["phone", "dark", "de"],
  ["phone", "light", "en"],
];
const PAGE = readFileSync(new URL("../../../docs/protocol.md", import.meta.url), "utf8");

/** The example view with this heading. */
function example(heading) {
  const from = PAGE.indexOf("```json", PAGE.indexOf(`\n${heading}:\n`)) + 7;
  return JSON.parse(PAGE.slice(from, PAGE.indexOf("```", from)));
}

/** A turn with so many cards in hand, at a table of five. */
function longTurn(cards) {
  const view = example("Ada's turn");
  const [ada, ben, clown] = view.seats;
  const [own, other, owner] = view.game.seats;
  const values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  const deck = values.flatMap((up) => values.filter((down) => down > up).map((down) => [up, down]));
  view.seats = [ada, ben, clown, { ...ben, name: "Wolfgang Amadeus Mozarty" }, { ...clown, minded: true }];
  view.game = {
    ...view.game,
    rounds: 5,
    hand: deck.slice(0, cards).map(([up, down], at) => (at % 3 ? [up, down] : [down, up])),
    seats: [
      { ...own, cards },
      { ...other, captured: 10, tokens: 11, points: -12 },
      owner,
      { ...other, points: 108 },
      other,
    ],
  };
  return view;
}

/** Answers as a server would that has this one table. */
function serve(socket, view) {
  const send = (message) => socket.send(Buffer.from(encode(message)));
  send({ kind: "welcome", server: "", limits: {}, public_url: null });
  socket.onMessage((frame) => {
    const { kind, id } = decode(frame);
    const about = { re: id, table: view.table };
    if (kind === "hello") {
      send({ kind: "session", re: id, player: "ada", name: "Ada", token: "t".repeat(40), tables: [] });
      send(view);
      send({ kind: "presence", table: view.table, seats: view.seats.map((_, seat) => seat !== 2), spectators: 3 });
    } else if (kind === "events") {
      send({ kind: "events", ...about, since: 0, steps: [{ ...view, kind: undefined }], more: false });
    } else if (kind === "lobby") {
      const { table, options, seats } = view;
      send({ kind: "lobby", re: id, tables: [{ table, status: "running", options, seats, spectators: 3, age_s: 90 }] });
    } else send({ kind: "done", ...about, version: view.version, seat: 0, invite: null });
  });
}

const take = (page) => page.locator(".slot.end").first().click();
const put = (page) => page.locator(".gap").nth(2).click();
const PICTURES = {
  lobby: ["/", example("Ada's turn")],
  rules: ["/rules", example("Ada's turn")],
  waiting: [null, example("A table that waits for players")],
  orientation: [null, example("The choice of an orientation")],
  turn: [null, example("Ada's turn")],
  placing: [null, example("Ada's turn"), take],
  placed: [null, example("Ada's turn"), take, put],
  "thirty-cards": [null, longTurn(30)],
  spectator: [null, example("As a spectator sees it")],
  round: [null, example("Between two rounds")],
  match: [null, example("The match is over")],
};

mkdirSync(FOLDER, { recursive: true });
const server = await preview({ preview: { port: 0 } });
const base = server.resolvedUrls.local[0].replace(/\/$/, "");
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
for (const [size, colorScheme, locale] of LOOKS) {
  for (const [name, [path, view, ...acts]] of Object.entries(PICTURES)) {
    const page = await browser.newPage({ viewport: SIZES[size], colorScheme, locale, reducedMotion: "reduce" });
    await page.routeWebSocket(/\/ws$/, (socket) => serve(socket, view));
    await page.goto(base + (path ?? `/t/${view.table}`));
    await page.waitForTimeout(500); // pictures only: nothing is decided by it
    for (const act of acts) await act(page);
    await page.screenshot({ path: join(FOLDER, `${name}-${size}-${colorScheme}.png`) });
    await page.close();
  }
}
await browser.close();
await server.close();
