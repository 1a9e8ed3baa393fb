// One check operation: its options, progress and findings.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import type { Link, Operation } from "../../api.gen";
import { Empty } from "../../components/empty";
import { Filter, matches } from "../../components/filter";
import { Icon } from "../../components/icon";
import { JsonTree } from "../../components/jsontree";
import { List } from "../../components/list";
import { Notice } from "../../components/notice";
import { save } from "../../components/save";
import { useCommands } from "../../state/commands";
import { duration, plural } from "../../components/size";
import { Figures } from "./metrics";
import { FindingPane } from "./finding";
import { inputOf, Inputs, typedOf } from "./inputs";
import { findings, gradeOf, severities, tally, type Finding, type Report, type Severity } from "./report";
import { runOf, start, stop, type Run } from "./run";
import { SuiteText, suiteIn } from "./suite";

// Options of the connection are already set, and options about files do not apply to the page.
const settled = new Set(["target", "command", "env", "cwd", "header", "timeout", "protocol", "config", "insecure", "log_level", "verbose"]);
const most = new Set(["rules", "severity", "suite", "fail_on", "tool", "cases", "rate", "duration", "threshold"]);

export function Judging({ link, operation, choices }: { link: Link; operation: Operation; choices: ComponentChildren }) {
  const run = runOf(link.id, operation.name);
  const typed = typedOf(operation);
  const picked = useSignal<Finding | null>(null);
  const choosing = useSignal(false); // on a narrow page: back to the operations
  const fields = operation.fields.filter((f) => !settled.has(f.name));
  const running = run.value.state === "running";
  const begin = () => {
    picked.value = null;
    choosing.value = false;
    void start(link.id, operation, inputOf(operation, typed.value));
  };
  const title = operation.name === "run" ? "Run suite" : "Run " + operation.name;
  useCommands(() => [{ title, where: "Quality", icon: "play", run: begin }]);
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.key !== "Enter" || !(e.ctrlKey || e.metaKey) || running) return;
    e.preventDefault();
    begin();
  };
  const report = run.value.report;
  return (
    <div class="panes quality" data-front={picked.value ? "2" : run.value.state === "idle" || choosing.value ? "0" : "1"} onKeyDown={onKeyDown}>
      <section class="pane" aria-label="Operation">
        <div class="pane-body scroll stack gap-wide">
          {choices}
          <Inputs operation={operation} fields={fields.filter((f) => most.has(f.name))} />
          {fields.some((f) => !most.has(f.name)) && (
            <details class="stack">
              <summary class="small muted">More options</summary>
              <Inputs operation={operation} fields={fields.filter((f) => !most.has(f.name))} />
            </details>
          )}
        </div>
        <div class="pane-foot row">
          {running
            ? <button type="button" class="button" onClick={() => stop(link.id, operation.name)}><Icon name="stop" />Stop</button>
            : <button type="button" class="button primary grow" onClick={begin}><Icon name="play" />{title} <kbd>Ctrl ↵</kbd></button>}
        </div>
      </section>
      <section class="pane" aria-label="Findings">
        <RunSummary run={run.value} name={operation.name} onBack={() => (choosing.value = true)} />
        {report?.load && <Figures load={report.load} />}
        {report ? <FindingList report={report} picked={picked.value} onPick={(f) => (picked.value = f)} /> : (
          run.value.state === "done"
            ? <RunOutput link={link} text={run.value.result} />
            : run.value.state === "idle" && <Empty icon="quality" title={operation.title}><p>Run a check to see findings, evidence and suggested fixes.</p></Empty>
        )}
      </section>
      <section class="pane" aria-label="Finding">
        {picked.value && report ? <FindingPane link={link} report={report} text={run.value.result} finding={picked.value} onBack={() => (picked.value = null)} /> : (
          <Empty icon="quality" title="Choose a finding"><p>Shows the rule, the location, the frames and a suggested fix.</p></Empty>
        )}
      </section>
    </div>
  );
}

// RunOutput is the result of an operation without findings.
function RunOutput({ link, text }: { link: Link; text: string }) {
  const suite = suiteIn(text);
  return suite ? <SuiteText link={link} text={suite} /> : <div class="pane-body scroll"><JsonTree text={text} label="Result" /></div>;
}

// RunSummary shows the progress and the outcome of a run.
function RunSummary({ run, name, onBack }: { run: Run; name: string; onBack: () => void }) {
  if (run.state === "idle") return null;
  const { step } = run;
  const back = <button type="button" class="button quiet slim icon back" aria-label="Back to the operations" onClick={onBack}><Icon name="back" /></button>;
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
          <Verdict run={run} />
          {run.report && gradeOf(run.report) && <span class={"badge " + gradeTone(gradeOf(run.report))} data-grade>grade {gradeOf(run.report)}</span>}
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

function gradeTone(grade: string): string {
  return grade === "A" || grade === "B" ? "good" : grade === "C" ? "warn" : "bad";
}

// FindingList is the table of findings, filtered by severity and text.
function FindingList({ report, picked, onPick }: { report: Report; picked: Finding | null; onPick: (f: Finding) => void }) {
  const hidden = useSignal<ReadonlySet<Severity>>(new Set());
  const filter = useSignal("");
  const all = useMemo(() => findings(report), [report]);
  const shown = all.map((f, at) => ({ f, at })).filter(({ f }) => !hidden.value.has(f.severity) && matches(filter.value, `${f.rule} ${f.where.subject ?? ""} ${f.where.pointer ?? ""} ${f.message}`));
  const toggle = (s: Severity) => {
    const next = new Set(hidden.value);
    if (!next.delete(s)) next.add(s);
    hidden.value = next;
  };
  if (all.length === 0) return <Empty icon="check" title="No findings"><p>All applicable rules passed.</p></Empty>;
  return (
    <>
      <div class="pane-head wrap">
        <div class="tally" role="group" aria-label="Severities">
          {severities.map((s) => (
            <button key={s} type="button" aria-pressed={!hidden.value.has(s)} onClick={() => toggle(s)}>
              <span class={"pip " + s} /><span class="n">{all.filter((f) => f.severity === s).length}</span>{s}
            </button>
          ))}
        </div>
        <Filter label="Filter findings" value={filter.value} onInput={(v) => (filter.value = v)} />
      </div>
      <div class="scroll grow" data-shown={shown.length}>
        <List id="findings" label="Findings" items={shown} keyOf={({ at }) => String(at)} selected={picked ? String(all.indexOf(picked)) : ""} height={34}
          onSelect={(key) => { const f = all[Number(key)]; if (f) onPick(f); }} row={({ f }) => <FindingRow finding={f} />} />
      </div>
    </>
  );
}

function FindingRow({ finding: f }: { finding: Finding }) {
  return (
    <div class="finding-row">
      <span class={"pip " + f.severity} role="img" aria-label={f.severity} />
      <span class="rule cut" title={f.rule}>{f.rule}</span>
      <span class="says">
        {f.where.subject && <span class="subject cut">{f.where.subject}</span>}
        <span class="message cut" title={f.message}>{f.message}</span>
      </span>
      <span class="fixable">{f.fixes && f.fixes.length > 0 && <span class="badge accent">fix</span>}</span>
    </div>
  );
}
