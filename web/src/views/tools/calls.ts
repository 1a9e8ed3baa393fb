// The calls of each connection, as stored by the Go side.
import { signal, type Signal } from "@preact/signals";
import type { Call, Calls } from "../../api.gen";
import { get, path } from "../../api/client";
import { on } from "../../api/events";

const calls = new Map<string, Signal<Call[]>>();

/** callsOf are the calls of a connection, the latest first, without content. */
export function callsOf(link: string): Signal<Call[]> {
  let known = calls.get(link);
  if (!known) {
    known = signal<Call[]>([]);
    calls.set(link, known);
    void reload(link);
  }
  return known;
}

async function reload(link: string): Promise<void> {
  const got = await get<Calls>(path("links", link, "calls")).catch(() => null);
  const known = calls.get(link);
  if (got && known) known.value = got.calls;
}

/** noteCall stores the state of a call. */
export function noteCall(call: Call): void {
  const known = callsOf(call.link);
  const at = known.value.findIndex((c) => c.n === call.n);
  const before = known.value[at];
  if (before && isOver(before) && !isOver(call)) return; // outdated
  known.value = at < 0 ? [call, ...known.value].sort((a, b) => b.n - a.n) : known.value.map((c, i) => (i === at ? call : c));
}

on("call", (e) => e.call && calls.has(e.call.link) && noteCall(e.call));
on("calls_gone", (e) => e.link && calls.has(e.link) && void reload(e.link));
on("again", () => calls.forEach((_, link) => void reload(link)));

/** isOver reports whether a call has ended. */
export function isOver(call: Call): boolean {
  return call.status !== "running" && call.status !== "waiting";
}
