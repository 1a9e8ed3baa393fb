// The rows of a connection's timeline, as far as they are loaded. The Go side stores the frames.
import { signal } from "@preact/signals";
import type { Frame, Frames, StderrLine, StderrLines } from "../../api.gen";
import { get, path } from "../../api/client";
import { on } from "../../api/events";

const page = 2000; // rows per request
const mostLines = 10_000; // of stderr, the same limit as in Go

/** A FrameLog loads the frames of one connection, and the stderr of its process. */
export class FrameLog {
  readonly frames = signal<readonly Frame[]>([]);
  readonly lines = signal<readonly StderrLine[]>([]); // of stderr
  readonly methods = signal<readonly string[]>([]);
  readonly loaded = signal(false);

  constructor(readonly link: string) {}

  /** catchUp reads new frames. */
  readonly catchUp = once(async () => {
    while (await this.read());
    this.loaded.value = true;
  });

  /** overhear reads new stderr output. The last line may have grown. */
  readonly overhear = once(async () => {
    const known = this.lines.value.filter((line) => !line.open);
    const answer = await get<StderrLines>(path("links", this.link, "stderr", "lines") + `?after=${known.at(-1)?.n ?? 0}`);
    if (answer.lines.length > 0) this.lines.value = [...known, ...answer.lines].slice(-mostLines);
  });

  // read gets one page and reports whether there are more.
  private async read(): Promise<boolean> {
    const known = this.frames.value;
    const last = known[known.length - 1]?.seq ?? 0;
    const answer = await get<Frames>(path("links", this.link, "frames") + `?after=${last}&limit=${page}`);
    if (answer.frames.length > 0) this.frames.value = joined(known, answer.frames, answer.first);
    if (answer.methods.length !== this.methods.value.length) this.methods.value = answer.methods;
    return answer.more && answer.frames.length > 0;
  }
}

// once prevents concurrent runs. A call during a run causes one more run.
function once(run: () => Promise<void>): () => Promise<void> {
  let busy = false;
  let again = false;
  return async () => {
    again = busy;
    if (busy) return;
    busy = true;
    try {
      do {
        again = false;
        await run();
      } while (again);
    } finally {
      busy = false;
    }
  };
}

// joined adds rows, drops evicted ones, and pairs requests with later responses.
function joined(known: readonly Frame[], added: Frame[], first: number): Frame[] {
  const from = known.findIndex((f) => f.seq >= first);
  const all = from < 0 ? [] : known.slice(from);
  const base = all[0]?.seq ?? 0;
  for (const f of added) {
    all.push(f);
    const partner = f.pair === undefined ? undefined : all[f.pair - base];
    if (partner && partner.seq === f.pair && partner.pair === undefined) all[f.pair - base] = { ...partner, pair: f.seq };
  }
  return all;
}

const logs = new Map<string, FrameLog>();

/** logOf is the log of a connection, kept until the page is closed. */
export function logOf(link: string): FrameLog {
  let log = logs.get(link);
  if (!log) {
    log = new FrameLog(link);
    logs.set(link, log);
  }
  return log;
}

on("stderr", (e) => void logs.get(e.link ?? "")?.overhear().catch(() => undefined));
on("frames", (e) => void logs.get(e.link ?? "")?.catchUp().catch(() => undefined));
on("again", () => logs.forEach((log) => void Promise.all([log.catchUp(), log.overhear()]).catch(() => undefined)));
