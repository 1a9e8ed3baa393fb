// Requests in sequence, with the outcome of the latest.
import { useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Call, NewCall } from "../../api.gen";
import { get, path, post } from "../../api/client";
import { showError } from "../../components/toasts";
import { onCall } from "../../state/links";

/** isFinished reports whether a call has ended. */
export function isFinished(call: Call): boolean {
  return call.status !== "running" && call.status !== "waiting";
}

/** useCall makes calls on a connection. The signal holds the latest call, with its content once it has ended. */
export function useCall(link: string): { call: Signal<Call | null>; run: (input: NewCall) => Promise<void>; load: (n: number) => Promise<void> } {
  const call = useSignal<Call | null>(null);
  const load = async (n: number) => {
    const full = await get<Call>(path("links", link, "calls", n));
    if (call.value === null || call.value.n <= n) call.value = full;
  };
  useEffect(() => onCall(link, (c) => {
    if (c.n !== call.value?.n) return;
    if (isFinished(c)) void load(c.n).catch(showError);
    else call.value = c;
  }), [link]);
  const run = async (input: NewCall) => {
    try {
      const begun = await post<Call>(path("links", link, "calls"), input);
      call.value = begun;
      await load(begun.n); // it may have ended before its first event arrived
    } catch (problem) {
      showError(problem);
    }
  };
  return { call, run, load };
}

/** ask makes a call and waits for its result. */
export async function ask(link: string, input: NewCall): Promise<Call> {
  const begun = await post<Call>(path("links", link, "calls"), input);
  return new Promise((done, fail) => {
    const look = () => get<Call>(path("links", link, "calls", begun.n)).then((c) => {
      if (!isFinished(c)) return;
      stop();
      done(c);
    }, (problem) => {
      stop();
      fail(problem);
    });
    const stop = onCall(link, (c) => c.n === begun.n && isFinished(c) && void look());
    void look();
  });
}
