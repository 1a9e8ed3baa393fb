// The host of a view without a user: mcptest app loads it in a browser without a window, and calls what it exports.
import type { App, AppReply } from "../../api.gen";
import { openFrame } from "./frame";
import type { Host } from "./host";
import type { Entry, Mode, Theme } from "./protocol";
import { tallest } from "./size";

interface Options {
  theme: Theme;
  width: number;
  input: unknown;
  result?: unknown;
  cancelled?: boolean;
  start_ms: number; // for the start of the view
  quiet_ms: number; // without messages and changes of the height
  settle_ms: number; // for becoming quiet
}

interface Observation {
  phase: string;
  initializes: number;
  faults: string[];
  heights: number[];
  locked: boolean;
  reports: number;
  height: number;
  dropped: number;
  refused: string[]; // methods that the host does not offer
  mode: string; // a display mode that was requested and is not offered
  messages: string[];
  logged: number;
  pending: number; // requests of the view
}

let host: Host | null = null;
let mode: Mode = "inline";
let started = 0; // how long the start of the view took, in milliseconds

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

async function open(app: App, o: Options): Promise<Observation> {
  mode = "inline";
  document.documentElement.dataset.theme = o.theme;
  const place = document.getElementById("place")!;
  place.style.width = o.width + "px";
  const h = openFrame(place, app, {
    shown: () => ({ theme: o.theme, mode, width: o.width, maxHeight: tallest }),
    request: async (method, params_json) => {
      const answer = await fetch(location.pathname + "/requests", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ method, params_json }) });
      return (await answer.json()) as AppReply;
    },
    openLink: () => Promise.resolve(false),
    setMode: (next) => void (mode = next),
    ended: () => void h.end(),
    changed: () => (h.frame.style.height = (h.size.height || 240) + "px"),
  });
  host = h;
  h.frame.style.height = "240px";
  const began = performance.now();
  for (const end = performance.now() + o.start_ms; h.phase !== "initialized" && performance.now() < end; ) await wait(20);
  h.deliver(o.input, o.result);
  if (o.cancelled) h.cancelled("simulated by mcptest");
  started = performance.now() - began;
  await settled(h, o);
  return look();
}

/** settled waits until the view neither sends messages nor changes its height. A view that has not reported a size yet gets as much time as it
 * took to start: on a busy machine both take long. */
async function settled(h: Host, o: Options): Promise<void> {
  let seen = -1;
  let since = performance.now();
  const quiet = () => (h.size.reports > 0 ? o.quiet_ms : Math.max(o.quiet_ms, started));
  for (const end = since + Math.max(o.settle_ms, started); performance.now() < end && performance.now() - since < quiet(); await wait(20)) {
    if (seen !== h.logged) since = performance.now();
    seen = h.logged;
  }
}

/** look returns what the host has seen of the view until now. */
function look(): Observation {
  const h = host!;
  const asked = h.entries.filter((e) => e.from === "view" && e.method === "ui/request-display-mode").map((e) => (JSON.parse(e.text) as { params?: { mode?: unknown } }).params?.mode);
  return {
    phase: h.phase, initializes: h.initializes, faults: h.faults, heights: h.size.heights, locked: h.size.locked, reports: h.size.reports,
    height: h.size.height, dropped: h.dropped, refused: [...new Set(h.entries.filter(isRefused).map((e) => e.method))],
    mode: String(asked.find((m) => m !== "inline" && m !== "fullscreen") ?? ""),
    messages: h.entries.map((e) => `${e.from} ${e.method}${e.kind === "notification" ? "" : " " + e.kind}`),
    logged: h.logged, pending: h.pending,
  };
}

const isRefused = (e: Entry) => e.from === "host" && e.kind === "error" && e.text.includes('"code":-32601') && !/^(tools|resources)\//.test(e.method);

/** end ends the view; false if it did not respond to the request. On a busy machine a view gets more time: twice as long as it took to start. */
async function end(within: number): Promise<boolean> {
  const h = host;
  host = null;
  if (!h) return true;
  const answered = await h.end(Math.max(within, 2 * started));
  h.frame.remove();
  return answered;
}

Object.assign(window, { appCheck: { open, look, end } });
