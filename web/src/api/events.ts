// The event stream of the Go side, for all listeners in the page.
import { signal } from "@preact/signals";
import type { Event } from "../api.gen";
import { send, token } from "./client";
import { readEvents } from "./sse";

/** live reports whether events arrive; null before the first attempt. */
export const live = signal<boolean | null>(null);

type Listener = (event: Event) => void;

const listeners = new Map<string, Set<Listener>>();

/** on subscribes to events of one kind. The returned function unsubscribes. */
export function on(kind: string, listener: Listener): () => void {
  const set = listeners.get(kind) ?? new Set();
  listeners.set(kind, set);
  set.add(listener);
  return () => set.delete(listener);
}

function dispatch(event: Event): void {
  for (const listener of [...(listeners.get(event.kind) ?? [])]) listener(event);
}

const patience = [200, 500, 1000, 2000, 4000];

/**
 * listen reads the events as long as there is a token. After an interruption it emits "again", because events were missed: the
 * process may be a new one, which counts from the beginning.
 */
export async function listen(from: number): Promise<void> {
  let after = from;
  for (let misses = 0; token.value !== ""; ) {
    try {
      const answer = await send("GET", "/events?after=" + after);
      if (live.value === false) dispatch({ id: 0, kind: "again" });
      live.value = true;
      misses = 0;
      for await (const received of readEvents(answer)) {
        const event = JSON.parse(received.data) as Event;
        after = event.id;
        dispatch(event);
      }
    } catch {
      /* the process exited or was restarted */
    }
    if (misses > 0) live.value = false;
    await new Promise((done) => setTimeout(done, patience[Math.min(misses++, patience.length - 1)]));
  }
}
