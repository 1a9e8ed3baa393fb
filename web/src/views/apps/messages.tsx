// The messages between the host and a view, the latest first.
import { useState } from "preact/hooks";
import { JsonTree } from "../../components/jsontree";
import { bytes } from "../../components/size";
import type { Entry } from "./protocol";

const pageSize = 60;

export function MessageList({ entries, total }: { entries: Entry[]; total: number }) {
  const [open, setOpen] = useState(0);
  const [all, setAll] = useState(false);
  const shown = entries.slice(all ? 0 : -pageSize).reverse();
  return (
    <ol class="app-messages" data-testid="app-messages" aria-label="Messages">
      {shown.map((e) => (
        <li key={e.n} data-from={e.from} data-method={e.method} data-kind={e.kind}>
          <button type="button" class="row app-message" aria-expanded={open === e.n} onClick={() => setOpen(open === e.n ? 0 : e.n)}>
            <span class="faint tabular">{(e.at / 1000).toFixed(2)} s</span>
            <span class={"badge " + (e.from === "host" ? "note" : e.from === "view" ? "good" : "")}>{e.from}</span>
            <code class="cut grow">{e.method}</code>
            {e.kind !== "notification" && <span class={"small " + (e.kind === "error" ? "bad" : "faint")}>{e.kind} {e.id}</span>}
            <span class="small faint tabular">{bytes(e.text.length)}</span>
          </button>
          {open === e.n && <JsonTree text={e.text} label={`Message ${e.n}`} />}
        </li>
      ))}
      {total === 0 && <li class="muted small">No messages yet.</li>}
      {!all && entries.length > pageSize && <li><button type="button" class="button quiet slim" onClick={() => setAll(true)}>Show the last {entries.length}</button></li>}
      {total > entries.length && <li class="faint small">Older messages were deleted.</li>}
    </ol>
  );
}
