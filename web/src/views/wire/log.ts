// The rows of a connection's timeline, as far as the page knows them. The Go side keeps the frames; this catches up.
import { signal } from "@preact/signals";
import type { Frame, Frames } from "../../api.gen";
import { get, path } from "../../api/client";
import { on } from "../../api/events";

const page = 2000; // rows asked for at once

/** A FrameLog follows the frames of one connection. */
export class FrameLog {
  readonly frames = signal<readonly Frame[]>([]);
  readonly methods = signal<readonly string[]>([]);
  readonly loaded = signal(false);
  private busy = false;
  private again = false;

  constructor(readonly link: string) {}

  /** catchUp reads what is new. A call while it reads makes it look once more. */
  async catchUp(): Promise<void> {
    if (this.busy) {
      this.again = true;
      return;
    }
    this.busy = true;
    try {
      do {
        this.again = false;
        while (await this.read());
      } while (this.again);
    } finally {
      this.busy = false;
      this.loaded.value = true;
    }
  }

  // read gets one page and tells whether there is another.
  private async read(): Promise<boolean> {
    const known = this.frames.value;
    const last = known[known.length - 1]?.seq ?? 0;
    const answer = await get<Frames>(path("links", this.link, "frames") + `?after=${last}&limit=${page}`);
    if (answer.frames.length > 0) this.frames.value = joined(known, answer.frames, answer.first);
    if (answer.methods.length !== this.methods.value.length) this.methods.value = answer.methods;
    return answer.more && answer.frames.length > 0;
  }
}

// joined adds rows, drops those that are no longer kept, and tells requests of answers that came later.
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

/** logOf is the log of a connection, kept while the page lives. */
export function logOf(link: string): FrameLog {
  let log = logs.get(link);
  if (!log) {
    log = new FrameLog(link);
    logs.set(link, log);
  }
  return log;
}

on("frames", (e) => void logs.get(e.link ?? "")?.catchUp().catch(() => undefined));
on("again", () => logs.forEach((log) => void log.catchUp().catch(() => undefined)));
