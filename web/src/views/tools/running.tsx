// A call in flight: elapsed time, progress, and a cancel button.
import { useEffect, useState } from "preact/hooks";
import type { Call } from "../../api.gen";
import { path, post } from "../../api/client";
import { Icon } from "../../components/icon";
import { duration } from "../../components/size";
import { showError } from "../../components/toasts";
import { noteCall } from "./calls";

export function CancelButton({ call, slim }: { call: Call; slim?: boolean }) {
  const cancel = () => post<Call>(path("links", call.link, "calls", call.n, "cancel")).then(noteCall, showError);
  return <button type="button" class={"button danger" + (slim ? " slim" : "")} data-testid={slim ? undefined : "cancel"} onClick={() => void cancel()}><Icon name="stop" /> Cancel</button>;
}

export function Running({ call }: { call: Call }) {
  const p = call.progress;
  return (
    <div class="running" role="status">
      <div class="row">
        <Icon name="reload" class="spin" />
        <span class="grow">{call.status === "waiting" ? "The server is waiting for input" : (p?.message ?? "Running")}</span>
        <Elapsed call={call} />
      </div>
      {p && (p.total ? <progress max={p.total} value={p.done} aria-label="Progress" /> : <progress aria-label="Progress" />)}
      {p && <span class="small muted tabular">{p.done}{p.total ? ` of ${p.total}` : ""}</span>}
    </div>
  );
}

/** Elapsed counts while the call runs; the measured time comes from Go. */
export function Elapsed({ call }: { call: Call }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 100);
    return () => clearInterval(timer);
  }, []);
  return <span class="tabular muted">{duration(Math.max(0, now - Date.parse(call.started)) * 1e6)}</span>;
}
