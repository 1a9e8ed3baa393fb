// The calls of a tool: show one, repeat it, or compare two results.
import { useSignal } from "@preact/signals";
import type { Call } from "../../api.gen";
import { Icon } from "../../components/icon";
import { bytes, clock, duration } from "../../components/size";
import { showError } from "../../components/toasts";
import { ResultsDialog } from "./diff";
import type { Workspace } from "./workspace";

interface Props {
  calls: Call[];
  shown: number;
  workspace: Workspace;
  onShow: (n: number) => void;
}

export function History({ calls, shown, workspace, onShow }: Props) {
  const other = useSignal<Call | null>(null);
  const one = calls.find((c) => c.n === shown);
  const again = (c: Call) => void workspace.send({ method: c.method, name: c.name, arguments_json: c.arguments_json, anyway: true, as_task: c.as_task }).then(() => onShow(workspace.shown.value!), showError);
  return (
    <>
      <ol class="history" aria-label="Calls of this tool">
        {calls.map((c) => (
          <li key={c.n} class={c.n === shown ? "on" : ""}>
            <button type="button" class="history-row" onClick={() => onShow(c.n)}>
              <span class={"dot " + (c.status === "running" || c.status === "waiting" ? "connecting" : c.ok ? "open" : "failed")} role="img" aria-label={c.ok ? "ok" : c.status === "done" ? "problems" : c.status} />
              <span class="tabular faint">#{c.n}</span>
              <span class="tabular">{clock(c.started)}</span>
              <code class="cut grow">{c.arguments_json}</code>
              <span class="tabular muted small">{duration(c.elapsed_ns)}</span>
              <span class="tabular faint small size">{c.result_bytes === undefined ? "" : bytes(c.result_bytes)}</span>
            </button>
            <button type="button" class="button quiet icon slim" aria-label={`Run call ${c.n} again`} title="Run again" onClick={() => again(c)}><Icon name="reload" /></button>
            <button type="button" class="button quiet slim" disabled={c.n === shown} aria-label={`Compare call ${c.n} with call ${shown}`} onClick={() => (other.value = c)}>Compare</button>
          </li>
        ))}
      </ol>
      {one && other.value && <ResultsDialog title={`Call ${other.value.n} and call ${one.n}`} a={other.value} b={one} onClose={() => (other.value = null)} />}
    </>
  );
}
