// The progress and the outcome of a run, in one line.
import { Icon } from "../../components/icon";
import { Notice } from "../../components/notice";
import { save } from "../../components/save";
import { duration, plural } from "../../components/size";
import { tally } from "./report";
import type { Run } from "./run";

/** RunSummary shows no verdict if it is judged elsewhere on the page. */
export function RunSummary({ run, name, onBack, backTo = "operations", judged }: { run: Run; name: string; onBack?: () => void; backTo?: string; judged?: boolean }) {
  if (run.state === "idle") return null;
  const { step } = run;
  const back = onBack && <button type="button" class="button quiet slim icon back" aria-label={"Back to the " + backTo} onClick={onBack}><Icon name="back" /></button>;
  return (
    <div class="pane-head stack told" role="status" data-run={run.state}>
      {run.state === "running" && (
        <>
          <div class="row small">{back}<span class="cut grow">{step?.text ?? "Running"}</span><span class="tabular muted">{step ? `${step.done}${step.total ? " of " + step.total : ""}` : ""}</span></div>
          <div class={"meter" + (step?.total ? "" : " unknown pulse")}><i style={step?.total ? { width: `${(100 * step.done) / step.total}%` } : {}} /></div>
        </>
      )}
      {run.state === "done" && (
        <div class="row">
          {back}
          {!judged && <Verdict run={run} />}
          {run.report && <span class="muted small tabular">{tally(run.report).map(([n, word]) => `${n} ${word}`).join(", ")}</span>}
          <span class="grow" />
          <span class="faint small tabular whole">{duration(run.elapsed)}</span>
          {run.report && <button type="button" class="button quiet slim icon" aria-label="Save report" title="Save report as JSON" onClick={() => save(`mcptest-${name}.json`, new Blob([run.result]))}><Icon name="download" /></button>}
        </div>
      )}
      {run.state === "stopped" && (
        <div class="row">
          {back}
          <span class="badge warn">stopped</span>
          <span class="muted small">{run.step ? `after ${run.step.done}${run.step.total ? " of " + run.step.total : ""}; ` : ""}findings up to then are not kept. The Wire view has the frames.</span>
        </div>
      )}
      {run.state === "failed" && <div class="row">{back}<div class="grow"><Notice tone="bad" role="alert"><p>{run.problem?.message}</p>{run.problem?.hint && <p class="small muted">{run.problem.hint}</p>}</Notice></div></div>}
      {run.notices.length > 0 && <details class="small muted"><summary>{plural(run.notices.length, "note")}</summary><ul class="stack tight">{run.notices.map((n, i) => <li key={i} class="break">{n}</li>)}</ul></details>}
    </div>
  );
}

// Verdict is failed only with errors: warnings are not failures.
function Verdict({ run }: { run: Run }) {
  const warned = run.report !== null && !tally(run.report).some(([, word]) => word === "failed" || word === "broken");
  if (run.failed && !warned) return <span class="badge bad">failed</span>;
  const warnings = run.report?.summary.warning ?? 0;
  return warnings > 0 ? <span class="badge warn">{plural(warnings, "warning")}</span> : <span class="badge good">passed</span>;
}
